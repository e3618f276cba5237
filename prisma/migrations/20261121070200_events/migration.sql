-- CreateTable
CREATE TABLE "core"."events" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "patient_id" TEXT,
    "sequence" INTEGER NOT NULL,
    "head_release" TEXT NOT NULL,
    "document" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "dispatched_at" TIMESTAMPTZ(3),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."event_sequences" (
    "object_id" TEXT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "event_sequences_pkey" PRIMARY KEY ("object_id")
);

-- CreateIndex
CREATE INDEX "events_account_id_created_at_id_idx" ON "core"."events"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "events_patient_id_idx" ON "core"."events"("patient_id");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "core"."events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_object_id_sequence_key" ON "core"."events"("object_id", "sequence");

-- Only what is still to be dispatched: the index stays as small as the backlog. Prisma's schema cannot say it.
CREATE INDEX "events_undispatched_idx" ON "core"."events"("created_at", "id") WHERE "dispatched_at" IS NULL;
