import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openApiOf } from '../../contract/openapi.ts';
import { writeAtomically } from '../../contract/released.ts';
import { typesOf } from '../../contract/types.ts';
import { fromCaller } from '../project.ts';
import type { Verb } from '../verb.ts';

/** Makes the types of a release. */
export const types: Verb = {
  name: 'types',
  usage: '<date> [--out <file>]',
  summary: 'Prints the TypeScript types of a release: schemas, queries, operations.',
  help: ['Made from the contract whenever they are needed; they are not kept in the repository.'],
  options: { out: { type: 'string' } },
  async run({ args, options, project }) {
    const opened = await project();
    const release = opened.release(args[0], 'types <date>');
    const text = await typesOf(openApiOf(opened.translator(), release));
    const out = options.text('out');
    if (out === undefined) return { exitCode: 0, json: { release: release.id, text }, lines: () => [text.trimEnd()] };
    const path = fromCaller(out);
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, text);
    return { exitCode: 0, json: { release: release.id, file: path }, lines: () => [path] };
  },
};
