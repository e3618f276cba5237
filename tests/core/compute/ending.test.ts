import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** Only a graph of modules without an await at its top level can be required. */
const PROGRAM = `
  const { createRequire } = require('node:module');
  try {
    createRequire(process.cwd() + '/')(process.argv[1]);
    console.log('loaded');
  } catch (error) {
    console.log(error.code ?? error.message);
  }
  process.exit();
`;

test.each([
  ['compute', '@perennial/core/compute/worker.ts', 'this is a thread of core'],
  ['imaging', '@perennial/core/imaging/worker/worker.ts', 'loaded'],
])(
  'the thread for %s may be ended while it loads: no module of it awaits at its top level',
  async (_name, entry, said) => {
    const options = { cwd: import.meta.dirname };
    const args = ['--disable-warning=ExperimentalWarning', '-e', PROGRAM, entry];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(stdout.trim()).toBe(said);
  },
);
