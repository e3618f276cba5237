import { describe, expect, it } from '@jest/globals';
import {
  appended,
  digestOf,
  type LedgerEntry,
  type LedgerSubject,
  ledgerFaults,
  sentencesOf,
} from '@perennial/translators/contract/ledger.ts';
import { baseTranslator, baseHistory as history } from '../../fixtures/base.ts';

const { catalogue } = baseTranslator();
const textOf = (release: string): string => `the contract of ${release}`;
const ledger = [...history.releases]
  .reverse()
  .reduce<readonly LedgerEntry[]>(
    (entries, { id }) =>
      appended(entries, { release: id, contract: digestOf(textOf(id)), sentences: sentencesOf(catalogue, id) }),
    [],
  );
const subject: LedgerSubject = { history, catalogue, ledger, committed: ledger, lockedText: textOf };
const faultsOf = (given: Partial<LedgerSubject>): readonly string[] => ledgerFaults({ ...subject, ...given });

describe('what was locked', () => {
  it('is in order as it was recorded, and grows', () => {
    expect(faultsOf({})).toEqual([]);
    const more = appended(ledger, { ...(ledger.at(-1) as LedgerEntry), contract: digestOf('more') });
    expect(faultsOf({ ledger: more, lockedText: (id) => (id === '2023-10-15' ? 'more' : textOf(id)) })).toEqual([]);
  });

  it('cannot be deleted, to be locked anew', () => {
    expect(faultsOf({ lockedText: (id) => (id === '2023-10-15' ? undefined : textOf(id)) })).toEqual([
      'schemas/released/2023-10-15: the contract that was locked is gone; restore it: git checkout HEAD -- schemas/released/2023-10-15',
    ]);
    // With the ledger as well, or only its end, whether git knows of it or not.
    expect(faultsOf({ ledger: [], committed: undefined })).toHaveLength(history.releases.length);
    expect(faultsOf({ ledger: ledger.slice(0, -1) })).toEqual([
      expect.stringContaining('ledger.json: entries that were recorded are gone'),
    ]);
  });

  it('cannot be edited, and neither can its ledger', () => {
    expect(faultsOf({ lockedText: (id) => (id === '2022-11-15' ? 'narrower' : textOf(id)) })).toEqual([
      expect.stringContaining('schemas/released/2022-11-15: openapi.json is not the contract that was locked'),
    ]);
    const edited = ledger.map((entry, index) => (index === 1 ? { ...entry, contract: digestOf('narrower') } : entry));
    expect(faultsOf({ ledger: edited })).toEqual([
      expect.stringContaining('entry 2, of v2022-11-15, is not what was recorded'),
    ]);
    // Written anew from there on, it is another ledger than the committed one.
    const rewritten = edited.reduce<readonly LedgerEntry[]>((entries, entry) => appended(entries, entry), []);
    expect(faultsOf({ ledger: rewritten })).toEqual([expect.stringContaining('entries that were recorded are gone')]);
  });

  it('includes the sentences that clients have read, and not those of a preview', () => {
    const reworded = {
      ...catalogue,
      steps: catalogue.steps.map((step) =>
        step.change.id === 'rename-gender-to-sex'
          ? { ...step, change: { ...step.change, sentence: 'Otherwise.' } }
          : step,
      ),
    };
    const fault = 'translators/releases/2023-04-30/rename-gender-to-sex.ts: its sentence was edited';
    expect(faultsOf({ catalogue: reworded })).toEqual([expect.stringContaining(fault)]);
    const unreleased = history.releases.map(({ released: _, ...release }) => ({ ...release, previewFrom: release.id }));
    expect(faultsOf({ catalogue: reworded, history: { ...history, releases: unreleased } })).toEqual([]);
  });
});
