/**
 * Prisma: cannot reach, timed out, closed by the server, no free connection, transaction could not start or was cut
 * off, too many connections.
 */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037']);

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

/** SQLSTATE: connection exceptions, too many connections, server stopping, crashed or starting; read-only after failover. */
const SQLSTATE = /^(08\w{3}|53300|57P0[123]|25006)$/;

const ADAPTER_KINDS = new Set(['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout', 'TooManyConnections']);

/** pg's own errors have no code; these are all that it throws for a connection that is not there. */
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
];

const DEPTH_MAX = 6;

/** Whether an exception says that the database cannot be reached, as opposed to refusing what it was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return says(error, isUnavailable, 0);
}

/** SQLSTATE of a full disk, and a message that PostgreSQL gives without a code. */
const DISK_FULL = /^53100$/;
const NO_ROOM = 'No space left on device';

/** Whether an exception says that the database has no room left. */
export function isDatabaseFull(error: unknown): boolean {
  return says(
    error,
    ({ codes, message }) => codes.some((code) => DISK_FULL.test(code)) || message?.includes(NO_ROOM) === true,
    0,
  );
}

/** The members of an error that are read, at every level of its causes. */
interface Said {
  readonly codes: readonly string[];
  readonly kind: string | undefined;
  readonly message: string | undefined;
}

function isUnavailable({ codes, kind, message }: Said): boolean {
  return (
    codes.some((code) => PRISMA_CODES.has(code) || NETWORK_CODES.has(code) || SQLSTATE.test(code)) ||
    (kind !== undefined && ADAPTER_KINDS.has(kind)) ||
    (message !== undefined && MESSAGES.some((each) => message.includes(each)))
  );
}

function says(error: unknown, what: (said: Said) => boolean, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) return false;
  const fields = error as Readonly<Record<string, unknown>>;
  const message = error instanceof Error ? error.message : fields['originalMessage'];
  const said: Said = {
    codes: [fields['code'], fields['originalCode'], fields['errorCode']].filter((code) => typeof code === 'string'),
    kind: typeof fields['kind'] === 'string' ? fields['kind'] : undefined,
    message: typeof message === 'string' ? message : undefined,
  };
  if (what(said)) return true;
  const inner = [fields['cause'], fields['meta'], fields['driverAdapterError']];
  if (Array.isArray(fields['errors'])) inner.push(...(fields['errors'] as unknown[]));
  return inner.some((each) => says(each, what, depth + 1));
}
