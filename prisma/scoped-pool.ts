import pg from 'pg';
import { currentScope, isSameScope, type Scope, ScopeMissing } from './scope.ts';

/*
 * How PostgreSQL learns on whose behalf a statement is, without being asked twice. A statement of its own is sent
 * behind one that enters the scope, in the same write and before the same Sync: PostgreSQL carries both out in one
 * implicit transaction, at whose end the scope is gone, so that nothing stays on the connection for whoever comes next.
 * A transaction enters its scope with BEGIN. The scope is taken when the pool is asked: connections are handed on by
 * whoever gives one back, who may work for another account.
 */

declare module 'pg' {
  interface QueryConfig {
    queryMode?: 'extended';
  }
  /** What a query does on the wire; not among the declared types. */
  interface Query {
    prepare(connection: WireConnection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: WireConnection): void;
  }
}

interface WireConnection {
  parse(statement: { readonly name: string; readonly text: string }): void;
  close(what: { readonly type: 'S'; readonly name: string }): void;
  bind(what: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(what: { readonly portal: string; readonly rows: number }): void;
}

/** A pool whose statements are each on somebody's behalf. */
export function createScopedPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: ScopedClient });
  const { query, connect } = pool;
  // The pool's own methods have a dozen overloads each; those that are used come through here.
  Object.defineProperty(pool, 'query', {
    value: async (asked: string | pg.QueryConfig, values?: unknown[]) => {
      const scope = needScope();
      return Reflect.apply(query, pool, [{ ...configOf(asked, values), [SCOPE]: scope }]);
    },
  });
  Object.defineProperty(pool, 'connect', {
    value: async (callback?: unknown) => {
      // Asked by the pool itself, for a single statement.
      if (callback !== undefined) return Reflect.apply(connect, pool, [callback]);
      const scope = needScope();
      const client: unknown = await Reflect.apply(connect, pool, []);
      if (client instanceof ScopedClient) client.willBegin(scope);
      return client;
    },
  });
  return pool;
}

function needScope(): Scope {
  const scope = currentScope();
  if (!scope) throw new ScopeMissing('a query is on behalf of an account (asAccount) or of a named path (asSystem)');
  return scope;
}

const SCOPE = Symbol('scope');

interface ScopedConfig extends pg.QueryConfig {
  readonly [SCOPE]?: Scope;
}

function configOf(asked: string | pg.QueryConfig, values: unknown[] | undefined): ScopedConfig {
  const config = typeof asked === 'string' ? { text: asked } : asked;
  return values === undefined ? config : { ...config, values };
}

class ScopedClient extends pg.Client {
  /** Of the transaction under way, or about to begin. */
  #begins: Scope | undefined;
  /** What the transaction is in; undefined after a savepoint was rolled back, and the scope perhaps with it. */
  #isIn: Scope | undefined;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const plain = super.query;
    Object.defineProperty(this, 'query', {
      value: (asked: string | ScopedConfig, ...rest: unknown[]) => {
        const scoped = this.#scoped(asked);
        const isPromised = scoped instanceof ScopedQuery && !rest.some((each) => typeof each === 'function');
        if (!isPromised) return Reflect.apply(plain, this, [scoped, ...rest]);
        return new Promise((resolve, reject) => {
          const done = (error: unknown, result: unknown): void => (error ? reject(error) : resolve(result));
          Reflect.apply(plain, this, [scoped, undefined, done]);
        });
      },
    });
  }

  /** It was taken for a transaction. */
  willBegin(scope: Scope): void {
    this.#begins = scope;
    this.#isIn = undefined;
  }

  #scoped(asked: string | ScopedConfig): unknown {
    const config = configOf(asked, undefined);
    const single = config[SCOPE];
    if (single) return new ScopedQuery(config, single);
    const begins = this.#begins;
    if (!begins) return asked;
    const { text } = config;
    if (text === 'BEGIN') {
      this.#isIn = begins;
      return { ...config, text: `BEGIN; ${entering(begins)}` };
    }
    if (CONTROL.test(text)) {
      if (text.startsWith('ROLLBACK TO')) this.#isIn = undefined;
      else if (ENDING.test(text)) this.#begins = undefined;
      return asked;
    }
    // A part of the transaction may be on another's behalf, such as the one account whose job it is.
    const scope = currentScope() ?? begins;
    if (isSameScope(this.#isIn, scope)) return asked;
    this.#isIn = scope;
    return new ScopedQuery(config, scope);
  }
}

const CONTROL = /^(?:COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET TRANSACTION)\b/;
const ENDING = /^(?:COMMIT|ROLLBACK)$/;

/** The same as a statement of its own, for BEGIN. It must not read anything: the isolation level is set after it. */
function entering(scope: Scope): string {
  return 'account' in scope
    ? `SET LOCAL perennial.account = ${pg.escapeLiteral(scope.account)}`
    : 'SELECT core.enter_system()';
}

const ENTER_ACCOUNT = {
  name: 'perennial_account',
  text: `SELECT set_config('role', 'none', true), set_config('perennial.account', $1, true)`,
};
const ENTER_SYSTEM = { name: 'perennial_system', text: 'SELECT core.enter_system()' };

/** Statements that a connection has been given. */
const prepared = new WeakMap<WireConnection, Set<string>>();

/** A statement behind the one that enters its scope. */
class ScopedQuery extends pg.Query {
  readonly #scope: Scope;
  #isEntering = true;

  constructor(config: pg.QueryConfig, scope: Scope) {
    // Only statements that are prepared can follow one another before a Sync.
    super({ ...config, queryMode: 'extended' });
    this.#scope = scope;
  }

  override prepare(connection: WireConnection): void {
    const statement = 'account' in this.#scope ? ENTER_ACCOUNT : ENTER_SYSTEM;
    if (!prepared.get(connection)?.has(statement.name)) {
      // Should it be there all the same, because what followed it failed.
      connection.close({ type: 'S', name: statement.name });
      connection.parse(statement);
    }
    connection.bind({ statement: statement.name, values: 'account' in this.#scope ? [this.#scope.account] : [] });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isEntering) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (!this.#isEntering) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#isEntering = false;
    const names = prepared.get(connection) ?? new Set<string>();
    prepared.set(connection, names.add('account' in this.#scope ? ENTER_ACCOUNT.name : ENTER_SYSTEM.name));
  }
}
