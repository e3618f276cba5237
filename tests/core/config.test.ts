import { expect, test } from '@jest/globals';
import { readConfig } from '@perennial/core/config.ts';
import { ConfigInvalid, Settings } from '@perennial/schemas/platform/settings.ts';
import { variables } from '@perennial/schemas/platform/variables.ts';
import { readStartConfig } from '../../.scripts/start-config.ts';

const required = { DATABASE_URL: 'postgresql://u:p@localhost/n', INTERNAL_SECRET: 's'.repeat(32) };

test('two settings are enough, and empty ones count as absent', () => {
  expect(readConfig({ ...required, CORE_PORT: '', HOST: ' ', LOG_LEVEL: '' })).toMatchObject({
    host: '127.0.0.1',
    port: 8081,
    logLevel: 'info',
    bodyBytesMax: 1_048_576,
    bodyDepthMax: 64,
  });
});

test('every mistake is told at once, in plain lines, and no secret is repeated', () => {
  const env = {
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    INTERNAL_SECRET: 'too-short-a-secret',
    CORE_PORT: '80a',
    LOG_LEVEL: 'loud',
    BODY_BYTES_MAX: '-1',
  };
  const { mistakes, message } = refusalOf(() => readConfig(env));
  expect(mistakes.map((sentence) => sentence.split(' ')[0]).sort()).toEqual(Object.keys(env).sort());
  expect(message).not.toMatch(/hunter2|too-short/);
});

test('ports outside the range are refused', () => {
  for (const port of ['65536', '-1', '1.5', '0x10']) {
    expect(() => readConfig({ ...required, CORE_PORT: port })).toThrow(/CORE_PORT/);
  }
  expect(readConfig({ ...required, CORE_PORT: '0' }).port).toBe(0);
});

test('the start names what is wrong for itself, for core and for the gateway, in one refusal', () => {
  const { mistakes } = refusalOf(() =>
    readStartConfig({
      PORT: '1',
      CORE_PORT: '1',
      DEATHS_PER_MINUTE_MAX: '0',
      DATABASE_POOL_MAX: 'many',
      TRUST_PROXY: 'balancer.example',
      WORKERS: '1e3',
      AUDIT_KEY: 'short',
    }),
  );
  expect(mistakes.map((sentence) => sentence.split(' ')[0]).sort()).toEqual([
    'AUDIT_KEY',
    'DATABASE_POOL_MAX',
    'DEATHS_PER_MINUTE_MAX',
    'PORT',
    'TRUST_PROXY',
    'WORKERS',
  ]);
});

test('what the start alone can know is not asked of the environment', () => {
  expect(readStartConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, corePort: 8081, databaseUrl: undefined });
});

test('every default is one that its own declaration allows', () => {
  const defaults = Object.fromEntries(
    Object.entries(variables).flatMap(([name, schema]) =>
      'default' in schema ? [[name, String(schema.default)]] : [],
    ),
  );
  const settings = new Settings(defaults);
  for (const name of Object.keys(defaults)) settings.get(name as keyof typeof variables);
  expect(() => settings.check()).not.toThrow();
});

function refusalOf(read: () => unknown): ConfigInvalid {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigInvalid) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
