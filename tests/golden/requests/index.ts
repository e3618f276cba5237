import { analyticsRequests } from './analytics.ts';
import { attachmentRequests } from './attachments.ts';
import { bulkRequests } from './bulk.ts';
import { diagnosticRequests } from './diagnostics.ts';
import { imagingRequests } from './imaging.ts';
import { cancelRequests, jobRequests } from './jobs.ts';
import { knowledgeRequests } from './knowledge.ts';
import { knowledgeGraphRequests } from './knowledge-graph.ts';
import { medicationRequests } from './medications.ts';
import { patientRequests } from './patients.ts';
import { recordRequests } from './records.ts';
import { eventRequests, webhookRequests } from './webhooks.ts';
import type { OperationRequests } from './words.ts';

/*
 * What is asked of every operation at every release, in the words of that release. Written by hand: requests made by
 * the translators would agree with them whatever they do.
 *
 * To add an operation: write its requests in a file beside these, the errors too, and run `npm run golden -- record`.
 * Places in braces are filled in, in paths, headers and bodies: `{patient}` is the demo patient, `{created}` what the
 * last 201 made, `{etag}` and `{cursor}` what the last answer gave, `{current}` the Current release of the day, and
 * any other what an answer before `gives`.
 */

/** In the order in which they are sent: lists first, while nothing has been added. */
export const operationRequests: readonly OperationRequests[] = [
  ...patientRequests,
  ...recordRequests,
  ...attachmentRequests,
  ...diagnosticRequests,
  ...analyticsRequests,
  ...medicationRequests,
  ...imagingRequests,
  ...knowledgeRequests,
  ...knowledgeGraphRequests,
  ...jobRequests,
  ...bulkRequests,
  ...webhookRequests,
  ...eventRequests,
  ...cancelRequests,
];
