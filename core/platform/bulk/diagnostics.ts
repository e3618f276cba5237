import type { DiagnosticOperation } from '@perennial/schemas/resources/bulk.ts';
import { toDiagnosticRecord } from '../../diagnostics/record.ts';
import type { DiagnosticPatch, DiagnosticService, DiagnosticWrite } from '../../diagnostics/service.ts';
import { inState } from './in-state.ts';
import type { BulkSubject } from './subject.ts';

/** Diagnostics in bulk: analyze; create, update and delete records. */
export function diagnosticSubject(diagnostics: DiagnosticService): BulkSubject {
  return {
    category: 'diagnostics',
    job: 'diagnostics.bulk',
    resultOf: (action) => (action === 'analyze' ? 'analysis' : 'diagnostic_record'),
    tables: ['diagnostic_records', 'events'],
    actions: ['analyze', 'create', 'update', 'delete'],
    carryOut: async ({ caller, visibility }, operation) => {
      const asked = operation as unknown as DiagnosticOperation;
      switch (asked.action) {
        case 'analyze': {
          const { result } = await diagnostics.analyze(caller, asked.data);
          return { id: result.id, patientId: asked.data.patient_id ?? null, data: { diagnostic_result: result } };
        }
        case 'create': {
          const row = await diagnostics.create(caller, asked.data as DiagnosticWrite);
          return { id: row.id, patientId: row.patientId, data: toDiagnosticRecord(row) };
        }
        case 'update': {
          const { id, data, if_match } = asked;
          const row = await inState(if_match, (conditions) =>
            diagnostics.update(caller, id, data as DiagnosticPatch, conditions, visibility),
          );
          return { id, patientId: row.patientId, data: toDiagnosticRecord(row) };
        }
        case 'delete': {
          const { id, if_match } = asked;
          await inState(if_match, (conditions) => diagnostics.remove(caller, id, conditions, visibility));
          return { id, patientId: null, data: null };
        }
      }
    },
  };
}
