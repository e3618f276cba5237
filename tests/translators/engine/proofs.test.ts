import { describe, expect, it } from '@jest/globals';
import { impureConverters } from '@perennial/translators/contract/impure.ts';
import { type Change, change } from '@perennial/translators/engine/change.ts';
import {
  becameRequired,
  changedDefault,
  converted,
  relate,
  rename,
  split,
  widened,
} from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import Type from 'typebox';
import { roundTripsOf } from '../../support/round-trips.ts';
import { contractOf, object, reading, release, text, textOrNull, translatorOf, writing } from './fixture.ts';

/*
 * The proofs of a release find what is wrong. Each of these changes fits the contract, and each loses or invents
 * something; beside them stand the right ones, which pass.
 */
const R1 = '2021-01-01';
/** What is wrong here is wrong for every other body. */
const BODIES = 60;
const Note = object('Note', { kind: { type: 'string', enum: ['note'] }, label: text, mood: textOrNull });
const Task = object('Task', { kind: { type: 'string', enum: ['task'] }, label: text, done: { type: 'boolean' } });
const Entry = {
  $id: 'Entry',
  oneOf: [{ $ref: 'Note' }, { $ref: 'Task' }],
  discriminator: { propertyName: 'kind', mapping: { note: 'Note', task: 'Task' } },
};
const Person = object('Person', {
  id: { ...text, readOnly: true },
  given: text,
  family: textOrNull,
  secret: textOrNull,
  pace: { type: 'string', enum: ['slow', 'fast'], default: 'fast' },
  about: { type: 'string', maxLength: 12 },
});
const operations = (id: string, resource: string) => {
  const update = { read: `${id}.get`, patch: `${id}.update` } as const;
  return [
    reading(`${id}.get`, resource),
    writing(`${id}.create`, `${resource}.create`, resource),
    writing(`${id}.replace`, `${resource}.replace`, resource, {
      method: 'PUT',
      update: { ...update, mode: 'replace' },
    }),
    writing(`${id}.update`, `${resource}.patch`, resource, { method: 'PATCH', update: { ...update, mode: 'patch' } }),
  ];
};
const contract = contractOf(
  [Person, Entry, Note, Task],
  [...operations('people', 'Person'), ...operations('entries', 'Entry')],
);

/** What the proofs say of one change: the first words of each that fails. */
function failuresOf(resource: string, ...edits: readonly Edit[]): readonly string[] {
  const described: Change = change({ id: 'change-it', sentence: 'Changed.', resources: [{ resource, edits }] });
  return roundTripsOf(translatorOf(contract, release(R1, described)), undefined, BODIES).flatMap(({ title, check }) => {
    try {
      check();
      return [];
    } catch (error) {
      return [`${title}: ${causesOf(error).join(' ← ')}`];
    }
  });
}

function causesOf(error: unknown): readonly string[] {
  return error instanceof Error ? [error.message, ...causesOf(error.cause)] : [];
}

const parts = { given: Type.String(), family: Type.Union([Type.String(), Type.Null()]) };
const join = ({ given, family }: { given: string; family: string | null }): string =>
  family === null ? given : `${given} ${family}`;
const cut = (name: string): { given: string; family: string | null } => {
  const space = name.indexOf(' ');
  return space < 0 ? { given: name, family: null } : { given: name.slice(0, space), family: name.slice(space + 1) };
};

