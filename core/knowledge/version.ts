import { readFileSync } from 'node:fs';

let known: string | undefined;

/** The version of the knowledge base, without reading the rest of it. */
export function knowledgeVersion(): string {
  known ??= (JSON.parse(readFileSync(new URL('./version.json', import.meta.url), 'utf8')) as { version: string })
    .version;
  return known;
}
