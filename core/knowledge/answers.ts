import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { AnyContext, AnyOutcome, ContextOf, OutcomeOf } from '../platform/http/handler.ts';

type Sent = 'body' | 'caller' | 'operation' | 'params' | 'query' | 'search';

/** What any operation of the knowledge is asked with: everything but the exchange itself. */
export type AnyAsked = Pick<AnyContext, Sent>;

/** What one operation is asked with. */
export type AskedOf<Id extends OperationId> = Pick<ContextOf<Id>, Sent>;

/** Answers any operation. It waits for nothing: all it needs is in memory. */
export type AnyAnswer = (context: AnyAsked) => AnyOutcome;

/** An answer for each of the operations, by id. */
export type AnswersFor<Ids extends OperationId> = { readonly [Id in Ids]: (context: AskedOf<Id>) => OutcomeOf<Id> };

/** The operations of knowledge and its graph. */
export type KnowledgeId = Extract<OperationId, `knowledge${string}`>;

/** The one of them that asks the database first. */
export type PatientGraphId = 'knowledgeGraph.patient';
