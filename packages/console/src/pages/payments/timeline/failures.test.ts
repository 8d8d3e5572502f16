import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import english from "../../../../messages/en.json";
import { allTexts } from "../../../text/messages.ts";
import { actsOf, actsOfCode, codeWords, nextActs } from "./failures.ts";

beforeAll(allTexts);

interface Parameter {
  readonly name: string;
  readonly schema: { readonly enum?: readonly string[] };
}

const { paths } = JSON.parse(
  readFileSync(new URL("../../../../../../docs/reference/openapi.json", import.meta.url), "utf8"),
) as {
  readonly paths: {
    readonly "/transactions": { readonly get: { readonly parameters: readonly Parameter[] } };
  };
};
const { parameters } = paths["/transactions"].get;
const codes = parameters.find(({ name }) => name === "failureCode")?.schema.enum ?? [];

const has = (key: string) => Object.hasOwn(english, key);

describe("failures", () => {
  it("have a meaning, a next step, a sentence and acts for each code of the reference", () => {
    expect(codes.length).toBeGreaterThan(10);
    for (const prefix of ["failureMeaning", "failureNext", "timelineFailure"])
      expect(codes.filter((code) => !has(`${prefix}.${code}`))).toEqual([]);
    expect(Object.keys(actsOfCode).toSorted()).toEqual([...codes].toSorted());
    expect(nextActs.filter((act) => !has(`nextAct.${act}`))).toEqual([]);
  });

  it("know each code of a bank by which this server tells failures apart", () => {
    const source = readFileSync(
      new URL("../../../../../server/src/domain/rails/orders/rail-report.ts", import.meta.url),
      "utf8",
    );
    const patterns = [...source.matchAll(/\/\^\(([^/]+)\)\$\//g)].map(([, one]) => `^(${one})$`);
    const letters = ["AC", "AG", "AM", "BE", "FR", "MD", "MS", "RC", "RR", "SL"];
    const numbers = Array.from({ length: 30 }, (_, nth) => String(nth).padStart(2, "0"));
    const all = letters.flatMap((two) => numbers.map((number) => two + number));
    const told = all.filter((code) => patterns.some((one) => new RegExp(one).test(code)));
    expect(told.length).toBeGreaterThan(30);
    expect([...told, "DUPL", "AM05"].filter((code) => codeWords(code) === undefined)).toEqual([]);
  });

  it("of a closed account lead to another account first, whatever code the rail gave", () => {
    expect(actsOf({ code: "ACCOUNT_INVALID", rail: { code: "ac04" } })[0]).toBe("ANOTHER_ACCOUNT");
    expect(actsOf({ code: "ACCOUNT_INVALID" })[0]).toBe("CORRECT");
    expect(actsOf({ code: "A_NEW_CODE" })).toEqual(actsOfCode.UNKNOWN);
  });
});
