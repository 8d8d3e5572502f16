/** The code of an object that does not exist, by the parameter of the path that names the object. */
import { describe, expect, it } from "vitest";
import type { RefusalCode } from "../../engine/refusal.ts";
import { operations } from "../operations/routes.ts";

const CODES: Readonly<Record<string, RefusalCode>> = {
  approvalId: "APPROVAL_NOT_FOUND",
  customerId: "USER_NOT_FOUND",
  endpointId: "WEBHOOK_ENDPOINT_NOT_FOUND",
  eventId: "EVENT_NOT_FOUND",
  exportId: "EXPORT_NOT_FOUND",
  jobId: "BULK_UPLOAD_JOB_NOT_FOUND",
  posting: "POSTING_NOT_FOUND",
  quoteId: "QUOTE_NOT_FOUND",
  requestLogId: "REQUEST_LOG_NOT_FOUND",
  statementId: "STATEMENT_NOT_FOUND",
  tokenId: "TOKEN_NOT_FOUND",
  transactionId: "TRANSACTION_NOT_FOUND",
};

const named = operations.flatMap(({ id, path, refusals }) => {
  const parameter = /\{(\w+)\}/.exec(path)?.[1] ?? "";
  const code = CODES[parameter];
  return code === undefined ? [] : [{ id, code, refusals }];
});

describe("an operation on an object with a code of its own", () => {
  it.each(named)("$id may answer $code", ({ code, refusals }) => {
    expect(refusals).toContain(code);
  });

  it("is there for each code", () => {
    expect(new Set(named.map(({ code }) => code))).toEqual(new Set(Object.values(CODES)));
  });
});
