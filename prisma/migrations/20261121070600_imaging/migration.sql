-- CreateTable
CREATE TABLE "core"."imaging_studies" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "patient_id" TEXT,
    "description" TEXT,
    "source" TEXT NOT NULL,
    "study_uid" TEXT,
    "copied_from" TEXT,
    "modality" TEXT,
    "body_part" TEXT,
    "view" TEXT,
    "laterality" TEXT,
    "study_description" TEXT,
    "study_date" TEXT,
    "study_time" TEXT,
    "dicom_study_id" TEXT,
    "accession_number" TEXT,
    "dicom_patient_name" TEXT,
    "dicom_patient_id" TEXT,
    "identity" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imaging_studies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."imaging_instances" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "study_id" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "frames" INTEGER NOT NULL,
    "bits_stored" INTEGER NOT NULL,
    "photometric_interpretation" TEXT,
    "transfer_syntax_uid" TEXT,
    "is_lossy" BOOLEAN NOT NULL,
    "pixel_spacing_mm" JSONB,
    "window" JSONB,
    "modality" TEXT,
    "series_number" INTEGER,
    "instance_number" INTEGER,
    "series_uid" TEXT,
    "instance_uid" TEXT,
    "sop_class_uid" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imaging_instances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."imaging_results" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "study_id" TEXT NOT NULL,
    "instance_id" TEXT NOT NULL,
    "frame" INTEGER NOT NULL,
    "head_release" TEXT NOT NULL,
    "result" JSON NOT NULL,
    "knowledge_version" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imaging_results_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."imaging_uid_keys" (
    "account_id" TEXT NOT NULL,
    "key" BYTEA NOT NULL,

    CONSTRAINT "imaging_uid_keys_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "imaging_studies_account_id_created_at_id_idx" ON "core"."imaging_studies"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "imaging_studies_account_id_updated_at_id_idx" ON "core"."imaging_studies"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "imaging_studies_account_id_study_date_id_idx" ON "core"."imaging_studies"("account_id", "study_date", "id");

-- CreateIndex
CREATE INDEX "imaging_studies_patient_id_created_at_id_idx" ON "core"."imaging_studies"("patient_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "imaging_studies_account_id_study_uid_key" ON "core"."imaging_studies"("account_id", "study_uid");

-- CreateIndex
CREATE UNIQUE INDEX "imaging_studies_account_id_copied_from_key" ON "core"."imaging_studies"("account_id", "copied_from");

-- CreateIndex
CREATE INDEX "imaging_instances_study_id_created_at_id_idx" ON "core"."imaging_instances"("study_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "imaging_instances_study_id_instance_uid_key" ON "core"."imaging_instances"("study_id", "instance_uid");

-- CreateIndex
CREATE INDEX "imaging_results_study_id_created_at_id_idx" ON "core"."imaging_results"("study_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "core"."imaging_studies" ADD CONSTRAINT "imaging_studies_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."imaging_instances" ADD CONSTRAINT "imaging_instances_study_id_fkey" FOREIGN KEY ("study_id") REFERENCES "core"."imaging_studies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."imaging_results" ADD CONSTRAINT "imaging_results_study_id_fkey" FOREIGN KEY ("study_id") REFERENCES "core"."imaging_studies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The bytes of an instance must go when the instance goes, whoever deletes it: with its study, or with its patient.
CREATE FUNCTION "core"."release_imaging_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "core"."blob_intents" ("key") VALUES (OLD."id") ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER "imaging_instances_removed_releases_bytes" AFTER DELETE ON "core"."imaging_instances" FOR EACH ROW
  EXECUTE FUNCTION "core"."release_imaging_bytes"();
