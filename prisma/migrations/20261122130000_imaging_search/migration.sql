-- Attributes that DICOMweb searches by. Those of a study that is there already are in what was noted of its first file;
-- those of a series are in the files only, and stay unknown until the file is stored again.

-- AlterTable
ALTER TABLE "core"."imaging_instances" ADD COLUMN     "performed_date" TEXT,
ADD COLUMN     "performed_time" TEXT,
ADD COLUMN     "series_date" TEXT,
ADD COLUMN     "series_description" TEXT,
ADD COLUMN     "series_time" TEXT;

-- AlterTable
ALTER TABLE "core"."imaging_studies" ADD COLUMN     "patient_birth_date" TEXT,
ADD COLUMN     "patient_sex" TEXT,
ADD COLUMN     "referring_physician" TEXT;

UPDATE "core"."imaging_studies" s SET
  "patient_birth_date" = (SELECT t->>'value' FROM jsonb_array_elements(s.identity->'patient_tags') t
    WHERE t->>'tag' = '00100030' AND t->>'value' ~ '^[0-9]{8}$' LIMIT 1),
  "patient_sex" = (SELECT t->>'value' FROM jsonb_array_elements(s.identity->'patient_tags') t
    WHERE t->>'tag' = '00100040' AND t->>'value' ~ '^[A-Z0-9_ ]{1,16}$' LIMIT 1),
  "referring_physician" = (SELECT t->>'value' FROM jsonb_array_elements(s.identity->'patient_tags') t
    WHERE t->>'tag' = '00080090' LIMIT 1)
WHERE s.source = 'dicom';
