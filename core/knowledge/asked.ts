import { head } from '@perennial/schemas/contract.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Compute } from '../compute/compute.ts';
import type { AnyContext, AnyOutcome, HandlersFor } from '../platform/http/handler.ts';
import type { KnowledgeId, PatientGraphId } from './answers.ts';
import { typesOf } from './graph/parameters.ts';
import type { GraphRecordsStore } from './graph/records-store.ts';

type AskedId = Exclude<KnowledgeId, PatientGraphId>;

type AnyHandler = (context: AnyContext) => Promise<AnyOutcome>;

const PATIENT: PatientGraphId = 'knowledgeGraph.patient';
const DEPTH_DEFAULT = 1;
const ENTITIES_DEFAULT = 100;

/** The operations of knowledge and its graph, as core serves them: the thread that holds the knowledge answers. */
export function askedKnowledgeHandlers(compute: Compute, records: GraphRecordsStore): HandlersFor<KnowledgeId> {
  return { ...askedHandlers(compute), [PATIENT]: patientHandler(compute, records) };
}

function askedHandlers(compute: Compute): HandlersFor<AskedId> {
  const ask =
    (operationId: string) =>
    ({ body, caller, params, query, search }: AnyContext): Promise<AnyOutcome> =>
      compute.run('knowledge.answer', { operationId, body, caller, params, query, search: String(search) });
  const ids = head.operations.map(({ id }) => id).filter((id) => id.startsWith('knowledge') && id !== PATIENT);
  // The thread answers each with what its handler there is typed to answer.
  return Object.fromEntries(ids.map((id) => [id, ask(id)])) as Record<AskedId, AnyHandler> as HandlersFor<AskedId>;
}

function patientHandler(compute: Compute, records: GraphRecordsStore): HandlersFor<PatientGraphId>[PatientGraphId] {
  return async (context) => {
    const { caller, params, query } = context;
    const { accountId, scopes } = caller;
    if (!scopes.includes('knowledge:read') && !scopes.includes('admin')) throw new Fault('scope_missing');
    const { patient_id: patientId } = params;
    const found = await records.current(accountId, patientId, new Date());
    if (!found) throw new Fault('not_found');
    const { depth = DEPTH_DEFAULT, limit = ENTITIES_DEFAULT } = query;
    const request = { types: typesOf(context), depth, limit };
    return { data: await compute.run('knowledge.patientGraph', { patientId, records: found, request }) };
  };
}
