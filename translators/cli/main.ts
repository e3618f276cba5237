import { runTool } from './run.ts';

// Node says once that stripping types is experimental; that is no news to the caller.
process.removeAllListeners('warning');
process.exitCode = await runTool(process.argv.slice(2), process);
