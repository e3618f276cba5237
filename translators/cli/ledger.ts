import { spawnSync } from 'node:child_process';
import { LEDGER_FILE, type LedgerEntry, ledgerFaults, parseLedger, readLedger } from '../contract/ledger.ts';
import { lockedText } from '../contract/released.ts';
import type { Project } from './project.ts';
import { Refused } from './verb.ts';

/** What was locked and is no longer what it was, told by the ledger and by what git has of it. */
export function projectLedgerFaults({ root, history, translator }: Project): readonly string[] {
  return ledgerFaults({
    history,
    catalogue: translator().catalogue,
    ledger: readLedger(root),
    committed: committedLedger(root),
    lockedText: (release) => lockedText(root, release),
  });
}

/** @throws {Refused} naming what was taken back. */
export function refuseBrokenLedger(verb: string, project: Project, except: readonly string[] = []): void {
  const faults = projectLedgerFaults(project).filter((fault) => !except.some((part) => fault.includes(part)));
  if (faults.length > 0) throw new Refused(`${verb}: ${faults.join('; ')}`);
}

/** The ledger of the last commit; undefined outside of git. */
function committedLedger(root: string): readonly LedgerEntry[] | undefined {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${LEDGER_FILE}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? parseLedger(stdout) : undefined;
}
