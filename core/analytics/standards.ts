import type { AnalyticsSource } from '@perennial/schemas/resources/analytics.ts';

/** A standard population in the ten bands of age of every answer, youngest first. */
interface Standard {
  readonly source: AnalyticsSource;
  /** In any unit. */
  readonly weights: readonly number[];
}

/** Weights of five-year groups from 0 on, those from 90 on being one band, as the bands hold them. */
function inBands(groups: readonly number[]): readonly number[] {
  return Array.from({ length: 10 }, (_, band) =>
    (band === 9 ? groups.slice(18) : groups.slice(band * 2, band * 2 + 2)).reduce((sum, each) => sum + each, 0),
  );
}

/** World Health Organization's world average of 2000 to 2025, per cent. */
const WHO_GROUPS = [
  8.86, 8.69, 8.6, 8.47, 8.22, 7.93, 7.61, 7.15, 6.59, 6.04, 5.37, 4.55, 3.72, 2.96, 2.21, 1.52, 0.91, 0.44, 0.15, 0.04,
  0.005,
];
/** Eurostat's European standard of 2013, per 100,000; its groups of infants and of ages one to four are the first. */
const EUROPEAN_GROUPS = [
  5000, 5500, 5500, 5500, 6000, 6000, 6500, 7000, 7000, 7000, 7000, 6500, 6000, 5500, 5000, 4000, 2500, 1500, 800, 200,
];

/** The standard populations that are published. */
export const standardPopulations: Readonly<Record<'who_world_2000' | 'european_2013', Standard>> = {
  who_world_2000: {
    weights: inBands(WHO_GROUPS),
    source: {
      title: 'Age standardization of rates: a new WHO standard (GPE Discussion Paper 31)',
      publisher: 'World Health Organization',
      year: 2001,
      url: 'https://cdn.who.int/media/docs/default-source/gho-documents/global-health-estimates/gpe_discussion_paper_series_paper31_2001_age_standardization_rates.pdf',
    },
  },
  european_2013: {
    weights: inBands(EUROPEAN_GROUPS),
    source: {
      title: 'Revision of the European Standard Population: report of Eurostat’s task force',
      publisher: 'Eurostat',
      year: 2013,
      url: 'https://ec.europa.eu/eurostat/documents/3859598/5926869/KS-RA-13-028-EN.PDF',
    },
  },
};
