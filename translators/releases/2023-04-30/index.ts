import type { ReleaseChanges } from '../../engine/change.ts';
import { addGenderIdentity } from './add-gender-identity.ts';
import { examples } from './examples.ts';
import { pageByCursor } from './page-by-cursor.ts';
import { renameGenderToSex } from './rename-gender-to-sex.ts';
import { restructureContact } from './restructure-contact.ts';

/** Bulk operations, the knowledge graph, webhooks; sex and gender identity, contact information, cursors. */
export const release20230430: ReleaseChanges = {
  id: '2023-04-30',
  changes: [renameGenderToSex, addGenderIdentity, restructureContact, pageByCursor],
  examples,
};
