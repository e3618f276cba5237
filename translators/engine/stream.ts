import { Transform, type TransformCallback } from 'node:stream';
import { TranslationFailed } from './failures.ts';

/**
 * Streams are translated element by element: memory is bounded by one element, and back-pressure goes through from a
 * slow reader to core. A stream that fails has begun already, so it cannot become another status: it ends with an
 * `error` element instead, and never with half an element.
 */

/** What a stream translator is given. */
export interface StreamOptions {
  /** Translates one element. `event` is the event's name in server-sent events, and undefined otherwise. */
  readonly translate: (element: unknown, event: string | undefined) => unknown;
  /** What the client's version calls an event; the same unless told. */
  readonly nameOf?: (event: string) => string;
  /** The `error` element of a failure, in the client's version; the failure itself is reported by the caller. */
  readonly errorElement: (failure: StreamFailure) => unknown;
  /** Largest element, in bytes. */
  readonly elementBytesMax: number;
}

/** Why a stream ended early. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure';
  readonly reason: 'translation' | 'not-json' | 'too-large' | 'upstream';
  /** `release/change` of the converter that failed, where one did. */
  readonly change: string | undefined;

  constructor(reason: StreamFailure['reason'], cause?: unknown) {
    super(`the stream failed: ${reason}`, { cause });
    this.reason = reason;
    this.change = cause instanceof TranslationFailed ? cause.change : undefined;
  }
}

/** Gives this from `translate` for an element that the client's version does not have: it is left out. */
export const leftOut: unique symbol = Symbol('left out');

const LINE_FEED = 0x0a;

/** The two formats differ in what an element is in bytes; the handling of chunks and failures is the same. */
abstract class ElementTransform extends Transform {
  protected readonly options: StreamOptions;
  /** Bytes of an element whose end has not arrived. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #ended = false;

  constructor(options: StreamOptions) {
    super();
    this.options = options;
  }

  /** Ends the stream with an `error` element. Nothing that arrives later is passed on. */
  fail(failure: StreamFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#rest = [];
    this.emit('failure', failure);
    this.push(this.writeError(this.options.errorElement(failure)));
    this.push(null);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#ended) {
      done();
      return;
    }
    const output: string[] = [];
    try {
      this.#take(chunk, output);
    } catch (error) {
      this.#pushAll(output);
      this.fail(asFailure(error));
      done();
      return;
    }
    this.#pushAll(output);
    done();
  }

  override _flush(done: TransformCallback): void {
    if (!this.#ended) {
      const output: string[] = [];
      try {
        const rest = this.#joinRest();
        if (rest.length > 0) this.line(rest.toString('utf8'), output);
        this.finish(output);
        this.#pushAll(output);
      } catch (error) {
        this.#pushAll(output);
        this.fail(asFailure(error));
      }
    }
    done();
  }

  #take(chunk: Buffer, output: string[]): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      const line = this.#restBytes === 0 ? part : Buffer.concat([...this.#rest, part]);
      this.#rest = [];
      this.#restBytes = 0;
      start = end + 1;
      if (line.length > this.options.elementBytesMax) throw new StreamFailure('too-large');
      this.line(line.toString('utf8'), output);
    }
    if (start < chunk.length) {
      this.#rest.push(chunk.subarray(start));
      this.#restBytes += chunk.length - start;
      if (this.#restBytes > this.options.elementBytesMax) throw new StreamFailure('too-large');
    }
  }

  #joinRest(): Buffer {
    const rest = Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restBytes = 0;
    return rest;
  }

  #pushAll(output: readonly string[]): void {
    if (output.length > 0) this.push(output.join(''));
  }

  protected parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      // The parser's message quotes the text: it is not kept.
      throw new StreamFailure('not-json');
    }
  }

  protected abstract line(line: string, output: string[]): void;
  protected abstract finish(output: string[]): void;
  protected abstract writeError(element: unknown): string;
}

function asFailure(error: unknown): StreamFailure {
  return error instanceof StreamFailure ? error : new StreamFailure('translation', error);
}

/** Newline-delimited JSON: one element per line. Empty lines keep their place. */
export class NdjsonTransform extends ElementTransform {
  protected override line(line: string, output: string[]): void {
    if (line.trim() === '') {
      output.push('\n');
      return;
    }
    const element = this.options.translate(this.parse(line), undefined);
    if (element !== leftOut) output.push(JSON.stringify(element), '\n');
  }

  protected override finish(): void {
    // A last line without its line feed has been taken as a line.
  }

  protected override writeError(element: unknown): string {
    return `${JSON.stringify({ error: element })}\n`;
  }
}

/**
 * Server-sent events (HTML Living Standard, section 9.2). Ids, retry times and comments, which are the heartbeats,
 * go through at once and unchanged; data is translated when its event is complete.
 */
export class EventStreamTransform extends ElementTransform {
  #event: string | undefined;
  #data: string[] = [];
  #fields: string[] = [];
  #bytes = 0;

  protected override line(given: string, output: string[]): void {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    if (line === '') {
      this.#dispatch(output);
      return;
    }
    if (line.startsWith(':')) {
      output.push(line, '\n');
      return;
    }
    this.#bytes += line.length;
    if (this.#bytes > this.options.elementBytesMax) throw new StreamFailure('too-large');
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') this.#data.push(value);
    else {
      if (name === 'event') this.#event = value;
      this.#fields.push(name === 'event' && this.options.nameOf ? `event: ${this.options.nameOf(value)}` : line);
    }
  }

  /** What has no blank line behind it is not an event yet (section 9.2.6): it is dropped, as a client would. */
  protected override finish(): void {
    this.#reset();
  }

  protected override writeError(element: unknown): string {
    return `event: error\ndata: ${JSON.stringify(element)}\n\n`;
  }

  #dispatch(output: string[]): void {
    const [event, fields, data] = [this.#event, this.#fields, this.#data];
    this.#reset();
    if (data.length === 0) {
      if (fields.length > 0) output.push(fields.join('\n'), '\n\n');
      return;
    }
    const element = this.options.translate(this.parse(data.join('\n')), event);
    // The id of an event that is left out still moves Last-Event-ID on.
    const kept = element === leftOut ? fields.filter((field) => field.startsWith('id')) : fields;
    if (element === leftOut && kept.length === 0) return;
    for (const field of kept) output.push(field, '\n');
    if (element !== leftOut) output.push('data: ', JSON.stringify(element), '\n');
    output.push('\n');
  }

  #reset(): void {
    this.#event = undefined;
    this.#data = [];
    this.#fields = [];
    this.#bytes = 0;
  }
}
