import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it reached a fake core. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the connection of this request closes before its answer has ended. */
  readonly aborted: Promise<void>;
}

/** A real HTTP server on 127.0.0.1 in core's place, which answers whatever a test wants it to. */
export interface FakeCore {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** What to do with the next requests; `undefined` answers the patient. */
  answer: Answer | undefined;
  stop(): Promise<void>;
}

/** Answers one request. The body has been read. */
export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** The patient that a fake core answers. */
export const fakePatient = {
  id: 'pat_8fJ2kQ0aZrT5mWxY7bLc',
  name: 'Zoë Ångström 李 😀',
  dob: '1984-03-07',
  sex: 'female',
  gender_identity: 'woman',
  contact_info: { email: 'zoe@example.org', phone: '+44 20 7946 0958', preferred_method: 'phone' },
  created_at: '2023-10-16T08:00:00.000Z',
  updated_at: '2023-10-16T08:00:00.000Z',
};

/** An envelope as core writes it. */
export function coreEnvelope(member: 'data' | 'error', value: unknown): string {
  return `{"requestId":"req_fake0000000000000001","timestamp":"2023-11-01T08:00:00.000Z","meta":{"processingTimeMs":3,"version":"2.5.0"},"${member}":${JSON.stringify(value)}}`;
}

/** Answers the patient, with core's headers. */
export function answerPatient(_request: SeenRequest, response: ServerResponse): void {
  const body = Buffer.from(coreEnvelope('data', fakePatient));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    etag: 'W/"3.headhash"',
  });
  response.end(body);
}

const fakeCores = new Set<string>();

/** Whether a fake core listens at the address. */
export function isFakeCore(url: string): boolean {
  return fakeCores.has(url);
}

/** Starts one on a free port. */
export async function startFakeCore(): Promise<FakeCore> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void serve(request, response));
  const fake = { url: '', seen: [] as SeenRequest[], answer: undefined as Answer | undefined };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    const aborted = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableEnded) resolve();
      });
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const whole = await new Promise<boolean>((resolve) => {
      request.once('end', () => resolve(true));
      request.once('close', () => resolve(request.complete));
    });
    if (!whole) return;
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8'), aborted };
    fake.seen.push(seen);
    await (fake.answer ?? answerPatient)(seen, response);
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fakeCores.add(fake.url);
  return Object.assign(fake, {
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
