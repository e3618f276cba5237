-- The result of an image's analysis is a diagnostic record like any other: one table holds them all.

-- AlterTable
ALTER TABLE "core"."diagnostic_records" ADD COLUMN     "frame" INTEGER,
ADD COLUMN     "imaging" JSON,
ADD COLUMN     "instance_id" TEXT,
ADD COLUMN     "knowledge_version" TEXT,
ADD COLUMN     "study_id" TEXT,
ALTER COLUMN "input" DROP NOT NULL,
ALTER COLUMN "patient_id" DROP NOT NULL,
ALTER COLUMN "result" DROP NOT NULL;

-- A result had no patient of its own: it was of whom its study is of. It has never been changed.
INSERT INTO "core"."diagnostic_records" ("id", "account_id", "patient_id", "kind", "status", "head_release", "study_id",
  "instance_id", "frame", "imaging", "knowledge_version", "key_id", "revision", "created_at", "updated_at")
SELECT r."id", r."account_id", s."patient_id", 'imaging', 'completed', r."head_release", r."study_id",
  r."instance_id", r."frame", r."result", r."knowledge_version", r."key_id", 1, r."created_at", r."created_at"
FROM "core"."imaging_results" r JOIN "core"."imaging_studies" s ON s."id" = r."study_id";

-- Documents that hold a result as it was: events, what came out of jobs, and answers kept for their Idempotency-Key.
CREATE FUNCTION "core"."imaging_record_of"(result JSON) RETURNS JSON LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object(
    'id', result -> 'id', 'patient_id', result -> 'patient_id', 'kind', 'imaging', 'status', 'completed',
    'patientData', NULL, 'diagnostic_result', NULL, 'differential', NULL,
    'imaging', json_build_object(
      'study_id', result -> 'study_id', 'instance_id', result -> 'instance_id', 'frame', result -> 'frame',
      'analysis', result -> 'diagnostic_result', 'knowledge_version', result -> 'knowledge_version'),
    'feedback', NULL, 'note', NULL, 'created_by', result -> 'created_by',
    'created_at', result -> 'created_at', 'updated_at', result -> 'created_at')
$$;

UPDATE "core"."events" SET "document" = "core"."imaging_record_of"("document")
WHERE "kind" = 'imaging.completed' AND "document" ->> 'study_id' IS NOT NULL;

UPDATE "core"."jobs" SET "result" = json_build_object('kind', 'imaging', 'data', "core"."imaging_record_of"("result" -> 'data'))
WHERE "category" = 'imaging' AND "result" -> 'data' ->> 'study_id' IS NOT NULL;

UPDATE "core"."idempotency_records"
SET "response" = json_build_object('result', "core"."imaging_record_of"("response" -> 'result'), 'job', NULL)
WHERE "path" LIKE '/imaging/studies/%/analyze' AND "response" -> 'result' ->> 'study_id' IS NOT NULL;

DROP FUNCTION "core"."imaging_record_of"(JSON);

-- DropTable
DROP TABLE "core"."imaging_results";

-- Every kind has its own columns, all of them, and none of another's.
ALTER TABLE "core"."diagnostic_records" ADD CONSTRAINT "diagnostic_records_kind_check" CHECK (
  CASE "kind"
    WHEN 'imaging' THEN
      "study_id" IS NOT NULL AND "instance_id" IS NOT NULL AND "frame" IS NOT NULL AND "frame" >= 1
      AND "imaging" IS NOT NULL AND "knowledge_version" IS NOT NULL
      AND "input" IS NULL AND "result" IS NULL AND "differential" IS NULL
    WHEN 'analysis' THEN
      "patient_id" IS NOT NULL AND "input" IS NOT NULL AND "result" IS NOT NULL AND "differential" IS NULL
      AND num_nonnulls("study_id", "instance_id", "frame", "imaging", "knowledge_version") = 0
    WHEN 'differential' THEN
      "patient_id" IS NOT NULL AND "input" IS NOT NULL AND "result" IS NOT NULL AND "differential" IS NOT NULL
      AND num_nonnulls("study_id", "instance_id", "frame", "imaging", "knowledge_version") = 0
    ELSE false
  END
);

-- CreateIndex
CREATE INDEX "diagnostic_records_study_id_created_at_id_idx" ON "core"."diagnostic_records"("study_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "core"."diagnostic_records" ADD CONSTRAINT "diagnostic_records_study_id_fkey" FOREIGN KEY ("study_id") REFERENCES "core"."imaging_studies"("id") ON DELETE CASCADE ON UPDATE CASCADE;
