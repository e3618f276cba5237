import type { Token } from './canon.ts';
import type { Lexicon } from './lexicon.ts';

/** What the sentence before spoke of. */
export interface Topic {
  sites: Set<string>;
  sensations: Set<string>;
}

const REFERS = new Set([
  'it',
  'this',
  'these',
  'they',
  'which',
  'symptoms',
  'symptom',
  'that',
  'attacks',
  'attack',
  'episodes',
  'episode',
  'condition',
  'pain',
  'complaint',
  'sensation',
  'character',
  'nature',
]);
const MODIFIES = new Set(['worse', 'relief', 'radiate', 'sharp', 'dull', 'crushing', 'tearing', 'throbbing', 'burn']);

/** The words of the last topic this sentence may use without repeating them. */
export function wordsLent(tokens: readonly Token[], topic: Topic, lexicon: Lexicon): Set<string> {
  const hasSite = tokens.some((token) => lexicon.sites.has(token.canon));
  const hasSensation = tokens.some((token) => lexicon.sensations.has(token.canon));
  const refers = tokens.some((token) => REFERS.has(token.text) || MODIFIES.has(token.canon));
  const lent = new Set<string>();
  if (!hasSite && (refers || hasSensation)) for (const site of topic.sites) lent.add(site);
  if (!hasSensation && refers) for (const sensation of topic.sensations) lent.add(sensation);
  return lent;
}

/** What this sentence speaks of, or still the topic before it. */
export function nextTopic(tokens: readonly Token[], denied: readonly boolean[], topic: Topic, lexicon: Lexicon): Topic {
  const stated = tokens.filter((_, at) => !denied[at]).map((token) => token.canon);
  const sensations = stated.filter((word) => lexicon.sensations.has(word));
  const sites = stated.filter((word) => lexicon.sites.has(word));
  if (sensations.length === 0) return topic;
  return { sites: sites.length > 0 ? new Set(sites.slice(0, 3)) : topic.sites, sensations: new Set(sensations) };
}
