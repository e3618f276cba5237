-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "core";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "edge";

-- CreateTable
CREATE TABLE "core"."patients" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "dob" DATE NOT NULL,
    "sex" TEXT,
    "gender_identity" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "preferred_method" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "patients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."medical_records" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "patient_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "code" JSONB,
    "content" JSONB NOT NULL,
    "effective_at" TIMESTAMPTZ(3),
    "author" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "medical_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."diagnostic_records" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "patient_id" TEXT,
    "head_release" TEXT NOT NULL,
    "result" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "diagnostic_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "core"."idempotency_records" (
    "account_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "head_release" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "headers" JSONB NOT NULL,
    "response" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "edge"."accounts" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "pinned_release" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "edge"."api_keys" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "scopes" TEXT[],
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "edge"."audit_entries" (
    "seq" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "resource_ids" TEXT[],
    "status" INTEGER NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "edge"."usage_counters" (
    "day" DATE NOT NULL,
    "account_id" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "count" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_counters_pkey" PRIMARY KEY ("day","account_id","release","operation","client")
);

-- CreateIndex
CREATE INDEX "patients_account_id_name_id_idx" ON "core"."patients"("account_id", "name", "id");

-- CreateIndex
CREATE INDEX "patients_account_id_dob_id_idx" ON "core"."patients"("account_id", "dob", "id");

-- CreateIndex
CREATE INDEX "patients_account_id_created_at_id_idx" ON "core"."patients"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "patients_account_id_updated_at_id_idx" ON "core"."patients"("account_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "medical_records_patient_id_created_at_id_idx" ON "core"."medical_records"("patient_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "medical_records_patient_id_effective_at_id_idx" ON "core"."medical_records"("patient_id", "effective_at", "id");

-- CreateIndex
CREATE INDEX "medical_records_account_id_type_effective_at_id_idx" ON "core"."medical_records"("account_id", "type", "effective_at", "id");

-- CreateIndex
CREATE INDEX "diagnostic_records_account_id_created_at_id_idx" ON "core"."diagnostic_records"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "diagnostic_records_patient_id_idx" ON "core"."diagnostic_records"("patient_id");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "core"."idempotency_records"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "edge"."api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_account_id_idx" ON "edge"."api_keys"("account_id");

-- CreateIndex
CREATE INDEX "audit_entries_account_id_seq_idx" ON "edge"."audit_entries"("account_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_account_id_previous_hash_key" ON "edge"."audit_entries"("account_id", "previous_hash");

-- AddForeignKey
ALTER TABLE "core"."medical_records" ADD CONSTRAINT "medical_records_patient_id_fkey" FOREIGN KEY ("patient_id") REFERENCES "core"."patients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "edge"."api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "edge"."accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
