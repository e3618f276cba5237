import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { SeededDatabase } from './database.ts';
import type { Answer, TestGateway } from './gateway.ts';

const patient = { name: 'Ada', dob: '1990-01-01' };

/** One exchange of each kind: whole at head, translated, a write, a stream at head and translated. */
export async function exchangeAll(gateway: TestGateway, { demo }: SeededDatabase): Promise<readonly number[]> {
  const { apiKey: key, patientId } = demo;
  const ask = (method: string, path: string, body?: JsonObject): Promise<Answer> =>
    gateway.send(method, path, { key, ...(body && { body }) });
  const answers = [
    await ask('GET', `/v2023-10-15/patients/${patientId}`),
    await ask('GET', `/v2022-11-15/patients/${patientId}`),
    await ask('POST', '/v2022-11-15/patients', patient),
    await ask('GET', '/v2023-10-15/patients/export?name=zzz'),
    await ask('GET', '/v2022-11-15/patients/export?name=zzz'),
  ];
  return answers.map(({ status }) => status);
}

/** Their statuses when nothing is wrong. */
export const ALL_WELL = [200, 200, 201, 200, 200];
