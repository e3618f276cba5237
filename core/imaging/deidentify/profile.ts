import { readFileSync } from 'node:fs';

/*
 * The Basic Application Level Confidentiality Profile: DICOM PS3.15, Table E.1-1.
 */

/** What becomes of an attribute (PS3.15, E.3). */
export type Action =
  /** As it is. */
  | 'keep'
  /** The attribute is removed. */
  | 'remove'
  /** The value is removed. */
  | 'empty'
  /** The value is replaced by one that says nothing. */
  | 'dummy'
  /** The UID is replaced by another, always the same one for it. */
  | 'uid'
  /** The date is replaced by an earlier one. */
  | 'shift'
  /** Of the text, the words of radiology stay, and no others. */
  | 'clean';

interface Profile {
  readonly edition: string;
  readonly rows: number;
  /** Tags by the codes of the column Basic Prof. */
  readonly actions: Readonly<Record<string, readonly string[]>>;
  /** Tags that an option keeps, by the option. */
  readonly retained: Readonly<
    Record<'patientCharacteristics' | 'device' | 'institution' | 'descriptions', readonly string[]>
  >;
}

const { edition, rows, actions, retained } = JSON.parse(
  readFileSync(new URL('./profile.json', import.meta.url), 'utf8'),
) as Profile;

/** What is kept although the profile removes it: the options of PS3.15, E.3. */
export interface Retained {
  /** Whether UIDs stay as they are (E.3.9). */
  readonly uids: boolean;
  /** Whether dates stay (E.3.6): as they are, or all of a patient by as many days earlier. */
  readonly dates: 'remove' | 'shift' | 'retain';
  /** Whether age, sex, size, weight and the like stay (E.3.7). */
  readonly patientCharacteristics: boolean;
  /** Whether it stays which device made it (E.3.8). */
  readonly device: boolean;
  /** Whether it stays which institution it was made in (E.3.11). */
  readonly institution: boolean;
  /** Whether of descriptions the words of radiology stay (E.3.5). */
  readonly descriptions: boolean;
}

/**
 * Where the table leaves a choice to what the kind of object requires, that is taken which every kind allows: a value
 * that says nothing where one may be required, no value where none may be.
 */
const chosen: Readonly<Record<string, Action>> = {
  X: 'remove',
  Z: 'empty',
  D: 'dummy',
  U: 'uid',
  'X/Z': 'empty',
  'X/D': 'dummy',
  'Z/D': 'dummy',
  'X/Z/D': 'dummy',
  // A sequence of references: the UIDs in it are replaced, the rest of it stays.
  'X/Z/U*': 'keep',
};

const table: ReadonlyMap<string, Action> = new Map(
  Object.entries(actions).flatMap(([code, tags]) => {
    const action = chosen[code];
    if (action === undefined) throw new Error(`the profile has an action that is not known: ${code}`);
    return tags.map((tag) => [tag, action] as const);
  }),
);

if (table.size !== rows) throw new Error(`the profile has ${table.size} rows in place of ${rows}`);

/** Dates by which a patient is known, whatever else of time is kept: no option names them. */
const BIRTH = new Set(['00100030', '00100032']);
const CHARACTERISTICS = new Set(retained.patientCharacteristics);
const DEVICE = new Set(retained.device);
const INSTITUTION = new Set(retained.institution);
const DESCRIPTIONS = new Set(retained.descriptions);
/** UIDs that the option does not keep. */
const NEVER_KEPT_UIDS = new Set(['04000100']);
/** VRs of times and names: none that the table does not name is needed, and newer editions name more of them. */
const NEVER_NEEDED = new Set(['DA', 'DT', 'TM', 'PN']);
const TIMES = new Set(['DA', 'DT', 'TM']);
const TEXTS = new Set(['LO', 'LT', 'SH', 'ST', 'UC', 'UT']);
const TIMEZONE = '00080201';

/** What becomes of an attribute. @param tag as `x00100010`. */
export function actionOn(tag: string, vr: string, options: Retained): Action {
  const { uids, dates, patientCharacteristics } = options;
  const key = tag.slice(1).toUpperCase();
  const group = Number.parseInt(key.slice(0, 4), 16);
  // Private attributes; curves and overlays, which are drawings and notes; lengths of groups, which no longer hold.
  if (group % 2 === 1 || (group >= 0x5000 && group <= 0x501e) || (group >= 0x6000 && group <= 0x601e)) return 'remove';
  if (key.endsWith('0000')) return 'remove';
  if (patientCharacteristics && CHARACTERISTICS.has(key)) return 'keep';
  if (options.device && DEVICE.has(key)) return 'keep';
  if (options.institution && INSTITUTION.has(key)) return 'keep';
  if (options.descriptions && DESCRIPTIONS.has(key) && TEXTS.has(vr)) return 'clean';
  if (dates !== 'remove' && !BIRTH.has(key) && (TIMES.has(vr) || key === TIMEZONE)) {
    // A time of day, and its zone, say nothing without the day.
    return dates === 'shift' && vr !== 'TM' && key !== TIMEZONE ? 'shift' : 'keep';
  }
  if (uids && vr === 'UI' && !NEVER_KEPT_UIDS.has(key)) return 'keep';
  const action = table.get(key);
  if (action !== undefined) return action;
  if (NEVER_NEEDED.has(vr)) return 'remove';
  return vr === 'UI' ? 'uid' : 'keep';
}

/** How many attributes the table names, and of which edition of the standard it is. */
export const profile = { size: table.size, edition } as const;
