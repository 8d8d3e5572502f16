import { describe, expect, it } from "vitest";
import type { Json } from "../../../std/json.ts";
import { readInspected, readInvoice, readInvoiceState } from "./connector-invoices.ts";

const AT = "2026-11-29T10:00:00Z";

describe("an invoice", () => {
  it("has its text and its end", () => {
    const told = { invoice: "lnbc1…".replace("…", "x"), expiresAt: AT, utxos: [] };
    expect(readInvoice(told)).toEqual({
      invoice: "lnbc1x",
      expiresAt: Date.parse(AT),
      nodePubKey: null,
      utxos: [],
    });
  });

  it.each<[string, Json]>([
    ["nothing", null],
    ["no text", { expiresAt: AT }],
    ["an empty text", { invoice: "", expiresAt: AT }],
    ["a text with a space", { invoice: "a b", expiresAt: AT }],
    ["a text beyond ASCII", { invoice: "ä", expiresAt: AT }],
    ["a text that is too long", { invoice: "a".repeat(4_097), expiresAt: AT }],
    ["no end", { invoice: "a" }],
    ["a day as its end", { invoice: "a", expiresAt: "2026-11-29" }],
    ["an end that is no date", { invoice: "a", expiresAt: "2026-13-29T10:00:00Z" }],
    ["a number as its end", { invoice: "a", expiresAt: 1 }],
  ])("is refused with %s", (_what, told) => {
    expect(readInvoice(told)).toBeUndefined();
  });

  it.each<[string, Json]>([
    ["an unknown status", { status: "late", entries: [] }],
    ["no entries", { status: "paid" }],
    ["an entry that is a text", { status: "paid", entries: ["E1"] }],
    ["too many entries", { status: "paid", entries: Array.from({ length: 1_001 }, () => ({})) }],
  ])("has no state with %s", (_what, told) => {
    const invoice = { invoice: "a", expiresAt: AT };
    expect(readInvoiceState({ ...invoice, ...(told as object) })).toBeUndefined();
    const sound = { ...invoice, status: "paid", entries: [{ id: "E1" }] };
    expect(readInvoiceState(sound)).toMatchObject({ status: "paid", entries: [{ id: "E1" }] });
  });
});

describe("an inspection", () => {
  const told = { layer: "ln", asset: { identifier: "BTC" }, amount: "9007199254740993" };

  it("tells the amount to the unit, or that the invoice has none", () => {
    expect(readInspected({ ...told, expiresAt: AT })?.amountMinor).toBe(9007199254740993n);
    expect(readInspected({ ...told, amount: null, expiresAt: AT })?.amountMinor).toBeNull();
  });

  it.each<[string, Json]>([
    ["a number as its amount", { amount: 5 }],
    ["zero", { amount: "0" }],
    ["a decimal point", { amount: "5.0" }],
    ["no amount", { amount: true }],
    ["no asset", { asset: "BTC" }],
    ["no layer", { layer: 1 }],
    ["no end", { expiresAt: "soon" }],
  ])("is refused with %s", (_what, more) => {
    expect(readInspected({ ...told, expiresAt: AT, ...(more as object) })).toBeUndefined();
  });
});
