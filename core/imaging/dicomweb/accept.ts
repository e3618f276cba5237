/** A media range of an Accept header, with the parameters that DICOMweb gives them (PS3.18, 8.7.3). */
export interface AcceptedRange {
  /** In small letters, such as `multipart/related`. */
  readonly type: string;
  /** What a multipart answer is made of. */
  readonly partType: string | undefined;
  readonly transferSyntax: string | undefined;
  readonly quality: number;
}

const RANGES_MAX = 30;

/** The media ranges of an Accept header, those liked best first; everything when there is none. */
export function readAccept(header: string | undefined): readonly AcceptedRange[] {
  if (header === undefined || header.trim() === '')
    return [{ type: '*/*', partType: undefined, transferSyntax: undefined, quality: 1 }];
  // A comma within quotes belongs to a parameter.
  const ranges = header.match(/(?:[^,"]|"[^"]*")+/g) ?? [];
  return ranges
    .slice(0, RANGES_MAX)
    .map((range) => {
      const [type = '', ...rest] = range.split(';').map((each) => each.trim());
      const parameters = new Map(
        rest.map((each) => {
          const mark = each.indexOf('=');
          return [each.slice(0, mark).toLowerCase(), each.slice(mark + 1).replace(/^"|"$/g, '')] as const;
        }),
      );
      return {
        type: type.toLowerCase(),
        partType: parameters.get('type')?.toLowerCase(),
        transferSyntax: parameters.get('transfer-syntax'),
        quality: Number(parameters.get('q') ?? 1),
      };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
}

/** Whether a range, such as one with stars, holds the media type. */
export function holds({ type }: AcceptedRange, mediaType: string): boolean {
  return type === '*/*' || type === mediaType || type === `${mediaType.split('/', 1)[0]}/*`;
}
