import type { Contract } from '@perennial/schemas/contract.ts';
import { isObject, type JsonSchema, membersOf } from '@perennial/schemas/platform/json-schema.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { RequestHandler, Response } from 'express';
import { Pool } from 'undici';
import { type Exchange, exchangeOf } from '../exchange.ts';
import { isWhole } from '../forward/direct.ts';
import type { Metrics } from '../metrics.ts';
import { differingMembers } from './compare.ts';

/** What the mirror is told. */
export interface MirrorOptions {
  /** Address of a gateway that runs the draft. */
  readonly url: string;
  /** Share of reads that are sent there as well, 0 to 1. */
  readonly share: number;
  readonly translator: Translator;
  readonly metrics: Pick<Metrics, 'mirrored' | 'mirrorDifference'>;
  readonly logger: Logger;
}

/** Sends a share of live reads to a draft as well. */
export interface Mirror {
  /** Stands behind the handler that takes the credential. */
  readonly observe: RequestHandler;
  close(): Promise<void>;
}

/** At a time; a read that comes while all are busy is not mirrored. */
const UNDER_WAY_MAX = 4;
const ANSWER_BYTES_MAX = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const OPEN_OBJECT = 0x7b;
/** Who calls, for the draft's own counts. */
const CLIENT = 'perennial-mirror';

/**
 * Compares what the draft answers to the same GET in the same version, member by member, after the client has its own
 * answer: nobody waits for it, and nothing of it reaches the client. What is counted are names of members, never values.
 */
export function createMirror({ url, share, translator, metrics, logger }: MirrorOptions): Mirror {
  const pool = new Pool(new URL(url).origin, {
    connections: UNDER_WAY_MAX,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  let underWay = 0;
  let due = 0;
  const repeat = async (exchange: Exchange, key: string, live: string): Promise<void> => {
    const release = exchange.standing?.release.id as string;
    const operation = exchange.operation?.id as string;
    const answer = await pool.request({
      method: 'GET',
      path: `/v${release}${exchange.path}${exchange.search === '' ? '' : `?${exchange.search}`}`,
      headers: { authorization: `Bearer ${key}`, 'x-service-client': CLIENT, accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await bounded(answer.body);
    if (answer.statusCode !== 200 || text === undefined) {
      metrics.mirrored(operation, release, answer.statusCode === 200 ? 'too_large' : 'refused');
      return;
    }
    const found = differingMembers(dataOf(live), dataOf(text), namesAt(translator, release));
    for (const [member, difference] of found) metrics.mirrorDifference(operation, release, member, difference);
    metrics.mirrored(operation, release, found.size === 0 ? 'same' : 'different');
  };
  const begin = (response: Response, key: string, live: string): void => {
    const exchange = exchangeOf(response);
    underWay += 1;
    void repeat(exchange, key, live)
      .catch((error: unknown) => {
        metrics.mirrored(exchange.operation?.id ?? '', exchange.standing?.release.id ?? '', 'failed');
        logger.debug('a read could not be mirrored', { error: (error as Error).name });
      })
      .finally(() => {
        underWay -= 1;
      });
  };
  return {
    observe(request, response, next) {
      const key = exchangeOf(response).credential?.key;
      if (request.method === 'GET' && key !== undefined && underWay < UNDER_WAY_MAX) {
        due += share;
        if (due >= 1) {
          due -= 1;
          whenAnswered(response, (live) => begin(response, key, live));
        }
      }
      next();
    },
    close: () => pool.destroy(),
  };
}

/** Tells what a whole answer was, once the client has it. The text is the one that was sent: nothing is copied for it. */
function whenAnswered(response: Response, tell: (live: string) => void): void {
  const end = response.end;
  response.end = function (this: Response, ...args: unknown[]) {
    const [body, encoding] = args;
    const { operation } = exchangeOf(response);
    const isMirrored =
      response.statusCode === 200 &&
      operation !== undefined &&
      isWhole(operation) &&
      exchangeOf(response).standing?.state !== 'preview' &&
      (typeof body === 'string' || Buffer.isBuffer(body)) &&
      body.length <= ANSWER_BYTES_MAX;
    if (isMirrored)
      response.once('finish', () => {
        const bytes = typeof body === 'string' ? Buffer.from(body, encoding as BufferEncoding) : (body as Buffer);
        // What core has compressed is not looked at.
        if (bytes[0] === OPEN_OBJECT) tell(bytes.toString('utf8'));
      });
    return Reflect.apply(end, this, args) as Response;
  } as typeof response.end;
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of body) {
    total += chunk.length;
    if (total > ANSWER_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The data of an envelope; the rest of it, such as times, is another one each time. */
function dataOf(text: string): unknown {
  const body: unknown = JSON.parse(text);
  return isObject(body) ? body['data'] : undefined;
}

/** Every name of a member that a version's contract has. */
function namesAt(translator: Translator, release: string): ReadonlySet<string> {
  const contract = translator.contract(release);
  let names = namesOf.get(contract);
  if (!names) {
    const found = new Set<string>();
    const visit = (schema: JsonSchema): void => {
      for (const name of Object.keys(schema.properties ?? {})) found.add(name);
      for (const member of membersOf(schema)) visit(member);
    };
    for (const schema of contract.resources.values()) visit(schema);
    names = found;
    namesOf.set(contract, names);
  }
  return names;
}

const namesOf = new WeakMap<Contract, ReadonlySet<string>>();
