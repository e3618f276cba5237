import type { DetailCode } from '@perennial/schemas/errors.ts';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { isPossibleCode } from './code-systems.ts';
import type { RecordWrite } from './record.ts';
import { convert, isDecimal, isUnit, measureOf } from './units.ts';

/*
 * What a schema cannot say of a record: codes and units that exist, units that fit what was measured, and times that
 * can be.
 */

/** Nobody alive has a history from before. */
const EARLIEST = '1850-01-01T00:00:00.000Z';
/** Allows for clock skew, and for time zones where it is already tomorrow. */
const AHEAD_MS = 14 * 3_600_000;
/** What is planned may lie in the future, but not beyond this. */
const PLANNED_AHEAD_MS = 10 * 366 * 86_400_000;
const plannable = new Set(['planned', 'draft', 'registered']);

/** Faults of a body that fits its schema. */
export function recordFaults(body: RecordWrite, now: Date): readonly ErrorDetail[] {
  return [
    ...timeFaults(body, now),
    ...codingFaults(body['code'], '/code'),
    ...codingFaults(body['indication'], '/indication'),
    ...codingFaults(body['body_site'], '/body_site'),
    ...doseFaults(body),
    ...(body.type === 'observation' ? observationFaults(body) : []),
  ];
}

function codingFaults(coding: unknown, pointer: string): readonly ErrorDetail[] {
  if (!isObject(coding)) return [];
  return isPossibleCode(text(coding['system']), text(coding['code']))
    ? []
    : [faultAt(`${pointer}/code`, 'code_malformed')];
}

function timeFaults(body: RecordWrite, now: Date): readonly ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const latest = new Date(now.getTime() + (plannable.has(body.status) ? PLANNED_AHEAD_MS : AHEAD_MS)).toISOString();
  const times: [string, string | undefined][] = ['effective_at', 'ended_at', 'onset', 'abatement'].map((name) => [
    name,
    instantOf(body[name]),
  ]);
  for (const [name, time] of times) {
    if (body[name] === undefined || body[name] === null) continue;
    // The format allows a leap second, but Date cannot represent it.
    if (time === undefined) faults.push(faultAt(`/${name}`, 'wrong_format'));
    else if (time < EARLIEST) faults.push(faultAt(`/${name}`, 'implausible'));
    else if (time > latest) faults.push(faultAt(`/${name}`, 'in_future'));
  }
  const at = new Map(times);
  if (isBefore(at.get('ended_at'), at.get('effective_at'))) faults.push(faultAt('/ended_at', 'implausible'));
  if (isBefore(at.get('abatement'), at.get('onset'))) faults.push(faultAt('/abatement', 'implausible'));
  return faults;
}

function isBefore(end: string | undefined, start: string | undefined): boolean {
  return end !== undefined && start !== undefined && end < start;
}

/** An instant or a day in UTC, in one form that compares as text. */
function instantOf(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function doseFaults(body: RecordWrite): readonly ErrorDetail[] {
  const [value, unit] = [body['dose_value'], body['dose_unit']];
  if (typeof unit === 'string' && !isUnit(unit)) return [faultAt('/dose_unit', 'unit_unknown')];
  if (typeof value === 'string' && typeof unit !== 'string') return [faultAt('/dose_unit', 'required')];
  if (typeof unit === 'string' && typeof value !== 'string') return [faultAt('/dose_value', 'required')];
  return [];
}

function observationFaults(body: JsonObject): readonly ErrorDetail[] {
  const code = isObject(body['code']) ? body['code'] : {};
  const system = text(code['system']);
  const faults = [...valueFaults(body, '', system, text(code['code']))];
  const components = Array.isArray(body['components']) ? body['components'].filter(isObject) : [];
  if (typeof body['value'] !== 'string') {
    for (const name of ['unit', 'comparator'])
      if (typeof body[name] === 'string') faults.push(faultAt('/value', 'required'));
    // An observation that was not made yet, or never will be, has nothing to say.
    const isMade = !['registered', 'cancelled', 'entered_in_error'].includes(text(body['status']));
    if (isMade && components.length === 0) faults.push(faultAt('/value', 'required'));
  }
  for (const [index, component] of components.entries()) {
    const own = text(component['system'] ?? system);
    const part = text(component['code']);
    if (!isPossibleCode(own, part)) faults.push(faultAt(`/components/${index}/code`, 'code_malformed'));
    faults.push(...valueFaults(component, `/components/${index}`, own, part));
  }
  return unique(faults);
}

function valueFaults(body: JsonObject, pointer: string, system: string, code: string): readonly ErrorDetail[] {
  const [value, unit] = [body['value'], body['unit']];
  if (typeof unit !== 'string') return [];
  if (!isUnit(unit)) return [faultAt(`${pointer}/unit`, 'unit_unknown')];
  if (typeof value === 'string' && !isDecimal(value)) return [faultAt(`${pointer}/value`, 'wrong_format')];
  const measure = measureOf(system, code);
  if (!measure || unit === measure.unit) return [];
  const fits = !measure.exact && convert(1, unit, measure.unit, measure.molarMass) !== undefined;
  return fits ? [] : [faultAt(`${pointer}/unit`, 'unit_unfit' satisfies DetailCode)];
}

function unique(faults: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return [...new Map(faults.map((fault) => [`${fault.code} ${fault.pointer}`, fault])).values()];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
