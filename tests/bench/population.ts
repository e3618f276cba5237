import pg from 'pg';

/*
 * Makes an account with many patients and their records, in SQL: the same people for the same seed. Shares and rhythms
 * are rough; what matters is that the tables have the size, the spread and the shape of those of a real account.
 */

/** What was made. */
export interface Population {
  readonly patients: number;
  readonly records: number;
}

interface Condition {
  readonly code: string;
  readonly display: string;
  /** Share of those who are at least `from` years old. */
  readonly share: number;
  readonly from: number;
  readonly medication?: readonly [atc: string, name: string];
}

const CONDITIONS: readonly Condition[] = [
  {
    code: 'I10',
    display: 'Essential (primary) hypertension',
    share: 0.38,
    from: 40,
    medication: ['C09AA05', 'Ramipril'],
  },
  {
    code: 'E11.9',
    display: 'Type 2 diabetes mellitus without complications',
    share: 0.09,
    from: 35,
    medication: ['A10BA02', 'Metformin'],
  },
  {
    code: 'E11.2',
    display: 'Type 2 diabetes mellitus with kidney complications',
    share: 0.02,
    from: 50,
    medication: ['A10AE04', 'Insulin glargine'],
  },
  {
    code: 'E10.9',
    display: 'Type 1 diabetes mellitus without complications',
    share: 0.005,
    from: 5,
    medication: ['A10AB05', 'Insulin aspart'],
  },
  {
    code: 'E78.5',
    display: 'Hyperlipidaemia, unspecified',
    share: 0.3,
    from: 40,
    medication: ['C10AA05', 'Atorvastatin'],
  },
  {
    code: 'I25.1',
    display: 'Atherosclerotic heart disease',
    share: 0.1,
    from: 50,
    medication: ['C10AA07', 'Rosuvastatin'],
  },
  {
    code: 'I50.9',
    display: 'Heart failure, unspecified',
    share: 0.06,
    from: 60,
    medication: ['C03CA01', 'Furosemide'],
  },
  {
    code: 'I48.9',
    display: 'Atrial fibrillation and flutter',
    share: 0.07,
    from: 60,
    medication: ['B01AF02', 'Apixaban'],
  },
  { code: 'J45.9', display: 'Asthma, unspecified', share: 0.08, from: 3, medication: ['R03AC02', 'Salbutamol'] },
  {
    code: 'J44.9',
    display: 'Chronic obstructive pulmonary disease',
    share: 0.08,
    from: 45,
    medication: ['R03BB04', 'Tiotropium'],
  },
  { code: 'N18.3', display: 'Chronic kidney disease, stage 3', share: 0.08, from: 55 },
  { code: 'N18.6', display: 'End-stage kidney disease', share: 0.002, from: 40 },
  {
    code: 'F32.1',
    display: 'Moderate depressive episode',
    share: 0.09,
    from: 16,
    medication: ['N06AB06', 'Sertraline'],
  },
  { code: 'F41.1', display: 'Generalized anxiety disorder', share: 0.06, from: 16 },
  { code: 'F03', display: 'Dementia, unspecified', share: 0.09, from: 75 },
  { code: 'I63.9', display: 'Cerebral infarction', share: 0.04, from: 60 },
  { code: 'I21.9', display: 'Acute myocardial infarction', share: 0.03, from: 50 },
  { code: 'C50.9', display: 'Malignant neoplasm of breast', share: 0.02, from: 40 },
  { code: 'C61', display: 'Malignant neoplasm of prostate', share: 0.02, from: 50 },
  { code: 'C79.5', display: 'Secondary malignant neoplasm of bone', share: 0.004, from: 50 },
  { code: 'K70.3', display: 'Alcoholic cirrhosis of liver', share: 0.005, from: 35 },
  { code: 'M06.9', display: 'Rheumatoid arthritis', share: 0.01, from: 30 },
  { code: 'M17.9', display: 'Osteoarthritis of knee', share: 0.14, from: 50 },
  { code: 'G43.9', display: 'Migraine', share: 0.1, from: 15 },
  {
    code: 'K21.9',
    display: 'Gastro-oesophageal reflux disease',
    share: 0.12,
    from: 25,
    medication: ['A02BC01', 'Omeprazole'],
  },
  { code: 'J06.9', display: 'Acute upper respiratory infection', share: 0.5, from: 0 },
  { code: 'M54.5', display: 'Low back pain', share: 0.3, from: 20 },
  { code: 'L20.9', display: 'Atopic dermatitis', share: 0.07, from: 0 },
  { code: 'Z51.5', display: 'Palliative care', share: 0.003, from: 60 },
];

