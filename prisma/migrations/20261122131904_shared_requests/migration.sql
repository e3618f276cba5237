-- Which requests through a balancer have been taken, for some minutes: nothing is lost with it but that memory.
CREATE UNLOGGED TABLE "core"."shared_requests" (
    "sender" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shared_requests_pkey" PRIMARY KEY ("sender","number")
);

-- CreateIndex
CREATE INDEX "shared_requests_taken_at_idx" ON "core"."shared_requests"("taken_at");
