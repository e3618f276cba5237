-- AlterTable
ALTER TABLE "core"."patients" ADD COLUMN     "search_text" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "core"."patient_changes" (
    "patient_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "account_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "fields" TEXT[],
    "key_id" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "patient_changes_pkey" PRIMARY KEY ("patient_id","revision")
);

-- CreateTable
CREATE TABLE "core"."record_versions" (
    "record_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "account_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "fields" TEXT[],
    "snapshot" JSONB NOT NULL,
    "key_id" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "record_versions_pkey" PRIMARY KEY ("record_id","revision")
);

-- CreateTable
CREATE TABLE "core"."attachments" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "patient_id" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "description" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "attachments_record_id_created_at_id_idx" ON "core"."attachments"("record_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "medical_records_account_id_created_at_id_idx" ON "core"."medical_records"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "medical_records_account_id_updated_at_id_idx" ON "core"."medical_records"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "medical_records_account_id_effective_at_id_idx" ON "core"."medical_records"("account_id", "effective_at", "id");

-- AddForeignKey
ALTER TABLE "core"."patient_changes" ADD CONSTRAINT "patient_changes_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."record_versions" ADD CONSTRAINT "record_versions_record_id_fkey" FOREIGN KEY ("record_id") REFERENCES "core"."medical_records"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."attachments" ADD CONSTRAINT "attachments_record_id_fkey" FOREIGN KEY ("record_id") REFERENCES "core"."medical_records"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Prisma has no words for what follows: indexes of expressions, functions and a trigger.

-- Records by code, and patients by email and by when they were deleted.
CREATE INDEX "medical_records_code_idx" ON "core"."medical_records"("account_id", ("code"->>'code'), "effective_at", "id");
CREATE INDEX "patients_email_idx" ON "core"."patients"("account_id", lower("email"));
CREATE INDEX "patients_deleted_idx" ON "core"."patients"("account_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;

-- The words of a text: small letters and digits without accents, a space before, between and after. Each character of
-- a script that writes no spaces is a word.
CREATE FUNCTION "core"."search_words"("value" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  ' ' || btrim(regexp_replace(
    regexp_replace(
      translate(
        replace(replace(replace(replace(
          lower(regexp_replace(normalize("value", NFKD), '[\u0300-\u036f]', '', 'g')),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        'øłđðıħŧŋ''’', 'olddihtn'),
      '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
    '[^[:alnum:]]+', ' ', 'g')) || ' ';

-- What a patient is found by: the words of the name, a bar, the words of the mailbox and the digits of the number.
CREATE FUNCTION "core"."patient_search_text"("name" text, "email" text, "phone" text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  "core"."search_words"("name") || '|' || "core"."search_words"(split_part(coalesce("email", ''), '@', 1))
    || regexp_replace(coalesce("phone", ''), '\D', '', 'g') || ' ';

-- The parts of three characters that a text of words has, each with the account it belongs to: a search reads the
-- index of its own account only. As numbers, because they are a third as large.
CREATE FUNCTION "core"."search_grams"("account" text, "words" text) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
    SELECT coalesce(array_agg(DISTINCT hashtextextended("account" || ' ' || substr('  ' || "word", "at", 3), 0)), '{}')
    FROM regexp_split_to_table("words", '[ |]+') AS "word", generate_series(1, length("word")) AS "at");

-- The parts that a text must have to hold every word asked for: a part of a word from three characters on, the
-- beginning of one below that.
CREATE FUNCTION "core"."search_probe"("account" text, "words" text) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
    SELECT coalesce(array_agg(DISTINCT hashtextextended("account" || ' ' || "gram", 0)), '{}')
    FROM regexp_split_to_table(btrim("words"), ' +') AS "word",
      LATERAL (
        SELECT substr("word", "at", 3) AS "gram" FROM generate_series(1, length("word") - 2) AS "at"
        UNION ALL
        SELECT lpad("word", 3) WHERE length("word") BETWEEN 1 AND 2
      ) AS "grams");

CREATE FUNCTION "core"."write_patient_search_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."search_text" := "core"."patient_search_text"(NEW."name", NEW."email", NEW."phone");
  RETURN NEW;
END
$$;

CREATE TRIGGER "patients_search_text" BEFORE INSERT OR UPDATE ON "core"."patients" FOR EACH ROW EXECUTE FUNCTION "core"."write_patient_search_text"();

UPDATE "core"."patients" SET "search_text" = '';

-- Without the list of pending entries, which every search would have to read through.
CREATE INDEX "patients_search_idx" ON "core"."patients" USING gin ("core"."search_grams"("account_id", "search_text"))
  WITH (fastupdate = off);
