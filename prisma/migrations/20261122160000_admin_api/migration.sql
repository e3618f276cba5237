-- AlterTable
ALTER TABLE "edge"."accounts" ADD COLUMN     "mode" TEXT,
ADD COLUMN     "pin_raised_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_pin" TEXT,
ADD COLUMN     "tier" TEXT NOT NULL DEFAULT 'standard';

-- AlterTable
ALTER TABLE "edge"."api_keys" ADD COLUMN     "allowed_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "name" TEXT,
ADD COLUMN     "quota_per_day" INTEGER,
ADD COLUMN     "rate_per_minute" INTEGER;

-- CreateTable
CREATE TABLE "edge"."lifecycle_acts" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "account_id" TEXT,
    "deprecated" TEXT,
    "sunset" TEXT,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "share" INTEGER,
    "accounts" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "reason" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),
    "withdrawn_by" TEXT,
    "withdrawn_reason" TEXT,

    CONSTRAINT "lifecycle_acts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "lifecycle_acts_release_created_at_idx" ON "edge"."lifecycle_acts"("release", "created_at");

-- Prisma's schema has no words for what follows.
ALTER TABLE "edge"."lifecycle_acts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "account" ON "edge"."lifecycle_acts" USING ("account_id" = current_setting('perennial.account', true));

-- An account is for tests or for real patients, and so is each of its keys: what is tried out with a test key can
-- touch nobody. Accounts from before take the mode of the keys they have; the first key decides for all others.
UPDATE "edge"."accounts" AS a SET "mode" = CASE
  WHEN EXISTS (SELECT 1 FROM "edge"."api_keys" k WHERE k."account_id" = a."id" AND k."mode" = 'live') THEN 'live'
  WHEN EXISTS (SELECT 1 FROM "edge"."api_keys" k WHERE k."account_id" = a."id") THEN 'test'
END;

CREATE FUNCTION edge.keep_modes_apart() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known TEXT;
BEGIN
  UPDATE edge.accounts SET mode = NEW.mode WHERE id = NEW.account_id AND mode IS NULL;
  SELECT mode INTO known FROM edge.accounts WHERE id = NEW.account_id;
  IF known IS DISTINCT FROM NEW.mode THEN
    RAISE EXCEPTION 'a % key cannot be of a % account', NEW.mode, known USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER keep_modes_apart BEFORE INSERT OR UPDATE OF mode, account_id ON edge.api_keys
  FOR EACH ROW EXECUTE FUNCTION edge.keep_modes_apart();

-- Keys that speak of every account are made by the owner of the tables, at the command line: a gateway makes keys for
-- customers and none that would open the others.
CREATE FUNCTION edge.forbid_operator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF 'operator' = ANY (NEW.scopes)
    AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RAISE EXCEPTION 'permission denied: only the owner makes keys of operators' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER forbid_operator BEFORE INSERT OR UPDATE OF scopes ON edge.api_keys
  FOR EACH ROW EXECUTE FUNCTION edge.forbid_operator();

-- What gateways remember of a key has grown.
DROP TRIGGER announce_key ON edge.api_keys;
CREATE TRIGGER announce_key
  AFTER INSERT OR DELETE
    OR UPDATE OF hash, account_id, format, scopes, expires_at, revoked_at, rate_per_minute, quota_per_day, allowed_addresses
  ON edge.api_keys
  FOR EACH ROW EXECUTE FUNCTION edge.announce_key();
DROP TRIGGER announce_account ON edge.accounts;
CREATE TRIGGER announce_account
  AFTER UPDATE OF pinned_release, tier ON edge.accounts
  FOR EACH STATEMENT EXECUTE FUNCTION edge.announce_all_keys();

-- Whoever moves a date says so here, in the transaction of the change, and every gateway reads them anew.
CREATE FUNCTION edge.announce_lifecycle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('perennial_lifecycle', '');
  RETURN NULL;
END
$$;
CREATE TRIGGER announce_lifecycle
  AFTER INSERT OR UPDATE OR DELETE ON edge.lifecycle_acts
  FOR EACH STATEMENT EXECUTE FUNCTION edge.announce_lifecycle();
