/** Payments to another institution that come to nothing: what this side refuses, and what is refused of the other side's answer. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RawAnswer } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { BOB, openPays, type PaysStory } from "../../kit/story-uma-pays.ts";
import type { UmaPayee } from "../../kit/uma-payee.ts";

let story: PaysStory;
beforeAll(async () => {
  story = await openPays();
});
afterAll(() => story.close());
let before: string;
beforeEach(async () => {
  story.payee.invoices.asked.length = 0;
  before = await stored();
});
/** Whatever is refused leaves nothing behind. */
afterEach(async () => {
  expect(await stored()).toBe(before);
  Object.assign(story.payee, { pay: undefined, editPay: undefined });
  Object.assign(story.payee.invoices, { invoice: undefined });
  story.payee.invoices.terms.fee = 0;
  story.invoiceMs = 600_000;
});

async function stored(): Promise<string> {
  const { rows } = await story.server.database.asSuperuser((client) =>
    client.query(
      "select (select count(*) from quotes) as quotes, (select count(*) from transactions) as payments, " +
        "(select count(*) from quote_invoices) as invoices, (select count(*) from rail_payments) as orders",
    ),
  );
  return JSON.stringify(rows);
}

function refusedWith({ status, json }: RawAnswer, told: readonly [number, string, object?]): void {
  const [wantedStatus, code, details] = told;
  expect([status, json.code]).toEqual([wantedStatus, code]);
  if (details !== undefined) expect(json.details).toMatchObject(details);
}

const reply =
  (status: number, body: unknown): NonNullable<UmaPayee["pay"]> =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
const refusal = (code: string) => ({ status: "ERROR", code, reason: "so it is" });

describe("an institution that does not offer an invoice", () => {
  it.each<[number, unknown, readonly [number, string, object?]]>([
    [404, refusal("REQUEST_NOT_FOUND"), [404, "LOOKUP_REQUEST_NOT_FOUND"]],
    [404, refusal("USER_NOT_FOUND"), [400, "INVALID_RECEIVER"]],
    [403, refusal("USER_NOT_READY"), [400, "INVALID_RECEIVER"]],
    [400, refusal("AMOUNT_OUT_OF_RANGE"), [400, "AMOUNT_OUT_OF_RANGE"]],
    [400, refusal("INVALID_CURRENCY"), [400, "INVALID_CURRENCY"]],
    [400, refusal("MISSING_MANDATORY_PAYER_DATA"), [400, "MISSING_MANDATORY_USER_INFO"]],
    [400, refusal("SENDER_NOT_ACCEPTED"), [400, "SENDER_NOT_ACCEPTED"]],
    [403, refusal("COUNTERPARTY_NOT_ALLOWED"), [400, "SENDER_NOT_ACCEPTED"]],
    [403, refusal("VELOCITY_LIMIT_EXCEEDED"), [403, "VELOCITY_LIMIT_EXCEEDED"]],
    [
      501,
      refusal("UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"),
      [501, "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY"],
    ],
    [
      400,
      refusal("WHATEVER"),
      [
        400,
        "QUOTE_REQUEST_FAILED",
        { counterpartyCode: "WHATEVER", counterpartyReason: "so it is" },
      ],
    ],
    [404, "not here", [400, "QUOTE_REQUEST_FAILED"]],
    [412, { supportedMajorVersions: [0] }, [424, "NO_COMPATIBLE_UMA_VERSION"]],
    [412, { supportedMajorVersions: [1] }, [424, "NO_COMPATIBLE_UMA_VERSION"]],
    [412, "not here", [412, "UNSUPPORTED_UMA_VERSION"]],
    [302, "", [424, "PAYREQ_REQUEST_FAILED"]],
    [429, refusal("RATE_LIMITED"), [424, "PAYREQ_REQUEST_FAILED"]],
    [500, refusal("INTERNAL_ERROR"), [424, "PAYREQ_REQUEST_FAILED"]],
    [503, "", [424, "PAYREQ_REQUEST_FAILED"]],
    [200, "no object", [400, "PARSE_PAYREQ_RESPONSE_ERROR"]],
    [200, {}, [400, "PARSE_PAYREQ_RESPONSE_ERROR"]],
    [200, refusal("WHATEVER"), [400, "PARSE_PAYREQ_RESPONSE_ERROR"]],
  ])("with %i %j is told", async (status, body, told) => {
    story.payee.pay = reply(status, body);
    refusedWith(await story.quote(), told);
  });

  it("breaks off, or says more than is read", async () => {
    story.payee.pay = (request) => request.socket.destroy();
    refusedWith(await story.quote(), [424, "PAYREQ_REQUEST_FAILED"]);
    story.payee.pay = reply(200, { pr: "x".repeat(300_000) });
    refusedWith(await story.quote(), [424, "PAYREQ_REQUEST_FAILED"]);
  });
});

