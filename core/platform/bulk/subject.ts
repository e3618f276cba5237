import type { PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Visibility } from '../../visibility.ts';
import type { JobCategory } from '../jobs/job.ts';

/** The caller, and what is visible to the caller. */
export interface BulkActor {
  readonly caller: Caller;
  readonly visibility: Visibility;
}

/** The result of one operation. */
export interface BulkDone {
  /** The object it was done to, or that it made. */
  readonly id: string;
  /** Whose data the answer holds. */
  readonly patientId: PatientId | null;
  /** As answered at head; null where there is nothing to answer. */
  readonly data: object | null;
}

/** A category whose operations can be sent in bulk. */
export interface BulkSubject {
  readonly category: JobCategory;
  /** Name of the kind of its jobs. */
  readonly job: string;
  /** `kind` of a result. */
  readonly resultOf: (action: string | null) => string;
  /** Tables that its operations write to, a row or more each. */
  readonly tables: readonly string[];
  /** The actions it knows. */
  readonly actions: readonly string[];
  /**
   * Carries out one operation, as the operation of the same name would.
   * @param operation valid. @throws Fault with pointers into `data`.
   */
  carryOut(actor: BulkActor, operation: JsonObject): Promise<BulkDone>;
}
