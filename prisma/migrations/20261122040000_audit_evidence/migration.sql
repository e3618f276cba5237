-- AlterTable
ALTER TABLE "edge"."audit_entries" ADD COLUMN     "address" TEXT,
ADD COLUMN     "client" TEXT,
ADD COLUMN     "purpose" TEXT,
ADD COLUMN     "signing_key" TEXT;

-- CreateTable
CREATE TABLE "edge"."audit_heads" (
    "account_id" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "signing_key" TEXT NOT NULL,
    "mac" TEXT NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("account_id")
);
