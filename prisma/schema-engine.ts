import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/** The datamodel that the migrations must produce. */
export const SCHEMA_PATH: string = join(import.meta.dirname, 'schema.prisma');

/** The part of the global that is used here; TypeScript has it only in its browser library. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let loading: Promise<void> | undefined;

/**
 * The SQL that turns the database at `url` into `schema.prisma`: empty when they agree. Prisma's own comparison,
 * from its WebAssembly build, which unlike its command line has nothing to download.
 */
export async function diffToSchema(url: string, schemaPath: string = SCHEMA_PATH): Promise<string> {
  loading ??= load();
  await loading;
  const files = [{ path: 'schema.prisma', content: await readFile(schemaPath, 'utf8') }];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const adapter = bindMigrationAwareSqlAdapterFactory(catalogueAdapter(pool));
  const schemaEngine = await engine.SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => undefined,
    adapter,
  );
  try {
    const { stdout } = await schemaEngine.diff({
      // Prisma's name for "the database that the adapter is connected to".
      from: { tag: 'schemaDatasource', files, configDir: import.meta.dirname },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = (stdout ?? '').trim();
    return sql === '-- This is an empty migration.' ? '' : sql;
  } finally {
    schemaEngine.free();
    await pool.end();
  }
}

/**
 * PostgreSQL's catalogue has columns of its one-byte type "char". The adapter refuses the type, and the engine insists
 * on it, so it is hidden from the one and given back to the other.
 */
function catalogueAdapter(pool: pg.Pool): PrismaPg {
  const [oneByteChar, text] = [18, 25];
  const charColumns = new Map<string, number[]>();
  const query = pool.query.bind(pool);
  pool.query = (async (config: pg.QueryArrayConfig) => {
    const result = await query(config);
    for (const [index, field] of result.fields.entries()) {
      if (field.dataTypeID !== oneByteChar) continue;
      field.dataTypeID = text;
      charColumns.set(config.text, [...(charColumns.get(config.text) ?? []), index]);
    }
    return result;
  }) as typeof pool.query;
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const index of charColumns.get(query.sql) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  };
  return factory;
}

/** The package's own entry imports the .wasm file as a module, which not every runtime here does; so by hand. */
async function load(): Promise<void> {
  // Where the engine reports a panic before it stops; thrown on, so that its words are what the caller reads.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new Error(`Prisma's schema engine failed: ${message}`);
      },
    },
  });
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
}
