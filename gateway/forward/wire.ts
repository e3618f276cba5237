import type { Operation } from '@perennial/schemas/operation.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Request, Response } from 'express';
import type { Exchange } from '../exchange.ts';
import type { RawHeaders } from '../respond.ts';
import type { CoreHeaders } from './answer.ts';
import type { CoreAnswer } from './core-client.ts';
import type { Missing } from './whole-page.ts';

/**
 * How the service behind is spoken to: which headers go on and come back, where in an answer the data stands, what its
 * tags mean. Core has one way (`core-wire.ts`), a service that is not ours another (`../proxy/upstream-wire.ts`).
 */
export interface Wire {
  /** Headers of a request to it. @param without names that the exchange handles itself. */
  requestHeaders(request: Request, exchange: Exchange, without?: readonly string[]): Record<string, string>;
  /**
   * Refuses an answer that it cannot have meant for a client.
   * @param method it was asked with. @param wasConditional whether it was sent If-None-Match.
   * @throws {Fault} core_failed
   */
  check(operation: Operation, status: number, headers: CoreHeaders, method: string, wasConditional?: boolean): void;
  /** Whether an answer that could be a stream is one whole after all. */
  isWhole(operation: Operation, headers: CoreHeaders): boolean;
  /** What its answer carries on to the client. @param type of the body, where it is not its own any more. */
  answerHeaders(exchange: Exchange, headers: CoreHeaders, type?: string | string[]): RawHeaders;
  /** Its tag as the client's version names it: the same state, this version's representation. */
  tagAt(plan: Plan, tag: string | string[] | undefined): string | undefined;
  /** Whether If-None-Match names exactly this answer. */
  isUnchanged(request: Request, status: number, tag: string | undefined): boolean;
  /** Whether the client's If-Match, as `requestHeaders` has it, holds for the stored object's tag. */
  holds(ifMatch: string | undefined, tag: string | undefined): boolean;
  /** Headers for reading the stored object on the way to writing it. @param headers of the write. */
  priorHeaders(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** The stored object of a success, for an update. @throws {Fault} core_failed */
  prior(answer: CoreAnswer): { readonly value: JsonObject; readonly etag: string | undefined };
  /** Answers without a body. */
  sendEmpty(
    response: Response,
    exchange: Exchange,
    status: number,
    tag: string | undefined,
    headers: CoreHeaders,
  ): void;
  /** Answers with the whole of an answer, translated down. */
  send(
    request: Request,
    response: Response,
    plan: Plan,
    answer: CoreAnswer,
    contexts: Contexts | undefined,
  ): void | Promise<void>;
  /**
   * Answers with a page for a client that counts entries, where the service ends pages early. @param entries that the
   * page holds if the list has them. @param more asks for what a page lacks.
   */
  sendPage?(
    request: Request,
    response: Response,
    plan: Plan,
    first: CoreAnswer,
    contexts: Contexts | undefined,
    entries: number,
    more: (missing: Missing) => Promise<CoreAnswer>,
  ): Promise<void>;
}
