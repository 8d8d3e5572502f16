import { formOf } from "./document-calls.ts";
import type * as Names from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

export function paymentBatchCalls(send: Send) {
  return {
    /** Many payments in one call. `get` shows how far an INDEPENDENT batch has come, `items` what became of each payment. */
    create: (body: Names.NewPaymentBatch, options?: RequestOptions) =>
      send<"createPaymentBatch">({ method: "POST", path: ["payment-batches"], body }, options),
    /** A CSV file with a row a payment, as a spreadsheet saves it. */
    upload: (file: Names.NewPaymentBatchFile, options?: RequestOptions) =>
      send<"createPaymentBatchFromCsv">(
        {
          method: "POST",
          path: ["payment-batches", "csv"],
          body: formOf({ fileName: "payments.csv", ...file }),
        },
        options,
      ),
    list: (query?: Names.PaymentBatchQuery, options?: ReadOptions) =>
      list<"listPaymentBatches">(
        send,
        { method: "GET", path: ["payment-batches"], query },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getPaymentBatch">({ method: "GET", path: ["payment-batches", id] }, options),
    items: (id: string, query?: Names.PaymentBatchItemQuery, options?: ReadOptions) =>
      list<"listPaymentBatchItems">(
        send,
        { method: "GET", path: ["payment-batches", id, "items"], query },
        options,
      ),
    /** Items that have not run never run. */
    cancel: (id: string, options?: RequestOptions) =>
      send<"cancelPaymentBatch">(
        { method: "POST", path: ["payment-batches", id, "cancel"] },
        options,
      ),
  };
}