describe("an offer that contradicts itself or the request", () => {
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any form
  it.each<[string, (answer: any) => void, string]>([
    [
      "is not signed",
      (answer) => delete answer.payeeData.compliance.signature,
      "INVALID_SIGNATURE",
    ],
    [
      "is signed for another time",
      (answer) => {
        answer.payeeData.compliance.signatureTimestamp -= 1;
      },
      "INVALID_SIGNATURE",
    ],
    ["is in another currency", ({ converted }) => (converted.currencyCode = "USD"), "CURRENCY"],
    ["has other decimals", ({ converted }) => (converted.decimals = 3), "CURRENCY"],
    ["is of another amount", ({ converted }) => (converted.amount = 999), "AMOUNT"],
    ["leaves the amount open", (answer) => (answer.pr = "lnbcx1"), "AMOUNT"],
    ["does not add up", (answer) => (answer.pr = "lnbc10000502x9"), "ARITHMETIC"],
    [
      "is dear",
      (answer) => {
        answer.converted.multiplier = 11_001;
        answer.pr = "lnbc11001000x9";
      },
      "PRICE",
    ],
    [
      "has a high fee",
      (answer) => {
        answer.converted.fee = 1_200_000;
        answer.pr = "lnbc11200500x9";
      },
      "PRICE",
    ],
    ["does not name the payee", (answer) => delete answer.payeeData.name, "PAYEE_DATA"],
    ["has no invoice of the layer", (answer) => (answer.pr = "spark1"), "LAYER"],
  ])("that %s is refused", async (_what, edit, reason) => {
    story.payee.editPay = edit;
    refusedWith(await story.quote(), [400, "INVALID_PAYREQ_RESPONSE", { reason }]);
  });

  it("is for other units than those that were asked for", async () => {
    story.payee.editPay = (answer) => {
      answer.pr = "lnbc12500001x9";
    };
    const told = [400, "INVALID_PAYREQ_RESPONSE", { reason: "AMOUNT" }] as const;
    refusedWith(await story.quote({ side: "SENDING" }), told);
  });

  it("ends too soon", async () => {
    story.invoiceMs = 44_000;
    refusedWith(await story.quote(), [400, "QUOTE_REQUEST_FAILED", { reason: "ENDS_SOON" }]);
  });
});

describe("nobody is asked", () => {
  const notAsked = () => expect(story.payee.invoices.asked).toEqual([]);

  it.each<[string, object, readonly [number, string, object?]]>([
    [
      "from an account that is not there",
      {
        source: {
          sourceType: "ACCOUNT",
          accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
        },
      },
      [400, "INVALID_INPUT"],
    ],
    [
      "at an address that was not looked up",
      { destination: { destinationType: "UMA_ADDRESS", umaAddress: "$eve@vasp.test" } },
      [404, "LOOKUP_REQUEST_NOT_FOUND"],
    ],
    [
      "in a currency that the receiver does not take",
      { destination: { destinationType: "UMA_ADDRESS", umaAddress: BOB, currency: "MXN" } },
      [400, "INVALID_CURRENCY", { supported: ["EUR"] }],
    ],
    [
      "above the receiver's limits",
      { lockedCurrencyAmount: 1_000_000 },
      [400, "AMOUNT_OUT_OF_RANGE", { maxReceivable: 999_950 }],
    ],
  ])("%s", async (_what, more, told) => {
    refusedWith(await story.quote({ more: more as Readonly<Record<string, unknown>> }), told);
    notAsked();
  });

  it("after the answer to the lookup was lost, as a crash of the database may", async () => {
    const lookupId = await story.look();
    await story.server.database.asSuperuser((client) => client.query("delete from uma_lookups"));
    const told = [404, "LOOKUP_REQUEST_NOT_FOUND", { field: "lookupId" }] as const;
    refusedWith(await story.quote({ more: { lookupId } }), told);
    notAsked();
  });

  it("about a dry run, which tells the estimate", async () => {
    const { status, json } = await story.quote({ query: "?dryRun=true" });
    expect([status, json.result.totalSendingAmount]).toEqual([200, 801]);
    notAsked();
  });

  it("while the connection is paused", async () => {
    const lookupId = await story.look();
    const path = `/rails/connections/${story.connectionId}`;
    expectStatus(200, await story.bank.call("POST", `${path}/pause`));
    const refused = await story.quote({ more: { lookupId } });
    expectStatus(200, await story.bank.call("POST", `${path}/resume`));
    refusedWith(refused, [409, "RAIL_PAUSED"]);
    notAsked();
  });
});

it("a refusal of the other side is not stored: the same call may be sent again", async () => {
  const lookupId = await story.look();
  const key = randomUUID();
  story.payee.pay = reply(503, "");
  const wish = { more: { lookupId }, key };
  refusedWith(await story.quote(wish), [424, "PAYREQ_REQUEST_FAILED"]);
  story.payee.pay = undefined;
  story.payee.editPay = (answer) => {
    answer.converted.amount = 1;
  };
  refusedWith(await story.quote(wish), [400, "INVALID_PAYREQ_RESPONSE"]);
});
