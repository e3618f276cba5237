import type { ImagingAnalysis, ImagingAnalyzer } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { DeidentifyOptions } from '../deidentify/deidentify.ts';
import type { Window } from '../dicom/image-header.ts';
import type { BulkPlaces, JsonDataSet } from '../dicom/json.ts';
import type { StudyContext } from '../image.ts';
import type { ImageFaultKind } from '../image-fault.ts';
import type { Inspection } from '../inspect.ts';
import type { Outline } from '../overlay.ts';

/** What workers do, by name: what they are given beside the bytes of the file, and what comes out. */
export interface Tasks {
  readonly inspect: { readonly input: Readonly<Record<string, never>>; readonly output: Inspection };
  readonly render: { readonly input: RenderInput; readonly output: Uint8Array };
  readonly frames: { readonly input: FramesInput; readonly output: FramesOutput };
  readonly metadata: { readonly input: BulkPlaces; readonly output: JsonDataSet };
  /** The value of an attribute that the metadata only point at. */
  readonly bulkdata: { readonly input: { readonly path: string }; readonly output: Uint8Array };
  readonly deidentify: {
    readonly input: { readonly key: Uint8Array; readonly options: DeidentifyOptions };
    readonly output: Uint8Array;
  };
  /** Loads the trained models, and says which they are. The bytes are none. */
  readonly models: { readonly input: Readonly<Record<string, never>>; readonly output: readonly ImagingAnalyzer[] };
  readonly analyze: { readonly input: AnalyzeInput; readonly output: ImagingAnalysis };
}

/** The name of a task. */
export type TaskName = keyof Tasks;

/** How a frame is to be shown. */
export interface RenderInput {
  /** From 0. */
  readonly frame: number;
  readonly window: Window | undefined;
  readonly isInverted: boolean;
  /** The longer edge is at most this, in pixels; the picture is never made larger. */
  readonly edgeMax: number;
  readonly outlines: readonly Outline[];
  readonly format: 'png' | 'jpeg';
  /** Of a JPEG, from 1 to 100. */
  readonly quality?: number;
  /** The part that is shown; all of it where there is none. */
  readonly region?: Region;
  /** What is written on the picture. */
  readonly annotations?: readonly Annotation[];
}

/** A part of a picture, in its pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isMirrored: boolean;
  readonly isUpsideDown: boolean;
}

/** What can be written on a picture: who it is of, or how it was made. */
export type Annotation = 'patient' | 'technique';

/** Which frames are asked for. */
export interface FramesInput {
  /** From 0. */
  readonly frames: readonly number[];
  /** Compressed as the file has them, or decoded. */
  readonly isStored: boolean;
}

/** Frames as bytes: decoded ones little endian, samples of a pixel side by side. */
export interface FramesOutput {
  readonly frames: readonly Uint8Array[];
}

/** Which frame is analysed, and what is known of it. */
export interface AnalyzeInput {
  /** From 0. */
  readonly frame: number;
  /** What the caller says in place of what the file says. */
  readonly context: Omit<StudyContext, 'source'>;
}

/** What a worker is sent. */
export interface Request {
  readonly name: TaskName;
  readonly bytes: Uint8Array;
  readonly input: Tasks[TaskName]['input'];
}

/** What a worker answers. */
export type Reply =
  | { readonly kind: 'done'; readonly output: Tasks[TaskName]['output'] }
  | {
      readonly kind: 'fault';
      readonly fault: ImageFaultKind;
      readonly message: string;
      /** The worker must not be used again. */
      readonly isSpoilt: boolean;
    }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined };
