/**
 * The history of the API, newest first: the one place where a release has dates.
 *
 * Everything that depends on time (which release is Current, who gets a deprecation header, who is answered 410)
 * is a pure function of this list and a date; see `lifecycle.ts`. The releases and their states are those of the
 * specification, section 9.2; the dates it leaves open are decided here.
 */

/** The four promises of the specification, section 8, that a release's dates can break. */
export type Guarantee =
  | 'support-after-succession'
  | 'notice-before-sunset'
  | 'support-after-new-major'
  | 'preview-order';

/** A promise that a release's dates break on purpose, with the reason a client would be given. */
export interface Waiver {
  readonly guarantee: Guarantee;
  readonly reason: string;
}

/** One dated release of the API. Dates are `YYYY-MM-DD`; a day begins at 00:00 UTC. */
export interface Release {
  readonly id: string;
  /** MAJOR.MINOR.PATCH, reported as `meta.version`. A label: compatibility is promised per dated release. */
  readonly semver: string;
  readonly previewFrom?: string;
  readonly released?: string;
  /** The day its removal was announced: from here on responses carry the deprecation headers. */
  readonly deprecated?: string;
  /** The first day on which requests receive 410. */
  readonly sunset?: string;
  readonly waivers?: readonly Waiver[];
}

/** The history and the date that rules when `SERVICE_DATE` does not. */
export interface History {
  /** `YYYY-MM-DD`, or `system` for the clock. */
  readonly today: string;
  readonly releases: readonly Release[];
}

export const history: History = {
  // The specification's table of versions is true from 2023-10-15 to 2023-11-14. A pinned date stops retirement:
  // a production installation sets SERVICE_DATE=system.
  today: '2023-11-01',
  releases: [
    { id: '2023-10-15', semver: '2.5.0', previewFrom: '2023-08-15', released: '2023-10-15' },
    {
      id: '2023-04-30',
      semver: '2.4.0',
      released: '2023-04-30',
      deprecated: '2024-01-31',
      sunset: '2024-04-30',
      waivers: [
        {
          guarantee: 'support-after-succession',
          reason: 'The specification (section 9.2) ends it on 2024-04-30, six and a half months after 2023-10-15.',
        },
      ],
    },
    {
      id: '2022-11-15',
      semver: '2.3.0',
      released: '2022-11-15',
      deprecated: '2023-08-17',
      sunset: '2023-11-15',
      waivers: [
        {
          guarantee: 'support-after-succession',
          reason: 'The specification (section 9.2) ends it on 2023-11-15, six and a half months after 2023-04-30.',
        },
      ],
    },
    {
      id: '2022-05-01',
      semver: '1.0.0',
      released: '2022-05-01',
      deprecated: '2023-01-15',
      sunset: '2023-05-01',
      waivers: [
        {
          guarantee: 'support-after-succession',
          reason:
            'The specification (section 9.2) lists it as sunset while 2022-11-15, its successor, is not yet a year old.',
        },
        {
          guarantee: 'support-after-new-major',
          reason: 'Major version 1 ended with its only release; the specification lists it as no longer available.',
        },
      ],
    },
  ],
};
