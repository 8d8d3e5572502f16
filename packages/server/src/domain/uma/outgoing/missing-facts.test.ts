/** Which facts about a payer are missing, by what the institution requires and the travel rule. */
import { expect, it } from "vitest";
import type { CustomerInfo } from "../../customers/customer-info.ts";
import { missingFacts, type ToldPayer } from "./missing-facts.ts";

const NAME = { FULL_NAME: "Ana Lind" } as const;

it.each<readonly [ToldPayer["kind"], CustomerInfo, readonly string[], boolean, readonly string[]]>([
  // Without the travel rule, what the institution requires alone.
  ["PERSON", {}, [], false, []],
  ["PERSON", {}, ["TAX_ID", "EMAIL"], false, ["TAX_ID", "EMAIL"]],
  ["PERSON", { TAX_ID: "7" }, ["TAX_ID", "EMAIL"], false, ["EMAIL"]],
  ["PERSON", { TAX_ID: " " }, ["TAX_ID"], false, ["TAX_ID"]],
  ["PERSON", {}, ["TAX_ID", "TAX_ID"], false, ["TAX_ID"]],
  // Under it, the name and one identifying fact.
  ["PERSON", {}, [], true, ["FULL_NAME", "BIRTH_DATE"]],
  ["BUSINESS", {}, [], true, ["FULL_NAME", "REGISTRATION_NUMBER"]],
  ["PERSON", NAME, [], true, ["BIRTH_DATE"]],
  ["BUSINESS", NAME, [], true, ["REGISTRATION_NUMBER"]],
  ["PERSON", { ...NAME, BIRTH_DATE: "1990-01-02" }, [], true, []],
  ["PERSON", { ...NAME, POSTAL_ADDRESS: "Main St 1" }, [], true, []],
  ["PERSON", { ...NAME, REGISTRATION_NUMBER: "HRB 1" }, [], true, []],
  ["PERSON", { ...NAME, POSTAL_ADDRESS: "" }, [], true, ["BIRTH_DATE"]],
  ["BUSINESS", { ...NAME, POSTAL_ADDRESS: "Main St 1" }, [], true, []],
  // Both, each field once, in the order in which the institution asks.
  ["PERSON", {}, ["BIRTH_DATE", "FULL_NAME"], true, ["BIRTH_DATE", "FULL_NAME"]],
  ["PERSON", NAME, ["EMAIL", "FULL_NAME"], true, ["EMAIL", "BIRTH_DATE"]],
])(
  "a %s of whom %o is known, asked for %o, under the travel rule: %s",
  (kind, information, required, isToldUnderTravelRule, expected) => {
    const asked = { required, isToldUnderTravelRule };
    expect(missingFacts({ kind, information }, asked)).toEqual(expected);
  },
);
