import type * as Api from "./api-types.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import {
  type ExpandOptions,
  expanding,
  type ReadOptions,
  type RequestOptions,
} from "./transport.ts";

/** Orders that need the approval of people, who decide in the console. */
export function approvalCalls(send: Send) {
  return {
    list: (query?: Api.ListApprovalsQuery, options?: ReadOptions) =>
      list<"listApprovals">(send, { method: "GET", path: ["approvals"], query }, options),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getApproval">(
        { method: "GET", path: ["approvals", id], ...expanding(expand) },
        options,
      ),
  };
}

/** Corrections of balances. */
export function adjustmentCalls(send: Send) {
  return {
    /** Needs the approval of another person, so the answer is an approval. */
    create: (body: Api.CreateAdjustmentBody, options?: RequestOptions) =>
      send<"createAdjustment">({ method: "POST", path: ["adjustments"], body }, options),
    list: (query?: Api.ListAdjustmentsQuery, options?: ReadOptions) =>
      list<"listAdjustments">(send, { method: "GET", path: ["adjustments"], query }, options),
  };
}
