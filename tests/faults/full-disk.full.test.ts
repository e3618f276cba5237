import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

/*
 * Disks that are really full: small ones in memory (tmpfs), which only root on Linux can mount. For everybody else these
 * are skipped under a name that says so; what a full disk answers is tested in `core/platform/http/full-disk.test.ts` everywhere.
 */

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

function describeAsRoot(name: string, tests: () => void): void {
  if (canMount) describe(name, tests);
  else describe.skip(`${name} (only root on Linux can mount a small disk)`, tests);
}

/** A disk of so many MB. */
class SmallDisk {
  readonly dir = mkdtempSync(join(tmpdir(), 'perennial-test-disk-'));
  readonly #ballast = join(this.dir, 'ballast');

  constructor(megabytes: number) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', this.dir]);
  }

  /** Fills it up to so many bytes. */
  fill(left: number): void {
    const { bavail, bsize } = statfsSync(this.dir);
    writeFileSync(this.#ballast, Buffer.alloc(Math.max(0, bavail * bsize - left), 1));
  }

  makeRoom(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    execFileSync('umount', ['-l', this.dir]);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const person = (name: string): { readonly name: string; readonly dob: string } => ({ name, dob: '1980-02-29' });

describeAsRoot('a full disk under the files', () => {
  let disk: SmallDisk;
  let database: TestDatabase;
  let core: TestCore;
  let record: string;

  beforeAll(async () => {
    disk = new SmallDisk(16);
    database = await freshDatabase();
    core = await startCore(database.url, { attachmentsDir: join(disk.dir, 'attachments') });
    const patient = await core.call<{ id: string }>('POST', '/patients', { body: person('A') });
    const body = { type: 'note', status: 'final', text: 'with files' };
    const { data } = await core.call<{ id: string }>('POST', `/patients/${patient.data.id}/records`, { body });
    record = `/patients/${patient.data.id}/records/${data.id}`;
  });
  afterAll(async () => {
    await core?.stop();
    await database?.close();
    disk?.remove();
  });

  const upload = (content: Buffer): ReturnType<typeof core.call<Attachment>> => {
    const head =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n';
    return core.call<Attachment>('POST', `${record}/attachments`, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]),
    });
  };
  const pdf = (): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1_000_000)]);

  test('is 507, loses no file that was taken, is told by /ready, and heals by itself once there is room', async () => {
    const kept = new Map<string, string>();
    disk.fill(7_000_000);
    let last = await upload(pdf());
    for (; last.status === 201; last = await upload(pdf())) kept.set(last.data.id, last.data.sha256);
    expect([last.status, last.error.code]).toEqual([507, 'storage_full']);
    expect(kept.size).toBeGreaterThan(0);
    expect((await core.call('GET', '/ready')).status).toBe(503);
    // The database has room, and whoever sends no file is served.
    expect((await core.call('POST', '/patients', { body: person('B') })).status).toBe(201);

    const listed = await core.call<Page<Attachment>>('GET', `${record}/attachments?limit=100`);
    expect(listed.data.items.map(({ id }) => id).sort()).toEqual([...kept.keys()].sort());
    for (const [id, sha256] of kept) {
      const response = await fetch(`${core.url}${record}/attachments/${id}/content`, {
        headers: { authorization: `Bearer ${core.token('GET', `${record}/attachments/${id}/content`)}` },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([response.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, sha256]);
    }

    disk.makeRoom();
    expect((await upload(pdf())).status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await core.call('GET', '/ready')).status).toBe(200);
  });
});

describeAsRoot('a full disk under the tables', () => {
  let disk: SmallDisk;
  let database: TestDatabase;
  let core: TestCore;

  beforeAll(async () => {
    database = await freshDatabase();
    disk = new SmallDisk(200);
    const [{ pid }] = await database.db.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
    // As whom PostgreSQL runs.
    const { uid, gid } = statSync(`/proc/${pid}`);
    const place = join(disk.dir, 'tables');
    mkdirSync(place, { mode: 0o700 });
    chownSync(place, uid, gid);
    chmodSync(disk.dir, 0o755);
    await database.db.$executeRawUnsafe(`CREATE TABLESPACE small_disk LOCATION '${place}'`);
    const tables = await database.db.$queryRaw<{ name: string }[]>`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'core'`;
    for (const { name } of tables) await database.db.$executeRawUnsafe(`ALTER TABLE ${name} SET TABLESPACE small_disk`);
    core = await startCore(database.url);
  });
  afterAll(async () => {
    await core?.stop();
    const url = new URL(database.url);
    await database.close();
    url.pathname = '/postgres';
    const { Client } = (await import('pg')).default;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.query('CHECKPOINT');
    await client.query('DROP TABLESPACE IF EXISTS small_disk');
    await client.end();
    disk?.remove();
  });

  test('is 507, loses no acknowledged write and doubles none, reads go on, and it heals once there is room', async () => {
    disk.fill(120_000);
    const acknowledged: string[] = [];
    let refused:
      | { readonly name: string; readonly again: { readonly body: object; readonly headers: Record<string, string> } }
      | undefined;
    for (let number = 0; !refused; number += 1) {
      expect(number).toBeLessThan(5_000);
      const name = `P${number}`;
      const body = { ...person(name), contact_info: { email: `${'e'.repeat(150)}${number}@example.org` } };
      const sent = { body, headers: { 'idempotency-key': name } };
      const { status, error } = await core.call('POST', '/patients', sent);
      if (status === 201) acknowledged.push(name);
      else {
        expect([status, error.code]).toEqual([507, 'storage_full']);
        refused = { name, again: sent };
      }
    }
    const namesThere = async (): Promise<string[]> =>
      (await database.db.patient.findMany({ select: { name: true } })).map(({ name }) => name).sort();
    expect(await namesThere()).toEqual([...acknowledged].sort());
    expect((await core.call('GET', '/patients?limit=1')).status).toBe(200);

    disk.makeRoom();
    expect((await core.call('POST', '/patients', refused.again)).status).toBe(201);
    expect(await namesThere()).toEqual([...acknowledged, refused.name].sort());
  });
});
