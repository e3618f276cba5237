/*
 * Whoever of npm -> bootstrap -> entry is killed alone, the others must not stay. npm tells its script of SIGINT and
 * SIGTERM only, and of nothing when it is killed; a process of ours is told by the closing of the channel to its parent.
 */

const POLL_MS = 250;

/**
 * Sends this process SIGTERM when the one that started it is gone. Only under npm: whoever starts the service
 * otherwise (nohup, a service manager) may well leave before it.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  watch.unref();
}

/** The same for a process that was started with a channel to its parent. What it has open decides how long it runs. */
export function endWithParent() {
  if (process.send === undefined) return;
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (!process.connected) end();
  process.once('disconnect', end);
  process.channel?.unref();
}
