-- AlterTable
ALTER TABLE "core"."idempotency_records" ADD COLUMN     "erased_at" TIMESTAMPTZ(3),
ADD COLUMN     "patient_ids" TEXT[],
ADD COLUMN     "revision" INTEGER;

-- CreateIndex
CREATE INDEX "idempotency_records_patient_ids_idx" ON "core"."idempotency_records" USING GIN ("patient_ids");

-- An answer that tells of a patient goes when the patient goes, whoever deletes them. What stays is that the key was
-- used, so that a late repetition of the write is refused and does not make the patient again.
CREATE FUNCTION "core"."erase_idempotent_answers"(account TEXT, patient TEXT) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  erased INTEGER;
BEGIN
  UPDATE "core"."idempotency_records"
  SET "response" = NULL, "headers" = '{}', "body_hash" = '', "path" = '', "revision" = NULL, "patient_ids" = '{}',
    "erased_at" = now()
  WHERE "account_id" = account AND "patient_ids" @> ARRAY[patient];
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;

CREATE FUNCTION "core"."erase_answers_about_patient"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "core"."erase_idempotent_answers"(OLD."account_id", OLD."id");
  RETURN NULL;
END
$$;

CREATE TRIGGER "patients_deleted_erases_answers" AFTER UPDATE OF "deleted_at" ON "core"."patients" FOR EACH ROW
  WHEN (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL)
  EXECUTE FUNCTION "core"."erase_answers_about_patient"();

CREATE TRIGGER "patients_removed_erases_answers" AFTER DELETE ON "core"."patients" FOR EACH ROW
  EXECUTE FUNCTION "core"."erase_answers_about_patient"();
