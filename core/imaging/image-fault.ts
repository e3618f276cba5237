/** Why an image cannot be used; the service says it in the words of the registry of errors. */
export type ImageFaultKind =
  /** The bytes are of no kind that is read here. */
  | 'not_an_image'
  /** An image of a kind, or in a compression, that is not read here. */
  | 'unsupported'
  /** The bytes say that they are an image, and are not whole. */
  | 'unreadable'
  /** It would be larger, once decoded, than may be. */
  | 'too_large'
  /** There is no frame of that number. */
  | 'no_frame'
  /** There is no value of that path. */
  | 'no_value';

/** A failure that the bytes of an image are to blame for. The message is for the caller: it holds no value of the file. */
export class ImageFault extends Error {
  override readonly name = 'ImageFault';
  readonly kind: ImageFaultKind;

  constructor(kind: ImageFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Bounds of one image, whatever its header claims. */
export const imageLimits = {
  /** Pixels of one frame: the largest mammograms have 28 million. */
  framePixelsMax: 33_554_432,
  /** Bytes of one frame once decoded: what is made of it takes as much again, and must not be more than a file is worth. */
  frameBytesMax: 100_663_296,
  /** Bytes of the frames of one answer. */
  answerBytesMax: 268_435_456,
  framesMax: 10_000,
  /** Bytes of a deflated data set once inflated. */
  inflatedBytesMax: 67_108_864,
} as const;
