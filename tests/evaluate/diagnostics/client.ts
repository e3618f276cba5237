import type { Analysis, AnalysisInput } from '@perennial/core/diagnostics/engine/types.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Analyze } from './evaluate.ts';

const TRIES_MAX = 5;

/** Raised where the service refused a case or could not be reached. */
export class AnalysisRefused extends Error {
  override readonly name = 'AnalysisRefused';
}

/**
 * The analyze operation of a service. Understands the answers of every version.
 * @param baseUrl address with the version segment, such as `http://127.0.0.1:8080/v2`.
 * @param credential gives the bearer token of the next request.
 */
export function analyzeOver(baseUrl: string, credential: () => Promise<string>): Analyze {
  const url = `${baseUrl.replace(/\/+$/, '')}/diagnostics/analyze`;
  return async (input) => {
    for (let tries = 1; ; tries += 1) {
      const response = await send(url, await credential(), input);
      if (response.status === 429 && tries < TRIES_MAX) {
        const waitS = Number(response.headers.get('retry-after') ?? '1');
        await response.body?.cancel();
        await new Promise((resolve) => setTimeout(resolve, Math.min(60, Math.max(1, waitS)) * 1000));
        continue;
      }
      const body: unknown = await response.json().catch(() => null);
      if (response.status !== 200 || !isObject(body)) {
        const fault = isObject(body) ? JSON.stringify(body['error']) : 'no JSON';
        throw new AnalysisRefused(`${url} answered ${response.status}: ${fault}`);
      }
      return readAnalysis(body['data']);
    }
  };
}

async function send(url: string, token: string, input: AnalysisInput): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
  } catch {
    throw new AnalysisRefused(`${url} cannot be reached`);
  }
}

/** An answer of any version in head's shape, as far as the evaluation looks at it. */
function readAnalysis(data: unknown): Analysis {
  const answer = isObject(data) ? (data['diagnostic_result'] ?? data['analysis_result']) : undefined;
  if (Array.isArray(answer)) {
    // 2022-05-01: names in order and nothing else.
    const suggestions = answer.map((one: { condition: string }) => ({
      condition: { id: one.condition, name: one.condition, icd10: [] },
      confidence: null,
    }));
    return withSuggestions({ triage: { level: 'routine', reasons: [] }, unrecognized: [] }, suggestions);
  }
  if (!isObject(answer) || !Array.isArray(answer['suggestions'])) {
    throw new AnalysisRefused('the answer holds no suggestions');
  }
  const suggestions = (answer['suggestions'] as { confidence: unknown }[]).map((one) => ({
    ...one,
    confidence: typeof one.confidence === 'number' ? { estimate: one.confidence } : one.confidence,
  }));
  return withSuggestions(answer, suggestions);
}

function withSuggestions(result: object, suggestions: readonly object[]): Analysis {
  return { diagnostic_result: { ...result, suggestions } } as unknown as Analysis;
}
