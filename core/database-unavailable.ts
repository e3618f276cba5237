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
export function isDatabaseUnavailable(error: unknown, depth: number = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) return false;
  const fields = error as Readonly<Record<string, unknown>>;
  for (const code of [fields['code'], fields['originalCode'], fields['errorCode']]) {
    if (typeof code === 'string' && (PRISMA_CODES.has(code) || NETWORK_CODES.has(code) || SQLSTATE.test(code)))
      return true;
  }
  if (typeof fields['kind'] === 'string' && ADAPTER_KINDS.has(fields['kind'])) return true;
  const message = error instanceof Error ? error.message : fields['originalMessage'];
  if (typeof message === 'string' && MESSAGES.some((each) => message.includes(each))) return true;
  const inner = [fields['cause'], fields['meta'], fields['driverAdapterError']];
  if (Array.isArray(fields['errors'])) inner.push(...(fields['errors'] as unknown[]));
  return inner.some((each) => isDatabaseUnavailable(each, depth + 1));
}
