-- Deliveries are made with the event itself, so there is nothing left to dispatch. Its index goes with the column.
ALTER TABLE "core"."events" DROP COLUMN "dispatched_at";

-- CreateTable
CREATE TABLE "core"."webhook_subscriptions" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "kinds" TEXT[],
    "payload" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "state_reason" TEXT,
    "state_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "is_slow" BOOLEAN NOT NULL DEFAULT false,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."webhook_deliveries" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "patient_id" TEXT,
    "version" TEXT,
    "body" TEXT,
    "state" TEXT NOT NULL,
    "ticket" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."webhook_attempts" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "outcome" TEXT NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE INDEX "webhook_subscriptions_account_id_created_at_id_idx" ON "core"."webhook_subscriptions"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_subscriptions_account_id_updated_at_id_idx" ON "core"."webhook_subscriptions"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_subscription_id_created_at_id_idx" ON "core"."webhook_deliveries"("subscription_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "core"."webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_patient_id_idx" ON "core"."webhook_deliveries"("patient_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "core"."webhook_deliveries"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_subscription_id_event_id_key" ON "core"."webhook_deliveries"("subscription_id", "event_id");

-- AddForeignKey
ALTER TABLE "core"."webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "core"."webhook_subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "core"."events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "core"."webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "core"."webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Only what is still to be queued: the index stays as small as the backlog. Prisma's schema cannot say it.
CREATE INDEX "webhook_deliveries_waiting_idx" ON "core"."webhook_deliveries"("created_at", "id") WHERE "state" = 'waiting';

-- Copies of a patient's data go with the patient, whoever deletes them. What is on its way to a receiver when a patient
-- is marked deleted still goes there with the same bytes, and is erased when it has arrived or was given up.
CREATE FUNCTION "core"."erase_event_copies"(patient TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "core"."events" e SET "document" = NULL
  WHERE e."patient_id" = patient AND e."document" IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM "core"."webhook_deliveries" d
    WHERE d."event_id" = e."id" AND d."state" IN ('waiting', 'held') AND d."body" IS NULL);
  UPDATE "core"."webhook_deliveries" SET "body" = NULL
  WHERE "patient_id" = patient AND "body" IS NOT NULL AND "state" IN ('delivered', 'failed');
END
$$;

CREATE FUNCTION "core"."patient_deleted_erases_event_copies"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "core"."erase_event_copies"(OLD."id");
  RETURN NULL;
END
$$;

CREATE FUNCTION "core"."patient_removed_erases_event_copies"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "core"."events" SET "document" = NULL WHERE "patient_id" = OLD."id" AND "document" IS NOT NULL;
  UPDATE "core"."webhook_deliveries" SET
    "state" = CASE WHEN "state" = 'delivered' THEN 'delivered' ELSE 'failed' END,
    "finished_at" = coalesce("finished_at", now()), "next_attempt_at" = NULL, "body" = NULL
  WHERE "patient_id" = OLD."id" AND ("body" IS NOT NULL OR "state" IN ('waiting', 'pending', 'held'));
  RETURN NULL;
END
$$;

CREATE TRIGGER "patients_deleted_erases_event_copies" AFTER UPDATE OF "deleted_at" ON "core"."patients" FOR EACH ROW
  WHEN (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL)
  EXECUTE FUNCTION "core"."patient_deleted_erases_event_copies"();

CREATE TRIGGER "patients_removed_erases_event_copies" AFTER DELETE ON "core"."patients" FOR EACH ROW
  EXECUTE FUNCTION "core"."patient_removed_erases_event_copies"();

-- The end of a delivery about a patient who has been deleted meanwhile.
CREATE FUNCTION "core"."delivery_ended_erases_copy"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "core"."patients" WHERE "id" = NEW."patient_id" AND "deleted_at" IS NOT NULL) THEN
    PERFORM "core"."erase_event_copies"(NEW."patient_id");
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "webhook_deliveries_ended_erases_copy" AFTER UPDATE OF "state" ON "core"."webhook_deliveries" FOR EACH ROW
  WHEN (NEW."patient_id" IS NOT NULL AND NEW."state" IS DISTINCT FROM OLD."state" AND NEW."state" IN ('pending', 'delivered', 'failed'))
  EXECUTE FUNCTION "core"."delivery_ended_erases_copy"();
