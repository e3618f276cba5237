import { expect, test } from '@jest/globals';
import { ConfigInvalid, readConfig } from '@perennial/core/config.ts';

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
  let message = '';
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigInvalid);
    message = (error as Error).message;
  }
  expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'INTERNAL_SECRET',
    'LOG_LEVEL',
    'CORE_PORT',
    'BODY_BYTES_MAX',
  ]);
  expect(message).not.toMatch(/hunter2|too-short/);
});

test('ports outside the range are refused', () => {
  for (const port of ['65536', '-1', '1.5', '0x10']) {
    expect(() => readConfig({ ...required, CORE_PORT: port })).toThrow(/CORE_PORT/);
  }
  expect(readConfig({ ...required, CORE_PORT: '0' }).port).toBe(0);
});