/** Who is measured (any of the conditions, or everybody), how often, and around which value. */
const SERIES: readonly {
  readonly loinc: string;
  readonly display: string;
  readonly unit: string;
  readonly mean: number;
  readonly spread: number;
  readonly count: number;
  readonly conditions?: readonly string[];
}[] = [
  { loinc: '29463-7', display: 'Body weight', unit: 'kg', mean: 76, spread: 22, count: 4 },
  {
    loinc: '4548-4',
    display: 'Hemoglobin A1c',
    unit: '%',
    mean: 7.6,
    spread: 2.4,
    count: 6,
    conditions: ['E11.9', 'E11.2', 'E10.9'],
  },
  {
    loinc: '2160-0',
    display: 'Creatinine',
    unit: 'mg/dL',
    mean: 1.1,
    spread: 0.6,
    count: 3,
    conditions: ['I10', 'N18.3'],
  },
  {
    loinc: '13457-7',
    display: 'Cholesterol in LDL',
    unit: 'mg/dL',
    mean: 118,
    spread: 60,
    count: 3,
    conditions: ['E78.5'],
  },
];

/** The last day of the made-up world. */
export const POPULATION_TODAY = '2023-11-01';

/**
 * Makes the population, unless the account has patients already.
 * @param url a migrated database.
 * @param seed other people for another number.
 */
export async function generatePopulation(
  url: string,
  accountId: string,
  patients: number,
  seed = 1,
): Promise<Population> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const before = await count(client, accountId);
    if (before.patients > 0) return before;
    await client.query('BEGIN');
    await client.query(`SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '128MB'`);
    // Chance that hangs on nothing but the seed, the person and the question.
    await client.query(`CREATE FUNCTION pg_temp.chance(key text) RETURNS double precision LANGUAGE sql IMMUTABLE
      RETURN ((hashtextextended(key, ${Math.trunc(seed)}) & 1073741823)::double precision / 1073741824)`);
    await client.query(patientsSql, [accountId, patients, POPULATION_TODAY]);
    await client.query(
      `CREATE TEMP TABLE person ON COMMIT DROP AS
       SELECT id, dob, extract(year FROM age($2::date, dob))::int AS years FROM core.patients WHERE account_id = $1`,
      [accountId, POPULATION_TODAY],
    );
    await client.query('ANALYZE person');
    await client.query(conditionsSql, [accountId, POPULATION_TODAY, JSON.stringify(CONDITIONS)]);
    // A transaction may gather statistics of what it has written itself: without them each step below is planned blind.
    await client.query('ANALYZE core.medical_records');
    await client.query(medicationsSql, [accountId, JSON.stringify(CONDITIONS)]);
    for (const series of SERIES) {
      const values = [accountId, POPULATION_TODAY, JSON.stringify(series), series.conditions ?? null];
      await client.query(seriesSql, values);
    }
    await client.query(pressureSql, [accountId, POPULATION_TODAY]);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE core.patients');
    await client.query('VACUUM ANALYZE core.medical_records');
    return await count(client, accountId);
  } finally {
    await client.end();
  }
}

async function count(client: pg.Client, accountId: string): Promise<Population> {
  const { rows } = await client.query<Population>(
    `SELECT (SELECT count(*)::int FROM core.patients WHERE account_id = $1) AS patients,
       (SELECT count(*)::int FROM core.medical_records WHERE account_id = $1) AS records`,
    [accountId],
  );
  return rows[0] ?? { patients: 0, records: 0 };
}

const given = [
  'Amara',
  'Björn',
  'Chloé',
  'Dmitri',
  'Elif',
  'Farid',
  'Grace',
  'Hiro',
  'Inés',
  'Jakub',
  'Kemi',
  'Lars',
  'Mei',
  'Noor',
  'Olga',
  'Pedro',
  'Quinn',
  'Rosa',
  'Søren',
  'Tariq',
];
const family = [
  'Adeyemi',
  'Brandt',
  'Costa',
  'Dubois',
  'Eriksson',
  'Fischer',
  'García',
  'Haddad',
  'Ivanov',
  'Jansen',
  'Kowalski',
  'Larsen',
  'Müller',
  'Nakamura',
  'O’Brien',
  'Petrov',
  'Rossi',
  'Schmidt',
  'Tanaka',
  'Zhang',
];

const patientsSql = `
  INSERT INTO core.patients (id, account_id, name, dob, sex, email, phone, preferred_method, created_at, updated_at)
  SELECT id, $1, name, dob, sex,
    CASE WHEN pg_temp.chance(id || 'mail') < 0.7 THEN 'p' || i || '@example.com' END,
    CASE WHEN pg_temp.chance(id || 'phone') < 0.8 THEN '+44 7700 9' || lpad((i % 100000)::text, 5, '0') END,
    CASE WHEN pg_temp.chance(id || 'way') < 0.6 THEN (ARRAY['email', 'phone', 'sms', 'mail'])[1 + (i % 4)] END,
    made, made
  FROM (
    SELECT i, id,
      (ARRAY['${given.join("','")}'])[1 + floor(pg_temp.chance(id || 'given') * ${given.length})::int] || ' ' ||
      (ARRAY['${family.join("','")}'])[1 + floor(pg_temp.chance(id || 'family') * ${family.length})::int] || ' ' || i AS name,
      ($3::date - floor(365.25 * 95 * (1 - power(pg_temp.chance(id || 'age'), 0.7)))::int - 1) AS dob,
      CASE WHEN pg_temp.chance(id || 'sex') < 0.5 THEN 'female' WHEN pg_temp.chance(id || 'sex') < 0.97 THEN 'male'
        WHEN pg_temp.chance(id || 'sex') < 0.985 THEN 'other' END AS sex,
      timestamptz '2022-05-02T08:00:00Z' + i * interval '7 minutes' AS made
    FROM (SELECT i, 'pat_bench' || lpad(i::text, 11, '0') AS id FROM generate_series(1, $2::int) AS i) AS each
  ) AS person`;

