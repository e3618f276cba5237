-- CreateTable
CREATE TABLE "core"."interaction_overrides" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "patient_id" TEXT,
    "pair_key" TEXT NOT NULL,
    "medications" JSONB NOT NULL,
    "reason_code" TEXT NOT NULL,
    "reason_text" TEXT,
    "severity" TEXT NOT NULL,
    "rule_ids" TEXT[],
    "knowledge_version" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "interaction_overrides_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "interaction_overrides_account_id_created_at_id_idx" ON "core"."interaction_overrides"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "interaction_overrides_patient_id_created_at_id_idx" ON "core"."interaction_overrides"("patient_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "core"."interaction_overrides" ADD CONSTRAINT "interaction_overrides_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
