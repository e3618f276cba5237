-- A second wall between accounts: whoever is not the owner sees the rows of one account, the one that the transaction
-- has entered (`perennial.account`), and writes no others. Queries name the account all the same; should one forget it,
-- it finds no more than it should. Prisma's schema has no words for any of this.

ALTER TABLE "core"."patients" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."medical_records" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."patient_changes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."record_versions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."attachments" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."diagnostic_records" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."interaction_overrides" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."imaging_studies" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."imaging_instances" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."imaging_uid_keys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."cohorts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."idempotency_records" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."events" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."jobs" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."webhook_subscriptions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."webhook_deliveries" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."bulk_requests" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "edge"."accounts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "edge"."api_keys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "edge"."audit_entries" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "edge"."audit_heads" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "edge"."usage_counters" ENABLE ROW LEVEL SECURITY;

-- Written as the planner likes it: beside `account_id = …` of a query it becomes one comparison of two constants.
CREATE POLICY "account" ON "core"."patients" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."medical_records" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."patient_changes" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."record_versions" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."attachments" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."diagnostic_records" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."interaction_overrides" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."imaging_studies" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."imaging_instances" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."imaging_uid_keys" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."cohorts" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."idempotency_records" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."events" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."jobs" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."webhook_subscriptions" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."webhook_deliveries" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "core"."bulk_requests" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "edge"."accounts" USING ("id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "edge"."api_keys" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "edge"."audit_entries" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "edge"."audit_heads" USING ("account_id" = current_setting('perennial.account', true));
CREATE POLICY "account" ON "edge"."usage_counters" USING ("account_id" = current_setting('perennial.account', true));

-- Rows of which another row says whose they are. That one is behind the wall itself.
ALTER TABLE "core"."bulk_items" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core"."webhook_attempts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "account" ON "core"."bulk_items"
  USING (EXISTS (SELECT 1 FROM "core"."bulk_requests" AS "request" WHERE "request"."id" = "bulk_id"));
CREATE POLICY "account" ON "core"."webhook_attempts"
  USING (EXISTS (SELECT 1 FROM "core"."webhook_deliveries" AS "delivery" WHERE "delivery"."id" = "delivery_id"));

-- The way round the wall, for the work that concerns every account. Where the services have logins of their own, it is
-- made anew to take on their role (prisma/roles.ts); the owner needs none.
CREATE FUNCTION "core"."enter_system"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('perennial.account', '', true);
END
$$;

-- The same wall for searches. On a table with policies PostgreSQL reads no index by an operator that might tell of
-- what it compares (LIKE, ->>, @>), because the policy must come first. The owner's views are plain conditions to it.
CREATE VIEW "core"."own_patients" AS
  SELECT * FROM "core"."patients" WHERE "account_id" = current_setting('perennial.account', true);
CREATE VIEW "core"."own_records" AS
  SELECT * FROM "core"."medical_records" WHERE "account_id" = current_setting('perennial.account', true);
