/** One frame of one channel, as analysers take it. */
export interface GrayImage {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Row-major, as acquired after rescale; values in [minimum, maximum]. MONOCHROME1 is undone already: high is bright. */
  readonly pixels: Float32Array;
  readonly minimum: number;
  readonly maximum: number;
  /** Distance between the centres of adjacent rows, then columns, in millimetres; absent when the file does not say. */
  readonly pixelSpacingMm?: readonly [number, number];
  /** Bits that the acquisition used for one value. */
  readonly bitsStored: number;
  /** Whether a lossy compression came before. */
  readonly isLossy?: boolean;
}

/** What is known of an image beside its pixels, by which an analyser is chosen. */
export interface StudyContext {
  /** DICOM modality, for example `CR`, `DX`, `CT`. */
  readonly modality?: string;
  /** DICOM body part examined, for example `CHEST`. */
  readonly bodyPart?: string;
  /** View position: PA, AP or LL. */
  readonly view?: string;
  /** L or R. */
  readonly laterality?: string;
  readonly patientAgeYears?: number;
  readonly source: 'dicom' | 'png' | 'jpeg';
}
