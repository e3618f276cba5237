-- Lists of the records with one code, in the order that lists have unless another is asked for.
CREATE INDEX "medical_records_code_created_idx" ON "core"."medical_records"("account_id", ("code"->>'code'), "created_at", "id");
