import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * Units of measure by UCUM (ucum.org), through the library of the National Library of Medicine. A conversion between
 * mass and moles needs to know the substance, which its LOINC code says.
 */

/** How values of a code are compared. */
export interface Measure {
  /** UCUM unit that values are converted to. */
  readonly unit: string;
  /** In g/mol, where mass can be converted to moles. */
  readonly molarMass?: number;
  /**
   * Whether no other unit will do: HbA1c in % and in mmol/mol are different scales of one dimension, and a score is
   * none, so a conversion by dimension would be wrong.
   */
  readonly exact?: boolean;
}

const file = JSON.parse(readFileSync(join(import.meta.dirname, 'measures.json'), 'utf8')) as {
  readonly measures: readonly (Measure & { readonly codes: readonly string[] })[];
};

const measures = new Map(
  file.measures.flatMap(({ codes, ...measure }) => codes.map((code): [string, Measure] => [code, measure])),
);

const LOINC = 'http://loinc.org';

/** How values of the code are compared, where it is one of those that are. */
export function measureOf(system: string, code: string): Measure | undefined {
  return system === LOINC ? measures.get(code) : undefined;
}

/** The part of the library that is used: it has no types of its own. */
interface UcumLibrary {
  validateUnitString(unit: string): { readonly status: string; readonly ucumCode: string | null };
  convertUnitTo(
    from: string,
    value: number,
    to: string,
    options: { readonly molecularWeight?: number },
  ): { readonly status: string; readonly toVal: number | null };
}

const require = createRequire(import.meta.url);
let loaded: UcumLibrary | undefined;

function library(): UcumLibrary {
  if (!loaded) {
    const { UcumLhcUtils } = require('@lhncbc/ucum-lhc') as { UcumLhcUtils: { getInstance(): UcumLibrary } };
    loaded = UcumLhcUtils.getInstance();
  }
  return loaded;
}

const UNIT_CHARS_MAX = 64;

/** Whether the text is a unit of UCUM, written as UCUM writes it. */
export function isUnit(unit: string): boolean {
  // The library looks names up in a plain object, which has members that are no units.
  if (unit.length > UNIT_CHARS_MAX || !/^[!-~]+$/.test(unit) || unit in Object.prototype) return false;
  const { status, ucumCode } = library().validateUnitString(unit);
  return status === 'valid' && ucumCode === unit;
}

/**
 * The value in another unit, or undefined when there is no way from one to the other.
 * @param molarMass in g/mol.
 */
export function convert(value: number, from: string, to: string, molarMass?: number): number | undefined {
  if (!isUnit(from) || !isUnit(to)) return undefined;
  if (from === to) return value;
  const options = molarMass === undefined ? {} : { molecularWeight: molarMass };
  const { status, toVal } = library().convertUnitTo(from, value, to, options);
  return status === 'succeeded' && toVal !== null && Number.isFinite(toVal) ? toVal : undefined;
}

const DIGITS_MIN = 3;
const DIGITS_MAX = 12;

/** A converted value as text, with as many digits as were measured: more would claim what nobody has seen. */
export function writeLike(measured: string, value: number): string {
  const digits = measured
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '').length;
  return String(Number(value.toPrecision(Math.min(DIGITS_MAX, Math.max(DIGITS_MIN, digits)))));
}

const DECIMAL = /^[+-]?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,2})?$/;

/** Whether the text is a number as records have them. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** A measured value in the unit that values of its code are compared in; null where there is none. */
export function toCanonical(
  system: string,
  code: string,
  value: string | null,
  unit: string | null,
): { readonly value: string; readonly unit: string } | null {
  const measure = measureOf(system, code);
  if (!measure || value === null || unit === null || !isDecimal(value)) return null;
  if (unit === measure.unit) return { value, unit };
  if (measure.exact) return null;
  const converted = convert(Number(value), unit, measure.unit, measure.molarMass);
  return converted === undefined ? null : { value: writeLike(value, converted), unit: measure.unit };
}
