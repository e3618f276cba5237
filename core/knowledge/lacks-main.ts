import { lacksOf } from './lacks.ts';
import { loadKnowledge } from './load.ts';

/* npm run languages -- es    lists what a language lacks */

const [language] = process.argv.slice(2);
const knowledge = loadKnowledge();
if (language === undefined || !knowledge.languages.some((one) => one.language === language)) {
  const known = knowledge.languages.map((one) => one.language).join(', ');
  process.stderr.write(`usage: npm run languages -- TAG, one of ${known}\n`);
  process.exitCode = 2;
} else {
  const { red_flags: flags, findings } = lacksOf(knowledge, language);
  process.stdout.write(`Red flags without words (${flags.length}): ${flags.join(', ')}\n\n`);
  process.stdout.write(`Findings without words (${findings.length}): ${findings.join(', ')}\n`);
}
