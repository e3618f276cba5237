import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OPERATION_ADDED } from '../../contract/differences.ts';
import { impureConverters } from '../../contract/impure.ts';
import { lintContract } from '../../contract/lints.ts';
import { lockStateOf } from '../../contract/released.ts';
import { sharedWords } from '../../contract/shared-words.ts';
import { projectLedgerFaults } from '../ledger.ts';
import { type Project, RELEASES_FILE } from '../project.ts';
import { recipeOf } from '../recipes.ts';
import type { Verb } from '../verb.ts';
import { wordings } from './lock.ts';

/** One thing that is wrong or forgotten. */
export interface Finding {
  readonly check: 'catalogue' | 'files' | 'contract' | 'lock';
  /** File, or place in the contract. */
  readonly place: string;
  readonly message: string;
}

/** Runs every check. */
export const check: Verb = {
  name: 'check',
  usage: '',
  summary: 'Says everything that is wrong or forgotten: history, guarantees, changes, schemas, locked contracts.',
  help: [],
  options: {},
  async run({ project }) {
    const findings = findingsOf(await project());
    return {
      exitCode: findings.length > 0 ? 1 : 0,
      json: { findings },
      lines: (paint) => [
        ...findings.map(({ place, message }) => `${paint.bad('✗')} ${paint.title(place)}: ${message}`),
        findings.length === 0
          ? `${paint.good('✓')} history, guarantees, changes, schemas and locked contracts are in order`
          : `${findings.length} finding${findings.length === 1 ? '' : 's'}`,
      ],
    };
  },
};

/** Every finding in a repository. */
export function findingsOf(project: Project): readonly Finding[] {
  const findings: Finding[] = project.faults().map((fault) => finding('catalogue', fault));
  findings.push(...forgottenFiles(project));
  for (const { place, message } of lintContract(project.head)) findings.push({ check: 'contract', place, message });
  if (findings.some((finding) => finding.check === 'catalogue')) return findings;
  const { catalogue } = project.translator();
  for (const { change, place, message } of [...impureConverters(catalogue), ...sharedWords(catalogue)])
    findings.push({ check: 'contract', place: `change ${change}: ${place}`, message });
  for (const release of project.history.releases) {
    const { state, differences } = lockStateOf(project.translator(), release, project.root);
    const place = join('schemas', 'released', release.id);
    // A preview may change; what it says is locked when it is promoted.
    if (state === 'locked' || (release.released === undefined && state === 'missing')) continue;
    const say = (message: string): void => {
      findings.push({ check: 'lock', place, message });
    };
    if (state === 'missing') {
      say(
        release.released === undefined
          ? 'is not there; npm run release -- lock writes it'
          : 'is gone; restore it from git',
      );
      continue;
    }
    for (const difference of differences) {
      if (difference.severity === 'wording') continue;
      const { severity, place: at, direction, text } = difference;
      const advice =
        severity === 'breaking' && release.released !== undefined
          ? `v${release.id} is released: ${recipeOf(difference)}`
          : text === OPERATION_ADDED && release.released !== undefined
            ? `give it \`since: '${project.history.releases[0]?.id}'\`, or npm run release -- lock --add ${at}`
            : 'npm run release -- lock records it';
      say(`${severity}: ${at} (${direction}) ${text}; ${advice}`);
    }
    for (const text of wordings(differences)) say(`${text}; npm run release -- lock records it`);
  }
  findings.push(...projectLedgerFaults(project).map((fault) => finding('lock', fault)));
  return findings;
}

function finding(check: Finding['check'], fault: string): Finding {
  const [place = '', ...rest] = fault.split(': ');
  return { check, place, message: rest.join(': ') };
}

/** Changes that were written and not bound, and folders that the list of releases does not have. */
function forgottenFiles({ root, releases }: Project): readonly Finding[] {
  const findings: Finding[] = [];
  const folder = join('translators', 'releases');
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const release = releases.find(({ id }) => id === entry.name);
    if (!release) {
      findings.push({
        check: 'files',
        place: join(folder, entry.name),
        message: `${RELEASES_FILE} does not have this release`,
      });
      continue;
    }
    for (const file of readdirSync(join(root, folder, entry.name))) {
      const name = basename(file, '.ts');
      if (
        !['index', 'examples'].includes(name) &&
        file.endsWith('.ts') &&
        !release.changes.some(({ id }) => id === name)
      )
        findings.push({
          check: 'files',
          place: join(folder, entry.name, file),
          message: `no change of the release has the id "${name}": bind it in index.ts, under the name of its file`,
        });
    }
    for (const { id } of release.changes)
      if (!existsSync(join(root, folder, entry.name, `${id}.ts`)))
        findings.push({
          check: 'files',
          place: join(folder, entry.name),
          message: `the change ${id} has no file of its name`,
        });
  }
  return findings;
}
