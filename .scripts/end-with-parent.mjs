/* Loaded before every entry that bootstrap.mjs runs. */
import { endWithParent } from './parent.mjs';

endWithParent();

// What parseArgs cannot read is the caller's slip, and no fault of ours: a sentence, and no stack.
process.on('uncaughtExceptionMonitor', (error) => {
  if (!String(error?.code).startsWith('ERR_PARSE_ARGS_')) return;
  process.stderr.write(`${error.message.split('. ')[0]}; --help tells what there is\n`);
  process.exit(2);
});
