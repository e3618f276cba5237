import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Demo } from '@perennial/prisma/seed.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts';

/** An exchange between gateway and core, as it passed. */
export interface Passed {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly answer: Buffer;
}

/** Everything on real parts: gateway, core, database, and somebody who counts between the first two. */
export interface World {
  readonly demo: Demo;
  readonly database: SeededDatabase;
  readonly core: TestCore;
  readonly gateway: TestGateway;
  /** What gateway and core said to each other; emptied by whoever counts. */
  readonly passed: Passed[];
  stop(): Promise<void>;
}

/** Starts all of it, on a database of its own with the demo account. */
export async function startWorld(options: TestGatewayOptions = {}): Promise<World> {
  const database = await seededDatabase();
  const core = await startCore(database.url);
  const passed: Passed[] = [];
  const counter = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const onward = httpRequest(`${core.url}${url}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        passed.push({ method, url, status: answer.statusCode ?? 0, answer: Buffer.concat(chunks) });
      });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => {
      if (!response.writableEnded) onward.destroy();
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
  const gateway = await startTestGateway(url, database.url, options);
  return {
    demo: database.demo,
    database,
    core,
    gateway,
    passed,
    async stop() {
      await gateway.stop();
      counter.closeAllConnections();
      await new Promise((resolve) => counter.close(resolve));
      await core.stop();
      await database.close();
    },
  };
}

/** A patient at head, as tests read it. */
export interface HeadPatient {
  readonly id: string;
  readonly name: string;
  readonly sex: string | null;
  readonly gender_identity: string | null;
  readonly contact_info: { email: string | null; phone: string | null; preferred_method: string | null };
}

/** A patient before 2023-04-30. */
export interface OldPatient {
  readonly id: string;
  readonly name: string;
  readonly dob: string;
  readonly gender: string | null;
  readonly contact: { email: string | null; phone: string | null };
}

/** A page by offset. */
export interface OffsetPage<T> {
  readonly items: T[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** A page by cursor. */
export interface CursorPage<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** A heart attack with shock, as every version sends it. */
export const heartAttack = {
  patientData: {
    age: 68,
    sex: 'male',
    symptoms: ['crushing chest pain', 'sweating'],
    vitalSigns: { bloodPressure: { systolic: 88, diastolic: 55 }, heartRate: 118, temperature: 36.6 },
  },
};

/** A cold. */
export const cold = { patientData: { age: 24, sex: 'female', symptoms: ['sneezing', 'runny nose'] } };
