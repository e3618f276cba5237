-- Nothing has written to this table so far: there are no rows that the new columns would need values for.

-- DropIndex
DROP INDEX "core"."diagnostic_records_patient_id_idx";

-- AlterTable
ALTER TABLE "core"."diagnostic_records" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "differential" JSON,
ADD COLUMN     "feedback" JSON,
ADD COLUMN     "input" JSON NOT NULL,
ADD COLUMN     "key_id" TEXT NOT NULL,
ADD COLUMN     "kind" TEXT NOT NULL,
ADD COLUMN     "note" TEXT,
ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "status" TEXT NOT NULL,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ALTER COLUMN "patient_id" SET NOT NULL,
ALTER COLUMN "result" SET DATA TYPE JSON;

-- CreateIndex
CREATE INDEX "diagnostic_records_account_id_updated_at_id_idx" ON "core"."diagnostic_records"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "diagnostic_records_patient_id_created_at_id_idx" ON "core"."diagnostic_records"("patient_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "core"."diagnostic_records" ADD CONSTRAINT "diagnostic_records_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
