import type { Operation } from '../operation.ts';

/** Diagnostics. */
export const diagnosticOperations: readonly Operation[] = [
  {
    id: 'diagnostics.analyze',
    method: 'POST',
    path: '/diagnostics/analyze',
    category: 'diagnostics',
    summary: 'Analyze symptoms and vital signs',
    scope: 'diagnostics:write',
    parameters: [],
    body: { ref: 'AnalysisRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'The analysis.', ref: 'Analysis' },
    errors: ['body_malformed', 'body_too_large', 'media_type_unsupported', 'validation_failed'],
  },
];
