-- CreateTable
CREATE TABLE "core"."blob_intents" (
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blob_intents_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "blob_intents_created_at_idx" ON "core"."blob_intents"("created_at");