const insertRecords = `
  INSERT INTO core.medical_records (id, account_id, patient_id, type, status, code, content, effective_at, created_at, updated_at)`;

const conditionsSql = `${insertRecords}
  SELECT 'rec_' || substr(md5(p.id || c.code), 1, 20), $1, p.id, 'condition',
    CASE WHEN pg_temp.chance(p.id || c.code || 'over') < 0.1 THEN 'resolved' ELSE 'active' END,
    jsonb_build_object('system', 'http://hl7.org/fhir/sid/icd-10', 'code', c.code, 'display', c.display),
    jsonb_build_object('verification', 'confirmed', 'onset', began::date::text), began, began, began
  FROM person p
  JOIN jsonb_to_recordset($3::jsonb) AS c(code text, display text, share double precision, "from" int)
    ON p.years >= c."from" AND pg_temp.chance(p.id || c.code) < c.share
  CROSS JOIN LATERAL (
    SELECT greatest(p.dob + 1, $2::date - floor(pg_temp.chance(p.id || c.code || 'onset') * 4380)::int)
      + interval '9 hours' AS began) AS onset`;

const medicationsSql = `${insertRecords}
  SELECT 'rec_' || substr(md5(r.id || 'drug'), 1, 20), $1, r.patient_id, 'medication',
    CASE r.status WHEN 'active' THEN 'active' ELSE 'completed' END,
    jsonb_build_object('system', 'http://www.whocc.no/atc', 'code', c.medication->>0, 'display', c.medication->>1),
    jsonb_build_object('dosage', 'once daily', 'route', 'oral'), r.effective_at, r.effective_at, r.effective_at
  FROM core.medical_records r
  JOIN jsonb_to_recordset($2::jsonb) AS c(code text, medication jsonb) ON r.code->>'code' = c.code AND c.medication IS NOT NULL
  WHERE r.account_id = $1 AND r.type = 'condition' AND pg_temp.chance(r.id || 'treated') < 0.75`;

const seriesSql = `${insertRecords}
  SELECT 'rec_' || substr(md5(p.id || s.loinc || n), 1, 20), $1, p.id, 'observation', 'final',
    jsonb_build_object('system', 'http://loinc.org', 'code', s.loinc, 'display', s.display),
    jsonb_build_object('value', round((s.mean + s.spread * (pg_temp.chance(p.id || s.loinc || n) - 0.5))::numeric, 1)::text, 'unit', s.unit),
    at, at, at
  FROM person p
  CROSS JOIN jsonb_to_record($3::jsonb) AS s(loinc text, display text, unit text, mean double precision,
    spread double precision, count int)
  CROSS JOIN LATERAL generate_series(1, s.count) AS n
  CROSS JOIN LATERAL (
    SELECT greatest(p.dob + 1, $2::date - floor(pg_temp.chance(p.id || s.loinc || n || 'at') * 900)::int)
      + interval '10 hours' AS at) AS time
  WHERE $4::text[] IS NULL OR p.id IN (
    SELECT r.patient_id FROM core.medical_records r
    WHERE r.account_id = $1 AND r.type = 'condition' AND r.code->>'code' = ANY($4::text[]))`;

const pressureSql = `${insertRecords}
  SELECT 'rec_' || substr(md5(p.id || 'pressure' || n), 1, 20), $1, p.id, 'observation', 'final',
    jsonb_build_object('system', 'http://loinc.org', 'code', '85354-9', 'display', 'Blood pressure panel'),
    jsonb_build_object('components', jsonb_build_array(
      jsonb_build_object('code', '8480-6', 'unit', 'mm[Hg]', 'value', (115 + floor(pg_temp.chance(p.id || 's' || n) * 45))::text),
      jsonb_build_object('code', '8462-4', 'unit', 'mm[Hg]', 'value', (70 + floor(pg_temp.chance(p.id || 'd' || n) * 28))::text))),
    at, at, at
  FROM person p
  CROSS JOIN generate_series(1, 4) AS n
  CROSS JOIN LATERAL (
    SELECT greatest(p.dob + 1, $2::date - floor(pg_temp.chance(p.id || 'bp' || n) * 900)::int) + interval '11 hours' AS at) AS time
  WHERE p.id IN (SELECT r.patient_id FROM core.medical_records r
    WHERE r.account_id = $1 AND r.type = 'condition' AND r.code->>'code' = 'I10')`;
