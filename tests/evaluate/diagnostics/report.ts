import type { Evaluation } from './evaluate.ts';
import type { CrossValidation } from './folds.ts';
import { percentOf } from './intervals.ts';

const PHRASES_MAX = 25;

/** An evaluation as a text that is read on a terminal. */
export function report(evaluation: Evaluation, nameOf: (id: string) => string): string {
  const { results, triage, calibration, latency_ms: latency } = evaluation;
  const lines = ['Diagnoses as they were understood (rank is that of the diagnosis among the suggestions):'];
  for (const one of results) {
    const mapped = one.mapped.length === 0 ? 'NOT MAPPED, counts as a miss' : one.mapped.map(nameOf).join('; ');
    lines.push(`  ${one.id}  ${one.diagnosis} -> ${mapped}  rank ${one.rank ?? '-'}`);
  }
  lines.push(
    '',
    ...table([
      ['cases', String(evaluation.cases)],
      ['diagnoses not mapped', String(evaluation.unmapped.length)],
      ['triage cases', String(triage.cases)],
      ['Brier score', calibration.brier.toFixed(3)],
      ['expected calibration error', calibration.expected_calibration_error.toFixed(3)],
      ['  without its bias', percentOf(calibration.corrected_calibration_error)],
      ['log loss per case', `${calibration.log_loss.toFixed(3)} nats`],
      ['90 % intervals that hold', percent(calibration.interval_coverage)],
      ['latency p50', `${latency.p50.toFixed(1)} ms`],
      ['latency p99', `${latency.p99.toFixed(1)} ms`],
    ]),
    '',
    'By source, 95 % intervals in brackets:',
    ...evaluation.groups.flatMap((one) => [
      `${one.group}: ${one.cases} cases`,
      ...table([
        ['  right diagnosis first', percentOf(one.top1)],
        ['  among the first three', percentOf(one.top3)],
        ['  among the first five', percentOf(one.top5)],
        ['  triage exact', percentOf(one.triage_exact)],
        ['  triage safe (at or above)', percentOf(one.triage_safe)],
      ]),
    ]),
    '',
    'Calibration: said, seen, mean interval, number of suggestions',
  );
  for (const bin of calibration.reliability) {
    const interval = bin.interval === null ? '-' : `${percent(bin.interval.low)} to ${percent(bin.interval.high)}`;
    const said = percent(bin.mean_confidence).padStart(7);
    lines.push(`  ${said} ${percent(bin.accuracy).padStart(7)} ${interval.padStart(18)} ${bin.count}`);
  }
  lines.push('', 'Not recognised, most frequent first:');
  for (const { phrase, count } of evaluation.unrecognized.slice(0, PHRASES_MAX)) lines.push(`  ${count}  ${phrase}`);
  return `${lines.join('\n')}\n`;
}

/** What was fitted, judged on other diagnoses, as a text. */
export function reportOfFolds({ folds, diagnoses, calibration, triage, hidden }: CrossValidation): string {
  const lines = [
    '',
    `Fitted on some diagnoses and judged on others, ${folds} folds over ${diagnoses} diagnoses:`,
    ...table([
      ['  calibration error without its bias', percentOf(calibration.error)],
      ['  curve fitted on all', `slope ${calibration.slope}, intercept ${calibration.intercept}`],
      ['  triage exact', percentOf(triage?.exact ?? null)],
      ['  triage safe (at or above)', percentOf(triage?.safe ?? null)],
      ['  thresholds fitted on all', triage?.thresholds ?? 'none given'],
    ]),
    '',
    'With a third of the findings of every condition hidden, drawn twice:',
    ...[...hidden].map(
      ([source, { top1, top3, top5 }]) =>
        `  ${source}: first ${percentOf(top1)}, first three ${percentOf(top3)}, first five ${percentOf(top5)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

function percent(share: number | null): string {
  return share === null ? 'none given' : `${(share * 100).toFixed(1)} %`;
}
