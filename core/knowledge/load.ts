import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findDanglingReferences } from './references.ts';
import type { SignOff } from './review/signed.ts';
import * as schemas from './schema.ts';
import type {
  Condition,
  DangerWords,
  Finding,
  Guideline,
  Knowledge,
  Language,
  OtherLanguage,
  RedFlag,
  Source,
  Treatment,
  Vitals,
  Words,
} from './types.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Raised with every fault found, so that a clinician sees them all at once. */
export class KnowledgeError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`The knowledge base has ${faults.length} fault(s):\n${faults.join('\n')}`);
    this.name = 'KnowledgeError';
    this.faults = faults;
  }
}

/** One reader per load, gathering faults instead of stopping at the first. */
class Reader {
  readonly faults: string[] = [];
  private readonly ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The parsed file, or null where it is unreadable or does not fit its schema. */
  file<T>(name: string, schema: object): T | null {
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(join(this.folder, name), 'utf8'));
    } catch (error) {
      this.faults.push(`${name}: ${error instanceof Error ? error.message : 'unreadable'}`);
      return null;
    }
    const validate = this.ajv.compile<T>(schema);
    if (validate(value)) return value;
    for (const fault of validate.errors ?? []) {
      this.faults.push(`${name}${fault.instancePath}: ${fault.message ?? 'does not fit'}`);
    }
    return null;
  }

  /** Every JSON file of a folder in name order, so that the order of facts never depends on the disk. */
  files<T>(folder: string, schema: object): T[] {
    const names = readdirSync(join(this.folder, folder))
      .filter((name) => name.endsWith('.json'))
      .sort();
    return names.map((name) => this.file<T>(join(folder, name), schema)).filter((value) => value !== null);
  }
}

/**
 * Reads and checks the whole knowledge base.
 * @param folder the folder of the JSON files; the shipped one by default.
 * @throws KnowledgeError naming every file that does not fit its schema and every dangling reference.
 */
export function loadKnowledge(folder: string = HERE): Knowledge {
  const reader = new Reader(folder);
  const version = reader.file<{ version: string }>('version.json', schemas.versionSchema);
  const vitals = reader.file<Vitals>('vitals.json', schemas.vitalsSchema);
  const words = reader.file<Words>('words.json', schemas.wordsSchema);
  const sources = reader.file<Source[]>('sources.json', schemas.sourcesSchema);
  const conditions = reader.files<Condition>('conditions', schemas.conditionSchema);
  const findings = reader.files<Finding[]>('findings', schemas.findingsSchema).flat();
  const redFlags = reader.files<RedFlag[]>('red-flags', schemas.redFlagsSchema).flat();
  const treatments = reader.files<Treatment[]>('treatments', schemas.treatmentsSchema).flat();
  const guidelines = reader.files<Guideline[]>('guidelines', schemas.guidelinesSchema).flat();
  const languages = reader.files<Language>('languages', schemas.languageSchema);
  const others = reader.file<OtherLanguage[]>('other-languages.json', schemas.otherLanguagesSchema);
  const signOffs = reader.file<SignOff[]>('review/sign-offs.json', schemas.signOffsSchema);
  const danger = reader.files<DangerWords>('danger', schemas.dangerSchema);
  if (version === null || vitals === null || words === null || sources === null || reader.faults.length > 0) {
    throw new KnowledgeError(reader.faults);
  }
  const knowledge: Knowledge = {
    version: version.version,
    conditions,
    findings,
    red_flags: redFlags,
    treatments,
    guidelines,
    sources,
    vitals,
    words,
    languages,
    danger,
    other_languages: others ?? [],
    sign_offs: signOffs ?? [],
  };
  const dangling = findDanglingReferences(knowledge);
  if (dangling.length > 0) throw new KnowledgeError(dangling);
  return knowledge;
}
