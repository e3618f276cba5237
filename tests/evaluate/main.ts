/*
 * npm run evaluate -- --cases FILE          how often diagnoses are right
 * npm run evaluate -- --interactions FILE   how often pairs of medications are judged as authorities do
 * npm run evaluate -- --context FILE        how often denials, the past and other people are read rightly
 * Each reads the rest of its options itself.
 */

const evaluations: Readonly<Record<string, string>> = {
  cases: './diagnostics/main.ts',
  interactions: './medications/main.ts',
  context: './diagnostics/context-main.ts',
};

const asked = Object.keys(evaluations).filter((name) =>
  process.argv.slice(2).some((each) => each === `--${name}` || each.startsWith(`--${name}=`)),
);
const [name, ...others] = asked;
const path = name === undefined ? undefined : evaluations[name];
if (path === undefined || others.length > 0) {
  process.stderr.write(
    'usage: npm run evaluate -- --cases FILE | --interactions FILE | --context FILE [--url ADDRESS --key-env NAME] [--json]\n',
  );
  process.exitCode = 2;
} else await import(path);
