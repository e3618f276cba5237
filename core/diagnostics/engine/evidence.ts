import type { VitalSign } from '../../knowledge/types.ts';
import { isApplicable } from './applicable.ts';
import { languagesIn, type TextLanguage } from './language.ts';
import { counts, type Mention, type Reading } from './mention.ts';
import type { Model } from './model.ts';
import { readTexts } from './read.ts';
import { textsOf } from './sources.ts';
import type { AnalysisInput, RecognizedFinding } from './types.ts';
import { readings, vitalFindings } from './vitals.ts';

/** The first four weeks of life; the finding is inferred from the age, whatever the text says. */
const NEWBORN_YEARS = 28 / 365;
const NEWBORN = 'newborn_age';
/** Who is awake again cannot be woken no longer: the faint is over, and only what is now calls for an ambulance. */
const AWAKE_AGAIN = 'regained_consciousness';
const UNRESPONSIVE = 'unresponsive';

/** Everything known about the patient, in the form the ranking uses. */
export interface Evidence {
  /** Present findings, closed upwards. */
  present: Set<string>;
  /** Absent findings, closed downwards. */
  absent: Set<string>;
  recognized: RecognizedFinding[];
  reading: Reading;
  age: number | undefined;
  sex: 'female' | 'male' | undefined;
  measured: Partial<Record<VitalSign, number>>;
  /** The languages of the texts, where they can be told. */
  languages: TextLanguage[];
}

/** Reads the request's text and vital signs into findings. */
export function gatherEvidence(model: Model, input: AnalysisInput): Evidence {
  const { patientData } = input;
  const texts = textsOf(patientData);
  const reading = readTexts(texts, model.knowledge, model.lexicon);
  const languages = languagesIn(
    texts.map(({ text }) => text),
    model.knowledge,
  );
  const age = ageOf(patientData.age, reading.stated_age);
  const sex = knownSex(patientData.sex) ?? reading.stated_sex ?? undefined;
  const measured = { ...reading.readings, ...readings(patientData.vitalSigns) };
  const fromVitals = vitalFindings(model.knowledge.vitals, measured, age);

  const present = new Set<string>();
  const absent = new Set<string>();
  for (const [finding, holds] of fromVitals) (holds ? present : absent).add(finding);
  const stated = reading.mentions.filter(
    (mention) =>
      isEvidence(model, mention) &&
      !fromVitals.has(mention.finding) &&
      isApplicable(mention.finding, model.bearers, age, sex),
  );
  for (const mention of stated) if (mention.present) present.add(mention.finding);
  for (const { finding_id: finding } of patientData.known ?? []) if (!absent.has(finding)) present.add(finding);
  if (age !== undefined && age < NEWBORN_YEARS && model.findings.has(NEWBORN)) present.add(NEWBORN);
  if (present.has(AWAKE_AGAIN)) present.delete(UNRESPONSIVE);
  for (const finding of [...present]) for (const above of model.ancestors.get(finding) ?? []) present.add(above);
  for (const mention of stated) if (!mention.present && !present.has(mention.finding)) absent.add(mention.finding);
  for (const finding of [...absent]) {
    if (present.has(finding)) absent.delete(finding);
    else for (const below of model.descendants.get(finding) ?? []) if (!present.has(below)) absent.add(below);
  }
  const recognized = recognizedFindings(model, reading, fromVitals, present, absent);
  for (const { finding_id: id, text } of patientData.known ?? []) {
    if (!present.has(id) || recognized.some((one) => one.finding_id === id)) continue;
    const name = model.findings.get(id)?.name ?? id;
    recognized.push({ finding_id: id, name, present: true, text, source: 'history' });
  }
  return { present, absent, recognized, reading, age, sex, measured, languages };
}

/** A finding of the history stays one however long ago it was. */
function isEvidence(model: Model, mention: Mention): boolean {
  if (counts(mention)) return true;
  const { temporality, experiencer, finding } = mention;
  return temporality === 'past' && experiencer === 'patient' && model.findings.get(finding)?.category === 'history';
}

/** The age in years: that of the record, or the more exact one of the text where both agree in whole years. */
function ageOf(recorded: number | undefined, stated: number | null): number | undefined {
  if (recorded === undefined) return stated ?? undefined;
  return stated !== null && stated < 3 && Math.floor(stated) === recorded ? stated : recorded;
}

function knownSex(sex: string | undefined): 'female' | 'male' | undefined {
  return sex === 'female' || sex === 'male' ? sex : undefined;
}

function recognizedFindings(
  model: Model,
  reading: Reading,
  fromVitals: Map<string, boolean>,
  present: Set<string>,
  absent: Set<string>,
): RecognizedFinding[] {
  const list: RecognizedFinding[] = [];
  const seen = new Set<string>();
  const name = (id: string): string => model.findings.get(id)?.name ?? id;
  for (const [finding, holds] of fromVitals) {
    seen.add(finding);
    if (holds) list.push({ finding_id: finding, name: name(finding), present: true, text: null, source: 'vital_sign' });
  }
  const states = [...reading.mentions].sort((a, b) => a.text_index - b.text_index || a.start - b.start);
  for (const mention of states) {
    const agrees = mention.present ? present.has(mention.finding) : absent.has(mention.finding);
    if (seen.has(mention.finding) || !agrees || !isEvidence(model, mention)) continue;
    seen.add(mention.finding);
    list.push({
      finding_id: mention.finding,
      name: name(mention.finding),
      present: mention.present,
      text: mention.text,
      source: mention.section === 'complaint' ? 'symptom' : 'history',
    });
  }
  return list;
}
