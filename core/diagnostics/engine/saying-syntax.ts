/** A part of a saying. */
export type Step =
  | { kind: 'word'; stem: string }
  | { kind: 'gap'; wordsMax: number }
  | { kind: 'number'; min: number }
  | { kind: 'unless'; stems: ReadonlySet<string> }
  | { kind: 'choice'; alternatives: Step[][]; isOptional: boolean };

/** Raised where a saying cannot be read; the message names it. */
export class SayingInvalid extends Error {
  override readonly name = 'SayingInvalid';
}

const PART = /!\(|[()|?]|~\d*|#\d+|<[a-z]+>|[^\s()|?~<>]+/g;
const GAP_DEFAULT = 2;

/**
 * The parts of a saying (`DangerWords`).
 * @throws SayingInvalid
 */
export function parseSaying(
  written: string,
  classes: Readonly<Record<string, readonly string[]>>,
  stemOf: (word: string) => string,
): Step[] {
  const parts = written.match(PART) ?? [];
  let at = 0;

  const sequence = (): Step[] => {
    const steps: Step[] = [];
    while (at < parts.length) {
      const part = parts[at]!;
      if (part === ')' || part === '|') break;
      at += 1;
      if (part === '(') steps.push(choice());
      else if (part === '!(') steps.push({ kind: 'unless', stems: words(choice()) });
      else if (part.startsWith('~')) steps.push({ kind: 'gap', wordsMax: Number(part.slice(1) || GAP_DEFAULT) });
      else if (part.startsWith('#')) steps.push({ kind: 'number', min: Number(part.slice(1)) });
      else if (part.startsWith('<')) steps.push(classOf(part.slice(1, -1)));
      else steps.push({ kind: 'word', stem: stemOf(part) });
    }
    return steps;
  };

  const choice = (): Step => {
    const alternatives: Step[][] = [];
    for (;;) {
      alternatives.push(sequence());
      const part = parts[at];
      at += 1;
      if (part === ')') break;
      if (part !== '|') throw new SayingInvalid(`"${written}" lacks a closing bracket`);
    }
    const isOptional = parts[at] === '?';
    if (isOptional) at += 1;
    return { kind: 'choice', alternatives, isOptional };
  };

  const classOf = (name: string): Step => {
    const members = classes[name];
    if (members === undefined) throw new SayingInvalid(`"${written}" names the unknown class "${name}"`);
    return {
      kind: 'choice',
      alternatives: members.map((member) => parseSaying(member, classes, stemOf)),
      isOptional: false,
    };
  };

  const steps = sequence();
  if (at < parts.length) throw new SayingInvalid(`"${written}" has an unexpected "${parts[at]}"`);
  while (steps.at(-1)?.kind === 'gap') steps.pop();
  if (steps.length === 0) throw new SayingInvalid(`"${written}" says nothing`);
  return steps;
}

function words(step: Step): Set<string> {
  if (step.kind !== 'choice') return new Set();
  return new Set(step.alternatives.flat().flatMap((one) => (one.kind === 'word' ? [one.stem] : [])));
}
