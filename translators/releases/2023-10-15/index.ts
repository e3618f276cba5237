import type { ReleaseChanges } from '../../engine/change.ts';
import { changeApiKeyFormat } from './change-api-key-format.ts';
import { examples } from './examples.ts';
import { keepImagingResults } from './keep-imaging-results.ts';
import { renameAnalysisResult } from './rename-analysis-result.ts';
import { restructureConfidence } from './restructure-confidence.ts';

/** Real-time streaming, medical imaging; diagnostic results, confidence with uncertainty, the key format. */
export const release20231015: ReleaseChanges = {
  id: '2023-10-15',
  changes: [renameAnalysisResult, restructureConfidence, changeApiKeyFormat, keepImagingResults],
  examples,
};
