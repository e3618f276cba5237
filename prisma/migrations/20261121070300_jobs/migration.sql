-- CreateTable
CREATE TABLE "core"."jobs" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "patient_id" TEXT,
    "state" TEXT NOT NULL,
    "input" JSONB,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "stalls" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "error" JSONB,
    "result" JSON,
    "head_release" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "jobs_account_id_created_at_id_idx" ON "core"."jobs"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "jobs_state_leased_until_idx" ON "core"."jobs"("state", "leased_until");

-- CreateIndex
CREATE INDEX "jobs_state_expires_at_idx" ON "core"."jobs"("state", "expires_at");

-- CreateIndex
CREATE INDEX "jobs_patient_id_idx" ON "core"."jobs"("patient_id");

-- AddForeignKey
ALTER TABLE "core"."jobs" ADD CONSTRAINT "jobs_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
