import { expect, it } from "vitest";
import { readPayReply } from "./read-pay-reply.ts";

const answer = (status: number, body: unknown) =>
  readPayReply({ kind: "answer", status, body: JSON.stringify(body) });
const coded = (code: string) => ({ status: "ERROR", code, reason: "so it is" });

it.each<[number, unknown, string]>([
  [404, coded("REQUEST_NOT_FOUND"), "LOOKUP_REQUEST_NOT_FOUND"],
  [404, coded("USER_NOT_FOUND"), "INVALID_RECEIVER"],
  [403, coded("USER_NOT_READY"), "INVALID_RECEIVER"],
  [400, coded("AMOUNT_OUT_OF_RANGE"), "AMOUNT_OUT_OF_RANGE"],
  [400, coded("INVALID_CURRENCY"), "INVALID_CURRENCY"],
  [400, coded("MISSING_MANDATORY_PAYER_DATA"), "MISSING_MANDATORY_USER_INFO"],
  [400, coded("SENDER_NOT_ACCEPTED"), "SENDER_NOT_ACCEPTED"],
  [403, coded("COUNTERPARTY_NOT_ALLOWED"), "SENDER_NOT_ACCEPTED"],
  [403, coded("VELOCITY_LIMIT_EXCEEDED"), "VELOCITY_LIMIT_EXCEEDED"],
  [501, coded("UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"), "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"],
  [400, coded("UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"), "QUOTE_REQUEST_FAILED"],
  [501, coded("AMOUNT_OUT_OF_RANGE"), "PAYREQ_REQUEST_FAILED"],
  [400, coded("OTHER"), "QUOTE_REQUEST_FAILED"],
  [404, "not here", "QUOTE_REQUEST_FAILED"],
  [412, { supportedMajorVersions: [0] }, "NO_COMPATIBLE_UMA_VERSION"],
  [412, { supportedMajorVersions: [1] }, "NO_COMPATIBLE_UMA_VERSION"],
  [412, "not here", "UNSUPPORTED_UMA_VERSION"],
  [302, "", "PAYREQ_REQUEST_FAILED"],
  [429, coded("AMOUNT_OUT_OF_RANGE"), "PAYREQ_REQUEST_FAILED"],
  [500, coded("AMOUNT_OUT_OF_RANGE"), "PAYREQ_REQUEST_FAILED"],
  [503, "", "PAYREQ_REQUEST_FAILED"],
])("%i %j is refused with %s", (status, body, code) => {
  expect(answer(status, body)).toMatchObject({ kind: "refused", code });
});

it("an answer is its body, and none has a reason", () => {
  expect(answer(200, { pr: "x" })).toEqual({ kind: "body", body: '{"pr":"x"}' });
  expect(readPayReply({ kind: "failed", reason: "reset" })).toEqual({
    kind: "refused",
    code: "PAYREQ_REQUEST_FAILED",
    details: { reason: "reset" },
  });
});

it("words of the other side are told, cut and without what a terminal obeys", () => {
  const reason = `\u001b[31m${"x".repeat(300)}`;
  expect(answer(400, { code: "OTHER", reason })).toMatchObject({
    details: {
      counterpartyCode: "OTHER",
      counterpartyReason: expect.not.stringContaining("\u001b"),
    },
  });
});
