/** What is known of a code system's codes: a pattern, and a check digit where there is one. */
interface CodeSystem {
  readonly pattern: RegExp;
  readonly hasCheckDigit?: (code: string) => boolean;
}

/** Addresses as HL7 gives them (terminology.hl7.org). Codes of systems that are not listed are taken as they are. */
const systems: Readonly<Record<string, CodeSystem>> = {
  'http://loinc.org': { pattern: /^\d{1,7}-\d$/, hasCheckDigit: isLoinc },
  'http://snomed.info/sct': { pattern: /^[1-9]\d{5,17}$/, hasCheckDigit: isSnomed },
  'http://hl7.org/fhir/sid/icd-10': { pattern: /^[A-Z]\d{2}(\.\d{1,2})?$/ },
  'http://hl7.org/fhir/sid/icd-10-cm': { pattern: /^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/ },
  'http://www.cms.gov/Medicare/Coding/ICD10': { pattern: /^[0-9A-HJ-NP-Z]{7}$/ },
  'http://www.whocc.no/atc': { pattern: /^[A-Z](\d{2}([A-Z]([A-Z](\d{2})?)?)?)?$/ },
  'http://www.nlm.nih.gov/research/umls/rxnorm': { pattern: /^[1-9]\d{0,7}$/ },
  'http://hl7.org/fhir/sid/cvx': { pattern: /^\d{1,3}$/ },
};

/** Whether the code is one that its system can have. Whether it has it, only the system's publisher knows. */
export function isPossibleCode(system: string, code: string): boolean {
  const known = Object.hasOwn(systems, system) ? systems[system] : undefined;
  if (!known) return true;
  return known.pattern.test(code) && (known.hasCheckDigit?.(code) ?? true);
}

/** LOINC's check digit, after the hyphen: modulus 10 (LOINC Users' Guide, appendix C). */
function isLoinc(code: string): boolean {
  const [digits = '', check] = code.split('-');
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10 === Number(check);
}

/** SNOMED CT's check digit, the last one: Verhoeff (SNOMED CT Release File Specification, section 6.4). */
function isSnomed(code: string): boolean {
  let check = 0;
  for (let index = 0; index < code.length; index += 1) {
    const digit = Number(code[code.length - 1 - index]);
    check = Number(dihedral[check]?.[Number(permutation[index % 8]?.[digit])]);
  }
  return check === 0;
}

const dihedral = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];

const permutation = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];
