/**
 * Whose data an exchange was about. Core tells the gateway in a header of its answer, which goes no further than the
 * gateway's audit trail: who is named in a body or a list cannot be seen from the path.
 */

/** The header: ids of patients, separated by commas. */
export const SUBJECTS_HEADER = 'x-perennial-subjects';
/** As many as a page of a list has. */
const SUBJECTS_MAX = 100;

const PATIENT_IDS = /"(pat_[0-9A-Za-z]{8,64})"/g;
const SUBJECTS = /^pat_[0-9A-Za-z]{8,64}(?:,pat_[0-9A-Za-z]{8,64}){0,99}$/;

/** Adds the patients named in JSON text, up to as many as are told. */
export function addSubjects(subjects: Set<string>, json: string): void {
  for (const match of json.matchAll(PATIENT_IDS)) {
    if (subjects.size >= SUBJECTS_MAX) return;
    subjects.add(match[1] as string);
  }
}

/** The header's value, or undefined when there is nobody to name. */
export function formatSubjects(subjects: ReadonlySet<string> | undefined): string | undefined {
  return subjects === undefined || subjects.size === 0 ? undefined : [...subjects].join(',');
}

/** The patients that a header names; none when it is not of the form above. */
export function parseSubjects(header: unknown): readonly string[] {
  return typeof header === 'string' && SUBJECTS.test(header) ? header.split(',') : [];
}
