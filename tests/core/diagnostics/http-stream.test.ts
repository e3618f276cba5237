import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyzeInStages, type Stage } from '@perennial/core/diagnostics/engine/stages.ts';
import { loadKnowledge } from '@perennial/core/knowledge/load.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { Analysis } from '@perennial/schemas/resources/analysis.ts';
import type { AnalysisRanking, AnalysisStarted, DiagnosticRecord } from '@perennial/schemas/resources/diagnostic.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { type DiagnosticsWorld, infarction, startDiagnosticsWorld } from './world.ts';

let world: DiagnosticsWorld;
beforeAll(async () => {
  world = await startDiagnosticsWorld();
});
afterAll(() => world.stop());

interface Event {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

function eventsIn(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
    });
}

async function stream(body: unknown, lastEventId?: string): Promise<Event[]> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const { status, text, headers: answered } = await world.post('/diagnostics/stream', body, { headers });
  if (status === 204) return [];
  expect([status, answered['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  return eventsIn(text);
}

const resultOf = (events: readonly Event[]): Analysis =>
  events.findLast(({ event }) => event === 'result')?.data as Analysis;
const names = (events: readonly Event[]): string[] => events.map(({ event }) => event);

describe('a streamed analysis', () => {
  test('tells findings, dangers and the ranking as they come, each in its shape, and ends with the result', async () => {
    const events = await stream({ patientData: infarction });
    const types = head.operations.find(({ id }) => id === 'diagnostics.stream')?.response.events ?? {};
    const validator = createValidator(head.resources);
    for (const { event, data } of events) expect(validator.body(types[event] as string, data)).toEqual([]);
    expect(names(events)[0]).toBe('started');
    expect(names(events).at(-1)).toBe('result');
    expect(names(events).indexOf('red_flag')).toBeLessThan(names(events).lastIndexOf('ranking'));
    expect(names(events).filter((name) => name === 'ranking')).toHaveLength(infarction.symptoms.length);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const started = events[0]?.data as AnalysisStarted;
    const { diagnostic_result: result } = resultOf(events);
    expect(started).toMatchObject({ id: result.id, texts: 4 });
    const last = events.findLast(({ event }) => event === 'ranking')?.data as AnalysisRanking;
    expect(last).toMatchObject({ settled: true, texts_read: 4, suggestions: result.suggestions });
  });

  test('ends with what the analysis at once gives', async () => {
    const events = await stream({ patientData: infarction });
    const { diagnostic_result: streamed } = resultOf(events);
    const { data } = await world.post<Analysis>('/diagnostics/analyze', { patientData: infarction });
    expect({ ...streamed, id: '' }).toEqual({ ...data.diagnostic_result, id: '' });
  });

  test('goes on behind the event that was had last, and begins anew for another analysis', async () => {
    const body = { patientData: infarction };
    const all = await stream(body);
    for (const at of [0, 3, all.length - 2, all.length - 1])
      expect(await stream(body, all[at]?.id)).toEqual(all.slice(at + 1));
    const other = { patientData: { ...infarction, age: 30 } };
    for (const [sent, last] of [
      [other, all[3]?.id],
      [body, all[3]?.id.replace(/\.\d+$/, '.x')],
      [body, `diag_AAAAAAAAAAAAAAAAAAAA.${all[3]?.id.split('.')[1]}.3`],
      [body, '4'],
    ] as const) {
      const anew = await stream(sent, last);
      expect(names(anew)[0]).toBe('started');
      expect(anew[0]?.id).not.toBe(all[0]?.id);
    }
  });

  test('is kept once when that is asked for, however often it is resumed', async () => {
    const patient_id = await world.makePatient();
    const body = { patient_id, patientData: infarction, options: { save: true } };
    const events = await stream(body);
    await stream(body, events[2]?.id);
    const { items } = (
      await world.core.call<{ items: DiagnosticRecord[] }>('GET', `/diagnostics?patient_id=${patient_id}`)
    ).data;
    expect(items.map(({ diagnostic_result: result }) => result)).toEqual([resultOf(events).diagnostic_result]);
  });

  test('is refused like any other request before it begins', async () => {
    const { status, error } = await world.post('/diagnostics/stream', { patientData: { age: 3 } });
    expect([status, error.details[0]?.code]).toEqual([422, 'missing_input']);
  });

  test('arrives piece by piece, and a client that leaves ends it', async () => {
    const symptoms = Array.from({ length: 200 }, (_, at) => `pain in the chest for ${at} days, and much else to say`);
    const { hostname, port } = new URL(world.core.url);
    const body = JSON.stringify({ patientData: { symptoms } });
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/diagnostics/stream',
      headers: {
        authorization: `Bearer ${world.core.token('POST', '/diagnostics/stream')}`,
        'content-type': 'application/json',
      },
    });
    request.on('error', () => undefined);
    request.end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    const begun = Promise.withResolvers<string>();
    let text = '';
    answer.on('data', (chunk: Buffer) => {
      text += String(chunk);
      if (text.includes('event: started')) begun.resolve(text);
    });
    expect(await begun.promise).not.toContain('event: result');
    request.destroy();
    // The core still answers: what was left behind does not keep it.
    expect((await world.post('/diagnostics/analyze', { patientData: infarction })).status).toBe(200);
  });
});

test('stages are made one at a time, when they are asked for', () => {
  const knowledge = loadKnowledge();
  const stages = analyzeInStages(knowledge, { patientData: { symptoms: Array<string>(200).fill('cough and fever') } });
  const seen: Stage['kind'][] = [];
  for (const { kind } of stages) {
    seen.push(kind);
    if (kind === 'ranking') break;
  }
  expect(seen).toContain('finding');
  expect(stages.next().done).toBe(true);
});

test('however many texts there are, the ranking is made a few times only', () => {
  const kinds = [...analyzeInStages(loadKnowledge(), { patientData: { symptoms: Array<string>(200).fill('cough') } })];
  expect(kinds.filter(({ kind }) => kind === 'ranking')).toHaveLength(8);
});