describe('the text of a converter', () => {
  const impure = (edit: Edit) =>
    impureConverters(
      translatorOf(
        contract,
        release(
          R1,
          change({ id: 'change-it', sentence: 'Changed.', resources: [{ resource: 'Person', edits: [edit] }] }),
        ),
      ).catalogue,
    );
  const asText = { older: Type.String(), newer: Type.String() };

  it.each<[string, Edit, string]>([
    ['a conversion down', converted('about', { ...asText, down: () => String(Date.now()) }), 'the clock'],
    [
      'a conversion up',
      converted('about', { ...asText, down: (about) => about, up: () => String(Math.random()) }),
      'randomness',
    ],
    [
      'a split',
      split({
        older: 'name',
        whole: Type.String(),
        parts,
        join: () => String(process.env['USER']),
        split: cut,
      }),
      'what lies outside',
    ],
    [
      'a relation',
      relate({
        older: [{ path: 'name', schema: Type.String() }],
        newer: ['given'],
        down: () => [new Date().toISOString()],
      }),
      'the clock',
    ],
  ])('is refused by check where %s asks for something else than its input', (_what, edit, what) => {
    expect(impure(edit)).toEqual([
      {
        change: `${R1}/change-it`,
        place: expect.stringMatching(/^Person\.(about|name)$/),
        message: expect.stringContaining(`uses ${what}`),
      },
    ]);
  });

  it('may speak of what it does not use, and use a date that it is given', () => {
    const down = (about: string): string => `${new Date(about).getFullYear()} ${'Date.now'}`;
    expect(impure(converted('about', { ...asText, down }))).toEqual([]);
  });
});

describe('the proofs pass', () => {
  it.each<[string, string, Edit]>([
    ['a rename in a member of a union', 'Note', rename('title', 'label')],
    ['a member that must be given', 'Person', becameRequired('about', '')],
    ['another default', 'Person', changedDefault('pace', 'slow')],
    ['wider rules', 'Person', widened<string>('about', { maxLength: 4 }, (about) => about.slice(0, 4))],
    [
      'a split that keeps what is stored',
      'Person',
      split({
        older: 'name',
        whole: Type.String(),
        parts,
        join,
        split: cut,
      }),
    ],
  ])('%s', (_what, resource, edit) => {
    expect(failuresOf(resource, edit)).toEqual([]);
  });
});

describe('the proofs find', () => {
  const asText = { older: Type.String(), newer: Type.String() };

  it('a relation that overwrites what the client cannot see', () => {
    const edit = relate({
      older: [{ path: 'nick', schema: Type.String() }],
      newer: ['given', 'secret'],
      down: ([given]) => [given],
      up: ([nick]) => [nick, null],
    });
    expect(failuresOf('Person', edit).join('\n')).toMatch(/keeps the rest.*secret/s);
  });

  it('a split by a relation that does not keep what is stored', () => {
    const edit = relate({
      older: [{ path: 'name', schema: Type.String() }],
      newer: ['given', 'family'],
      down: ([given, family]) => [join({ given: given as string, family: family as string | null })],
      up: ([name]) => [name, null],
    });
    expect(failuresOf('Person', edit).join('\n')).toMatch(/when what was read is written back/);
  });

  it('a conversion that loses what it cannot say', () => {
    const edit = converted('about', { ...asText, down: (about) => about.slice(0, 1), up: (about) => about });
    expect(failuresOf('Person', edit).join('\n')).toMatch(/when what was read is written back/);
  });

  it.each<[string, () => string, RegExp]>([
    ['the clock', () => String(Date.now()), /change-it failed ← a translator asked for the clock/],
    ['the date', () => String(new Date()), /change-it failed ← a translator asked for the date/],
    ['a random number', () => String(Math.random()), /change-it failed ← a translator asked for a random number/],
    ['the environment', () => String(process.env['HOME']), /change-it failed ← a translator asked for the environment/],
  ])('a converter that asks for %s', (_what, ask, message) => {
    const edit = converted('about', { ...asText, down: () => ask().slice(0, 4), up: (about) => about });
    expect(failuresOf('Person', edit).join('\n')).toMatch(message);
  });

  it('a converter that remembers', () => {
    let count = 0;
    const edit = converted('about', { ...asText, down: () => String(count++).slice(0, 12), up: (about) => about });
    expect(failuresOf('Person', edit).join('\n')).toMatch(/gives every answer Person/);
  });

  it('a loss in a member of a union', () => {
    const edit = converted('mood', { ...asText, down: (mood) => mood, up: () => 'lost' });
    expect(failuresOf('Note', edit).join('\n')).toMatch(/Entry.patch of Note/);
  });
});
