import pg from 'pg';

/** Someone who listens to a channel of the database. */
export interface Listening {
  stop(): Promise<void>;
}

/** What is done with what is heard. */
export interface Heard {
  /** Called each time listening begins: earlier notifications were missed. */
  begun(): void;
  message(payload: string): void;
  /** Called once when the connection is lost, however often reconnecting fails. */
  lost(error: Error): void;
}

const AGAIN_MS_MIN = 100;
const AGAIN_MS_MAX = 5_000;
/** Interval of a test query: a dead connection raises no error by itself. */
const ASK_MS = 10_000;
const ANSWER_MS_MAX = 5_000;

/**
 * Listens to a channel (LISTEN) on a connection of its own, and connects anew for as long as it takes. A pooler that
 * deals out connections by transaction does not pass notifications on: nothing is heard through it.
 */
export function listenTo(databaseUrl: string, channel: string, applicationName: string, heard: Heard): Listening {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isLost = false;
  let againMs = AGAIN_MS_MIN;

  const lose = (of: pg.Client, error: Error): void => {
    if (client !== of) return;
    client = undefined;
    clearTimeout(timer);
    of.end().catch(() => undefined);
    if (stopped) return;
    if (!isLost) heard.lost(error);
    isLost = true;
    timer = setTimeout(() => void connect(), againMs).unref();
    againMs = Math.min(againMs * 2, AGAIN_MS_MAX);
  };

  const ask = (of: pg.Client): void => {
    timer = setTimeout(() => {
      of.query('SELECT 1').then(
        () => client === of && ask(of),
        (error: Error) => lose(of, error),
      );
    }, ASK_MS).unref();
  };

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      application_name: applicationName,
      connectionTimeoutMillis: ANSWER_MS_MAX,
      query_timeout: ANSWER_MS_MAX,
      keepAlive: true,
    });
    client = fresh;
    fresh.on('error', (error) => lose(fresh, error));
    fresh.on('end', () => lose(fresh, new Error('the connection has ended')));
    fresh.on('notification', ({ payload }) => heard.message(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      lose(fresh, error as Error);
      return;
    }
    if (client !== fresh) return;
    isLost = false;
    againMs = AGAIN_MS_MIN;
    heard.begun();
    ask(fresh);
  };

  void connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const open = client;
      client = undefined;
      await open?.end().catch(() => undefined);
    },
  };
}
