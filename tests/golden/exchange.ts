import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';

/** One request as it is written down, with the places that differ from run to run still named: `{patient}`. */
export interface GoldenRequest {
  /** What the exchange shows, unique in its operation. */
  readonly name: string;
  readonly method: string;
  /** Below the version segment, with query. A path that begins with `/v{current}` names the Current release of the day it was recorded for. */
  readonly path: string;
  /** Which demo key is sent; `none` sends none, `query` sends it as `?api_key=`. The key itself is never written down. */
  readonly key?: 'legacy' | 'none' | 'query';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text is sent as it is. Places are filled in its text too. */
  readonly body?: unknown;
  /** Sent in place of a body: bytes, in base64. */
  readonly bytes?: string;
  /** Places that the answer fills, each with the way to it in `data`: `{ job: 'job/id' }`. */
  readonly gives?: Readonly<Record<string, string>>;
  /** Sent again and again until `state` in `data` is this: what is done in the background is never seen half done. */
  readonly until?: string;
}

/** What came back: status, contract headers where they are not the file’s (null: it has none), body. */
export interface GoldenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  /** Absent where the answer had no body. */
  readonly body?: unknown;
}

/** One exchange. */
export interface GoldenExchange {
  readonly name: string;
  readonly request: Omit<GoldenRequest, 'name'>;
  readonly response: GoldenResponse;
}

/** The exchanges of one operation at one release. */
export interface GoldenFile {
  readonly operation: string;
  /** Contract headers as most answers of the operation have them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly exchanges: readonly GoldenExchange[];
}

/**
 * What is written to `<release>/<operation>.json`: what differs from the release before. An exchange of which only the
 * name is written is as it was there, and an operation without a file is wholly as it was.
 */
export interface WrittenFile {
  readonly operation: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly exchanges: readonly (GoldenExchange | { readonly name: string })[];
}

/** What is written to `<release>/release.json`: what depends on the calendar, so that later releases change nothing. */
export interface WrittenRelease {
  /** The day it was recorded for: the last on which the release can be called, or the history's own. */
  readonly serviceDate: string;
  /** The release that was Current on that day when it was recorded. */
  readonly current: string;
  /** Headers that say which version answered and how long it will. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What core said to a request of an operation whose answers follow from the knowledge base. It is recorded once and
 * given again in replays, because knowledge grows and translations of its answers must not change with it.
 */
export interface CoreRecording {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly answer: {
    readonly status: number;
    /** Those that the gateway makes something of. */
    readonly headers?: Readonly<Record<string, string>>;
    /** An envelope, or the text of a stream of events. */
    readonly body: JsonObject | string;
  };
}
