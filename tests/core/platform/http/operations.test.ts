import { describe, expect, test } from '@jest/globals';
import type { Handlers } from '@perennial/core/platform/http/handler.ts';
import { HandlersIncomplete, serveOperations } from '@perennial/core/platform/http/operations.ts';
import { Idempotency } from '@perennial/core/platform/idempotency/service.ts';
import { createDatabase } from '@perennial/prisma/client.ts';
import { type Contract, head } from '@perennial/schemas/contract.ts';
import type { Method, Operation } from '@perennial/schemas/operation.ts';
import { RouteTable } from '@perennial/schemas/platform/http/route-table.ts';

// Asked for nothing before the first request; no database is reached.
const idempotency = new Idempotency(createDatabase('postgresql://127.0.0.1:1/none'), '2023-10-15');
const limits = { bodyBytesMax: 1_000, bodyDepthMax: 10 };
const handlers: Handlers = Object.fromEntries(head.operations.map(({ id }) => [id, async () => ({})]));

describe('the start is refused', () => {
  test('when an operation of the contract has no handler', () => {
    const { 'patients.get': _, ...rest } = handlers;
    expect(() => serveOperations(head, [rest], limits, idempotency)).toThrow(
      new HandlersIncomplete('patients.get has no handler'),
    );
  });

  test('when a handler has no operation, or two handlers claim one', () => {
    const extra = { 'patients.eat': async () => ({}), 'patients.get': async () => ({}) };
    expect(() => serveOperations(head, [handlers, extra], limits, idempotency)).toThrow(
      new HandlersIncomplete('patients.eat has a handler but is not in the contract\npatients.get has two handlers'),
    );
  });

  test('when a body refers to a resource that is not there', () => {
    const broken: Contract = { ...head, resources: new Map([...head.resources].filter(([id]) => id !== 'Patient')) };
    expect(() => serveOperations(broken, [handlers], limits, idempotency)).toThrow(/Patient/);
  });

  test('unless everything fits', () => {
    expect(() => serveOperations(head, [handlers], limits, idempotency)).not.toThrow();
  });
});

describe('routes', () => {
  const operation = (method: Method, path: string): Operation =>
    ({ id: `${method} ${path}`, method, path }) as unknown as Operation;
  const table = new RouteTable([
    operation('GET', '/patients/{patient_id}'),
    operation('GET', '/patients/{patient_id}/records/{record_id}'),
    operation('POST', '/patients/bulk'),
    operation('GET', '/patients/export'),
  ]);
  const found = (method: string, path: string): unknown => {
    const match = table.match(method, path);
    return match.kind === 'found' ? [match.operation.id, match.params] : match;
  };

  test('a literal segment wins over a parameter', () => {
    expect(found('GET', '/patients/export')).toEqual(['GET /patients/export', {}]);
    expect(found('GET', '/patients/exported')).toEqual(['GET /patients/{patient_id}', { patient_id: 'exported' }]);
  });

  test('a parameter is tried where a literal leads nowhere', () => {
    expect(found('GET', '/patients/bulk/records/r%2F1')).toEqual([
      'GET /patients/{patient_id}/records/{record_id}',
      { patient_id: 'bulk', record_id: 'r/1' },
    ]);
  });

  test('two operations of one method and path are refused', () => {
    const twice = [operation('GET', '/a/{x}'), operation('GET', '/a/{y}')];
    expect(() => new RouteTable(twice)).toThrow(/same method and path/);
  });
});
