import { relative, resolve } from 'node:path';
import { type Demo, demoPath } from '@perennial/prisma/seed.ts';

/** What `npm start` prints when everything runs: what to try. */
export function greeting({ gateway, patientId }: Demo, dataDir: string): string {
  const path = relative('.', demoPath(dataDir));
  const file = path.startsWith('..') ? resolve(demoPath(dataDir)) : path;
  const authorization = `-H "Authorization: Bearer $KEY"`;
  const chestPain = JSON.stringify({
    patientData: {
      age: 68,
      sex: 'male',
      symptoms: ['crushing chest pain', 'sweating'],
      vitalSigns: { bloodPressure: { systolic: 88, diastolic: 56 }, heartRate: 118 },
    },
  });
  return `
Perennial is ready at ${gateway}
The demo keys are in ${file}

An old client, with legacyApiKey as $KEY:
  curl ${authorization} ${gateway}/v2022-11-15/patients/${patientId}
The same patient today, with apiKey as $KEY:
  curl ${authorization} ${gateway}/v2/patients/${patientId}
An analysis, with apiKey as $KEY:
  curl ${authorization} -H 'Content-Type: application/json' -d '${chestPain}' ${gateway}/v2/diagnostics/analyze

`;
}

/** What it prints where no demo data were asked for. */
export function plainGreeting(gateway: string): string {
  return `
Perennial is ready at ${gateway}
No demo data were made in this database (DEMO_DATA=true makes them). The first account and its keys:
  npm run accounts -- create --name "Saint Mary"

`;
}
