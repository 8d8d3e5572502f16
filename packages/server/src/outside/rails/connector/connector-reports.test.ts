/** Which bodies of a connector are reports and balances. What is not sound tells nothing. */
import { describe, expect, it } from "vitest";
import { readBalances } from "./connector-entries.ts";
import { readReport } from "./connector-messages.ts";

describe("a report", () => {
  it.each(["accepted", "settled", "declined", "returned", "cancelled", "unknown"])(
    "of the status %s is taken",
    (status) => {
      expect(readReport({ status })).toMatchObject({ report: { status, scheme: "CONNECTOR" } });
    },
  );

  it.each([
    ["no body", undefined],
    ["a text", "declined"],
    ["a list", [{ status: "declined" }]],
    ["null", null],
    ["an empty object", {}],
    ["a status of its own", { status: "rejected" }],
    ["a status in capitals", { status: "SETTLED" }],
    ["a status that only this server says", { status: "sent" }],
    ["what an inquiry alone may say", { status: "not-received" }],
    ["a status that is no text", { status: 1 }],
    ["an amount as a number", { status: "settled", amount: 700 }],
    ["an amount with a sign", { status: "returned", amount: "-7" }],
    ["an amount with a fraction", { status: "returned", amount: "7.0" }],
    ["an amount with an exponent", { status: "returned", amount: "1e3" }],
    ["an amount of nineteen digits", { status: "returned", amount: "1".repeat(19) }],
    ["an empty amount", { status: "returned", amount: "" }],
  ])("is not %s", (_what, body) => {
    expect(readReport(body)).toBeUndefined();
  });

  it.each([
    [undefined, undefined],
    [null, undefined],
    ["700", 700n],
    ["0", 0n],
    ["1".repeat(18), BigInt("1".repeat(18))],
  ])("has of the amount %s %s", (amount, amountMinor) => {
    expect(readReport({ status: "returned", amount })?.report.amountMinor).toBe(amountMinor);
  });

  it.each([
    [1, 1_000],
    [86_400, 86_400_000],
    [86_401, undefined],
    [0, undefined],
    [1.5, undefined],
    ["60", undefined],
    [undefined, undefined],
  ])("is asked about again after %s seconds", (askAgainSeconds, askAgainInMs) => {
    expect(readReport({ status: "accepted", askAgainSeconds })?.askAgainInMs).toBe(askAgainInMs);
  });

  it.each<readonly [unknown, unknown]>([
    [undefined, undefined],
    ["a:0", undefined],
    [[], []],
    [[{ utxo: " a:0 ", amountMsats: 7 }], [{ utxo: "a:0", amountMsats: "7" }]],
    [
      [{ utxo: "a:0", amountMsats: "18000000000000" }],
      [{ utxo: "a:0", amountMsats: "18000000000000" }],
    ],
    [[{ utxo: "a:0" }, { utxo: "", amountMsats: 1 }, { utxo: "b", amountMsats: -1 }, null, 7], []],
    [
      [
        { utxo: "a", amountMsats: 1.5 },
        { utxo: "a", amountMsats: "1e3" },
        { utxo: "a", amountMsats: "01" },
      ],
      [],
    ],
    [
      [
        { utxo: "a", amountMsats: 2 ** 53 },
        { utxo: "a", amountMsats: "1".repeat(19) },
      ],
      [],
    ],
    [
      Array.from({ length: 101 }, () => ({ utxo: "a", amountMsats: 1 })),
      Array.from({ length: 100 }, () => ({ utxo: "a", amountMsats: "1" })),
    ],
  ])("takes of the channels %j those that are sound", (utxos, channels) => {
    expect(readReport({ status: "settled", utxos })?.report.channels).toEqual(channels);
  });

  it("keeps the rail's words, and leaves out those that are no text", () => {
    const words = { reason: { code: "AC04", text: "closed" }, providerReference: "P-1" };
    const said = readReport({ status: "declined", ...words, settledOn: "2026-11-24" });
    const told = { code: "AC04", text: "closed", reference: "P-1", settledOn: "2026-11-24" };
    expect(said?.report).toMatchObject(told);
    const odd = { reason: { code: 4, text: {} }, providerReference: [], settledOn: "yesterday" };
    expect(readReport({ status: "declined", ...odd })?.report).toMatchObject({
      ...{ code: undefined, text: undefined, reference: undefined, settledOn: undefined },
    });
    expect(readReport({ status: "declined", reason: "closed" })?.report.code).toBeUndefined();
  });
});

describe("the balances", () => {
  const usd = { currency: "USD", booked: "5000" };

  it("are taken, one a currency, also where the account is overdrawn", () => {
    const balances = [usd, { currency: "EUR", booked: "-7" }];
    expect(readBalances({ balances })).toEqual([
      { currency: "USD", bookedMinor: 5_000n },
      { currency: "EUR", bookedMinor: -7n },
    ]);
    expect(readBalances({ balances: [] })).toEqual([]);
  });

  it.each([
    ["an amount that is no text", [{ ...usd, booked: 1 }]],
    ["a fraction", [{ ...usd, booked: "1.5" }]],
    ["an amount beyond all", [{ ...usd, booked: "1".repeat(30) }]],
    ["nineteen digits", [{ ...usd, booked: "1".repeat(19) }]],
    ["an empty amount", [{ ...usd, booked: "" }]],
    ["a plus sign", [{ ...usd, booked: "+1" }]],
    ["a currency twice", [usd, usd]],
    ["a currency that is no text", [{ ...usd, currency: 840 }]],
    ["one that is sound beside one that is not", [usd, { currency: "EUR" }]],
    ["a text in the list", ["USD"]],
    ["no list", { USD: "1" }],
    [
      "more than a hundred",
      Array.from({ length: 101 }, (_, index) => ({ ...usd, currency: `C${index}` })),
    ],
    ["nothing", undefined],
  ])("are not taken with %s", (_what, balances) => {
    expect(readBalances({ balances } as never)).toBeUndefined();
  });

  it("are not taken without a body", () => {
    expect(readBalances(undefined)).toBeUndefined();
  });
});
