/** The calls of batches of payments, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

export const batchRows: readonly Row[] = [
  [
    "paymentBatches.create",
    (c) => c.paymentBatches.create({ mode: "INDEPENDENT", items: [] }),
    "POST /payment-batches",
  ],
  [
    "paymentBatches.upload",
    (c) => c.paymentBatches.upload({ file: new Blob(["reference"]), mode: "INDEPENDENT" }),
    "POST /payment-batches/csv",
  ],
  [
    "paymentBatches.list",
    (c) => c.paymentBatches.list({ status: "PROCESSING" }),
    "GET /payment-batches?status=PROCESSING",
  ],
  [
    "paymentBatches.get",
    (c) => c.paymentBatches.get("PaymentBatch:1"),
    "GET /payment-batches/PaymentBatch%3A1",
  ],
  [
    "paymentBatches.items",
    (c) => c.paymentBatches.items("PaymentBatch:1", { status: "REFUSED" }),
    "GET /payment-batches/PaymentBatch%3A1/items?status=REFUSED",
  ],
  [
    "paymentBatches.cancel",
    (c) => c.paymentBatches.cancel("PaymentBatch:1"),
    "POST /payment-batches/PaymentBatch%3A1/cancel",
  ],
];
