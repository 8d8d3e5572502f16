import type * as Api from "./api-types.ts";
import type * as Names from "./names.ts";
import type { OperationCall, OperationId, Send } from "./operations.ts";
import { type ExecuteOptions, stampHeaders } from "./quote-calls.ts";
import type { ReadOptions } from "./transport.ts";

/** The operations that can be tried out. */
type DryRunId = {
  [Id in OperationId]: Api.Operations[Id] extends { readonly dryRun: unknown } ? Id : never;
}[OperationId];

type DryRun<Id extends DryRunId> = Api.Operations[Id] extends { readonly dryRun: infer Answer }
  ? Answer
  : never;

/** A dry run changes nothing, so it has no idempotency key. */
type DryOptions = Omit<ExecuteOptions, "idempotencyKey">;

function trying(send: Send) {
  return async <Id extends DryRunId>(call: OperationCall<Id>, options?: ReadOptions) => {
    const dry = { ...call, isDryRun: true } as unknown as OperationCall<OperationId>;
    return (await send<OperationId>(dry, options)) as unknown as DryRun<Id>;
  };
}

/** What a payment would do: the server decides it and undoes it. A refusal is that of the payment itself. */
export function dryRunCalls(send: Send) {
  const attempt = trying(send);
  return {
    transfer: (body: Names.BookTransfer, options?: ReadOptions) =>
      attempt<"createTransfer">({ method: "POST", path: ["transfers"], body }, options),
    transferOut: (body: Names.TransferOut, options?: ReadOptions) =>
      attempt<"transferOut">({ method: "POST", path: ["transfer-out"], body }, options),
    transferIn: (body: Names.TransferIn, options?: ReadOptions) =>
      attempt<"transferIn">({ method: "POST", path: ["transfer-in"], body }, options),
    quote: (body: Names.NewQuote, options?: ReadOptions) =>
      attempt<"createQuote">({ method: "POST", path: ["quotes"], body }, options),
    executeQuote: (id: string, { walletSignature, ...options }: DryOptions = {}) => {
      const headers = stampHeaders(walletSignature);
      return attempt<"executeQuote">(
        { method: "POST", path: ["quotes", id, "execute"], headers },
        options,
      );
    },
    refund: (id: string, body: Names.RefundPayment, options?: ReadOptions) =>
      attempt<"refundTransaction">(
        { method: "POST", path: ["transactions", id, "refund"], body },
        options,
      ),
    capture: (holdId: string, body: Names.HoldCapture, options?: ReadOptions) =>
      attempt<"captureHold">({ method: "POST", path: ["holds", holdId, "capture"], body }, options),
    batch: (body: Api.CreatePaymentBatchBody, options?: ReadOptions) =>
      attempt<"createPaymentBatch">({ method: "POST", path: ["payment-batches"], body }, options),
    adjustment: (body: Api.CreateAdjustmentBody, options?: ReadOptions) =>
      attempt<"createAdjustment">({ method: "POST", path: ["adjustments"], body }, options),
  };
}

/** What a payment of the agent would do, by its policy. */
export function ownDryRunCalls(send: Send) {
  const attempt = trying(send);
  const me = ["agents", "me"] as const;
  return {
    transferOut: (body: Names.AgentTransferOut, options?: ReadOptions) =>
      attempt<"agentTransferOut">({ method: "POST", path: [...me, "transfer-out"], body }, options),
    transferIn: (body: Names.AgentTransferIn, options?: ReadOptions) =>
      attempt<"agentTransferIn">({ method: "POST", path: [...me, "transfer-in"], body }, options),
    quote: (body: Names.NewQuote, options?: ReadOptions) =>
      attempt<"agentCreateQuote">({ method: "POST", path: [...me, "quotes"], body }, options),
    executeQuote: (id: string, { walletSignature, ...options }: DryOptions = {}) => {
      const headers = stampHeaders(walletSignature);
      return attempt<"agentExecuteQuote">(
        { method: "POST", path: [...me, "quotes", id, "execute"], headers },
        options,
      );
    },
  };
}
