/** Said with every answer that could be taken for advice. */
export const disclaimer: string =
  'General medical knowledge for decision support, not advice for a patient and no substitute for clinical judgement. Figures are estimates unless a source is given.';
