import type { Answer } from "@florin/client";

export type Batch = Answer<"getPaymentBatch">;

/** Items wait to be run. */
export const isUnderWay = ({ status }: Batch) => status === "PENDING" || status === "PROCESSING";
