-- CreateTable
CREATE TABLE "core"."bulk_requests" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "job_id" TEXT,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bulk_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."bulk_items" (
    "bulk_id" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "action" TEXT,
    "status" TEXT NOT NULL,
    "input" JSON,
    "object_id" TEXT,
    "patient_id" TEXT,
    "data" JSON,
    "error" JSON,

    CONSTRAINT "bulk_items_pkey" PRIMARY KEY ("bulk_id","index")
);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_requests_job_id_key" ON "core"."bulk_requests"("job_id");

-- CreateIndex
CREATE INDEX "bulk_requests_touched_at_idx" ON "core"."bulk_requests"("touched_at");

-- CreateIndex
CREATE INDEX "bulk_items_patient_id_idx" ON "core"."bulk_items"("patient_id");

-- AddForeignKey
ALTER TABLE "core"."bulk_requests" ADD CONSTRAINT "bulk_requests_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "core"."jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."bulk_items" ADD CONSTRAINT "bulk_items_bulk_id_fkey" FOREIGN KEY ("bulk_id") REFERENCES "core"."bulk_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."bulk_items" ADD CONSTRAINT "bulk_items_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
