import type { TSchema } from 'typebox';
import type { Operation } from './operation.ts';
import { analyticsOperations } from './operations/analytics.ts';
import { attachmentOperations } from './operations/attachments.ts';
import { bulkOperations } from './operations/bulk.ts';
import { diagnosticOperations } from './operations/diagnostics.ts';
import { dicomwebOperations } from './operations/dicomweb.ts';
import { epidemiologyOperations } from './operations/epidemiology.ts';
import { imagingOperations } from './operations/imaging.ts';
import { jobOperations } from './operations/jobs.ts';
import { knowledgeOperations } from './operations/knowledge.ts';
import { knowledgeGraphOperations } from './operations/knowledge-graph.ts';
import { medicationOperations } from './operations/medications.ts';
import { patientOperations } from './operations/patients.ts';
import { recordOperations } from './operations/records.ts';
import { webhookOperations } from './operations/webhooks.ts';
import type { JsonSchema } from './platform/json-schema.ts';
import { analysisResources } from './resources/analysis.ts';
import { analyticsResources } from './resources/analytics.ts';
import { attachmentResources } from './resources/attachment.ts';
import { bulkResources } from './resources/bulk.ts';
import { Coding } from './resources/coding.ts';
import { cohortResources } from './resources/cohort.ts';
import { diagnosticResources } from './resources/diagnostic.ts';
import { epidemiologyResources } from './resources/epidemiology.ts';
import { ErrorBody, ErrorDetail } from './resources/error-body.ts';
import { eventResources } from './resources/event.ts';
import { imagingResources } from './resources/imaging.ts';
import { imagingAnalysisResources } from './resources/imaging-analysis.ts';
import { jobResources } from './resources/job.ts';
import { knowledgeResources } from './resources/knowledge.ts';
import { knowledgeGraphResources } from './resources/knowledge-graph.ts';
import { medicationResources } from './resources/medication.ts';
import { medicationOverrideResources } from './resources/medication-override.ts';
import { Page } from './resources/page.ts';
import { patientResources } from './resources/patient-change.ts';
import { recordResources } from './resources/record.ts';
import { webhookResources } from './resources/webhook.ts';

/** What one version promises: its resources by `$id`, and its operations. */
export interface Contract {
  readonly resources: ReadonlyMap<string, JsonSchema>;
  readonly operations: readonly Operation[];
}

/** Every resource at head, by its `$id`. */
export const headResources = {
  Page,
  ErrorBody,
  ErrorDetail,
  ...patientResources,
  Coding,
  ...recordResources,
  ...attachmentResources,
  ...analysisResources,
  ...diagnosticResources,
  ...analyticsResources,
  ...cohortResources,
  ...epidemiologyResources,
  ...medicationOverrideResources,
  ...medicationResources,
  ...knowledgeResources,
  ...knowledgeGraphResources,
  ...jobResources,
  ...imagingAnalysisResources,
  ...imagingResources,
  ...webhookResources,
  ...eventResources,
  ...bulkResources,
} as const;

/** Every operation at head. */
export const headOperations = [
  ...patientOperations,
  ...recordOperations,
  ...attachmentOperations,
  ...diagnosticOperations,
  ...analyticsOperations,
  ...epidemiologyOperations,
  ...medicationOperations,
  ...knowledgeOperations,
  ...knowledgeGraphOperations,
  ...jobOperations,
  ...imagingOperations,
  ...dicomwebOperations,
  ...webhookOperations,
  ...bulkOperations,
] as const;

/** The contract at head: the only one that is written by hand. Every older one is derived from it. */
export const head: Contract = { resources: publish(headResources), operations: headOperations };

/**
 * Resources as they are published: plain JSON, by `$id`. Whatever the builder attaches for its own use stays behind.
 * @throws Error when a resource is listed under another name than its own, which would give it the wrong type.
 */
export function publish(resources: Readonly<Record<string, TSchema>>): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries(resources).map(([name, schema]) => {
      const plain = JSON.parse(JSON.stringify(schema)) as JsonSchema;
      if (plain.$id !== name) throw new Error(`the resource ${plain.$id ?? 'without $id'} is listed as ${name}`);
      return [name, plain];
    }),
  );
}
