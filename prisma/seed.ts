import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashApiKey } from '@perennial/schemas/platform/credentials.ts';
import type { AccountId, PatientId } from '@perennial/schemas/platform/ids.ts';
import { createAccount, createKeys } from './accounts.ts';
import type { Database, DatabaseTransaction } from './client.ts';
import { demoData } from './demo/patients.ts';

/** What `$DATA_DIR/demo.json` holds. */
export interface Demo {
  /** Where the gateway listens. */
  gateway: string;
  accountId: AccountId;
  /** A key of the current format. */
  apiKey: string;
  /** A key of the format from before 2023-10-15. */
  legacyApiKey: string;
  /** A key of the current format with the scope `admin`. */
  adminKey: string;
  /** A patient of whom every field is set. */
  patientId: PatientId;
}

export interface SeedOptions {
  dataDir: string;
  gatewayUrl: string;
}

/** The same everywhere, so that every start finds the account it made before. */
export const DEMO_ACCOUNT_ID = 'acc_DemoPerennial0000001';

/** Any number will do, as long as nothing else locks by it. */
const SEED_LOCK = 20_231_015;

/**
 * Makes sure that the demo account, its patients and keys that open it exist, and that `demo.json` names them.
 * All of it is one transaction: killed anywhere, it has happened wholly or not at all, and a second call changes
 * nothing. Patients are made with the account only, so one that was deleted or erased does not come back. Lost keys
 * cannot be read again; new ones are made then.
 */
export async function seedDemo(db: Database, options: SeedOptions): Promise<Demo> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK}::bigint)`;
      const account = await tx.account.findUnique({ where: { id: DEMO_ACCOUNT_ID } });
      const patientId = demoPatientId();
      const found = account === null ? undefined : await readDemo(tx, options.dataDir);
      const keys = found ?? (account === null ? await createDemoAccount(tx) : await mintAgain(tx));
      const demo: Demo = {
        gateway: options.gatewayUrl,
        accountId: DEMO_ACCOUNT_ID,
        apiKey: keys.apiKey,
        legacyApiKey: keys.legacyApiKey,
        adminKey: keys.adminKey,
        patientId,
      };
      // Inside the transaction: should it not commit, the file names keys that do not exist, and the next start sees it.
      await writeDemo(options.dataDir, demo);
      return demo;
    },
    { maxWait: 30_000, timeout: 120_000 },
  );
}

/** Where the demo keys are kept. */
export function demoPath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

type Keys = Pick<Demo, 'apiKey' | 'legacyApiKey' | 'adminKey'>;

function demoPatientId(): PatientId {
  return demoData(DEMO_ACCOUNT_ID, 1).patients[0]?.id as PatientId;
}

async function createDemoAccount(tx: DatabaseTransaction): Promise<Keys> {
  const keys = await createAccount(tx, { id: DEMO_ACCOUNT_ID, name: 'Demo', mode: 'test', operator: true });
  const { patients, records } = demoData(DEMO_ACCOUNT_ID);
  await tx.patient.createMany({ data: patients });
  await tx.medicalRecord.createMany({ data: records });
  return keys;
}

function mintAgain(tx: DatabaseTransaction): Promise<Keys> {
  return createKeys(tx, DEMO_ACCOUNT_ID, 'test', { operator: true });
}

/** The keys in demo.json, when all of them are keys of the demo account. A revoked key stays what it is. */
async function readDemo(tx: DatabaseTransaction, dataDir: string): Promise<Keys | undefined> {
  const keys = parseKeys(await readFile(demoPath(dataDir), 'utf8').catch(() => ''));
  if (keys === undefined) return undefined;
  const hashes = [keys.apiKey, keys.legacyApiKey, keys.adminKey].map(hashApiKey);
  const known = await tx.apiKey.count({ where: { accountId: DEMO_ACCOUNT_ID, hash: { in: hashes } } });
  return known === hashes.length ? keys : undefined;
}

function parseKeys(text: string): Keys | undefined {
  try {
    const { apiKey, legacyApiKey, adminKey } = JSON.parse(text) as Partial<Record<keyof Keys, unknown>>;
    if (typeof apiKey !== 'string' || typeof legacyApiKey !== 'string' || typeof adminKey !== 'string')
      return undefined;
    return { apiKey, legacyApiKey, adminKey };
  } catch {
    return undefined;
  }
}

/** Whole or not at all, and never readable by others, not even for the moment between writing and renaming. */
async function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  const text = `${JSON.stringify(demo, null, 2)}\n`;
  // Left alone where nothing changed: writing it as another user would take it from its owner.
  if ((await readFile(demoPath(dataDir), 'utf8').catch(() => '')) === text) return chmod(demoPath(dataDir), 0o600);
  const draft = join(dataDir, `.demo-${randomBytes(6).toString('hex')}.json`);
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, demoPath(dataDir));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
