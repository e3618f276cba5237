import { checkInstallation, fingerprintOf } from '@perennial/prisma/installation.ts';
import { readOrCreateKeyFile } from '@perennial/schemas/platform/key-file.ts';
import type { BlobStore } from './attachments/blob-store.ts';
import type { Config } from './config.ts';

/**
 * Refuses to serve with another key or other files than the database was used with before.
 * @throws InstallationMismatch; and what the database or the disk says.
 */
export async function checkSharedBy(config: Config, blobs: BlobStore): Promise<void> {
  const secretsKey = config.secretsKey ?? readOrCreateKeyFile(config.secretsKeyFile);
  await checkInstallation(config.databaseUrl, 'core', [
    {
      name: 'secrets_key',
      value: fingerprintOf(secretsKey),
      refusal:
        'SECRETS_KEY is not the key that this database was used with, so that secrets of webhooks cannot be read. Give every machine the same SECRETS_KEY, or a copy of the file secrets.key in DATA_DIR; `npm run database -- --forget secrets_key` gives up what the old key opens.',
    },
    {
      name: 'blob_store',
      value: await blobs.identity(),
      refusal:
        'the files that belong to this database are kept elsewhere: every core must reach the same folder `attachments` in its DATA_DIR, on a disk that they share. Had it been moved without its file `.store`, `npm run database -- --forget blob_store` accepts the one that is there.',
    },
  ]);
}
