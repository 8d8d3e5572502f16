import { describe, expect, it } from "vitest";
import type { Json } from "../../../std/json.ts";
import { readFunding } from "./connector-funding.ts";

const PLACE = { accountType: "USD_ACCOUNT", accountNumber: "55", routingNumber: "021000021" };

describe("payment instructions", () => {
  it.each<[string, Json]>([
    ["a list", ["ACH", "WIRE"]],
    ["a number", 7],
    ["a flag", true],
    ["null", null],
    ["an object", { line1: "Main Street" }],
    ["an empty text", ""],
    ["a text with control characters", "a\u0007b"],
    ["a long text", "x".repeat(201)],
  ])("are told without a member that is %s", (_what, value) => {
    const told = readFunding({ instructions: [{ ...PLACE, paymentRails: value }] });
    expect(told).toEqual([PLACE]);
  });

  it.each(["bank name", "__proto__", "a".repeat(41), ""])(
    "are told without a member called %j",
    (name) => {
      const place = JSON.parse(JSON.stringify(PLACE).replace(/}$/, `,"${name}":"x"}`));
      expect(readFunding({ instructions: [place] })).toEqual([PLACE]);
    },
  );

  it.each<[string, Json]>([
    ["that is no object", "DE89370400440532013000"],
    ["without a type", { accountNumber: "55" }],
    ["of a type that is no name", { ...PLACE, accountType: "dollars" }],
    ["without any text", { accountType: "USD_ACCOUNT", accountNumber: 55 }],
    ["with a wrong routing number", { ...PLACE, routingNumber: "021000022" }],
    ["with a wrong IBAN", { accountType: "EUR_ACCOUNT", iban: "DE88370400440532013000" }],
  ])("leave out a place %s, and fail where there is no other", (_what, place) => {
    expect(readFunding({ instructions: [place, PLACE] })).toEqual([PLACE]);
    expect(readFunding({ instructions: [place] })).toBeUndefined();
  });

  it("tell at most 20 members and five places", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const wide = Object.fromEntries(letters.map((letter) => [letter, "x"]));
    const [told = {}] = readFunding({ instructions: [{ ...PLACE, ...wide }] }) ?? [];
    expect(Object.keys(told)).toHaveLength(21);
    expect(readFunding({ instructions: Array.from({ length: 6 }, () => PLACE) })).toBeUndefined();
  });
});
