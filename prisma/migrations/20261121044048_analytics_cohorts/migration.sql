-- CreateTable
CREATE TABLE "core"."cohorts" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "criteria" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cohorts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "cohorts_account_id_name_id_idx" ON "core"."cohorts"("account_id", "name", "id");

-- CreateIndex
CREATE INDEX "cohorts_account_id_created_at_id_idx" ON "core"."cohorts"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "cohorts_account_id_updated_at_id_idx" ON "core"."cohorts"("account_id", "updated_at", "id");

-- Prisma has no words for indexes of expressions. Analytics look for all records of one type whose code begins with
-- something, whoever they belong to.
CREATE INDEX "medical_records_analytics_idx" ON "core"."medical_records"("account_id", "type", ("code"->>'code') text_pattern_ops, "patient_id")
  WHERE "deleted_at" IS NULL;
