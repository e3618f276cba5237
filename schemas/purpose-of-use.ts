/** The header in which a client says what it accesses patient data for. */
export const PURPOSE_HEADER = 'X-Purpose-Of-Use';

/**
 * What it may say: the codes of HL7’s value set PurposeOfUse (http://terminology.hl7.org/ValueSet/v3-PurposeOfUse). A
 * closed list, so that the header cannot carry anything else into the audit trail.
 */
export const purposesOfUse: readonly string[] = [
  ...[
    'HMARKT',
    'HOPERAT',
    'CAREMGT',
    'DONAT',
    'FRAUD',
    'GOV',
    'HACCRED',
    'HCOMPL',
    'HDECD',
    'HDIRECT',
    'HDM',
    'HLEGAL',
  ],
  ...[
    'HOUTCOMS',
    'HPRGRP',
    'HQUALIMP',
    'HSYSADMIN',
    'LABELING',
    'METAMGT',
    'MEMADMIN',
    'MILCDM',
    'PATADMIN',
    'PATSFTY',
  ],
  ...['PERFMSR', 'RECORDMGT', 'SYSDEV', 'HTEST', 'TRAIN', 'HPAYMT', 'CLMATTCH', 'COVAUTH', 'COVERAGE', 'ELIGDTRM'],
  ...['ELIGVER', 'ENROLLM', 'MILDCRG', 'REMITADV', 'HRESCH', 'BIORCH', 'CLINTRCH', 'CLINTRCHNPC', 'CLINTRCHPC'],
  ...['PRECLINTRCH', 'DSRCH', 'POARCH', 'TRANSRCH', 'PATRQT', 'FAMRQT', 'PWATRNY', 'SUPNWK', 'PUBHLTH', 'DISASTER'],
  ...['THREAT', 'TREAT', 'CLINTRL', 'COC', 'ETREAT', 'BTG', 'ERTREAT', 'POPHLTH'],
];
