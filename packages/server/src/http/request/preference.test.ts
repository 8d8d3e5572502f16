import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Shell, startShell } from "../../../test/kit/http-shell.ts";
import { shouldRetry } from "../server/errors.ts";
import { ignoredHeader, prefersStrict } from "./preference.ts";

let shell: Shell;

beforeAll(async () => {
  shell = await startShell();
});

afterAll(() => shell.server.close(0));

const ignored = async (body: unknown, headers: Record<string, string> = {}) => {
  const answer = await shell.post("/things", body, headers);
  return [answer.status, answer.headers.get("x-ignored-fields")];
};

describe("a field that the schema does not name", () => {
  it.each<readonly [body: unknown, status: number, ignored: string | null]>([
    [{ name: "x" }, 201, null],
    [{ name: "x", naem: 1 }, 201, "naem"],
    [{ name: "x", a: 1, b: { c: 2 } }, 201, "a, b"],
    [{ name: "x", items: [{ code: "ABC", kode: 1 }, { code: "ABC" }] }, 201, "items.0.kode"],
    [
      { name: "x", account: { accountType: "BANK", iban: "1", address: "2" } },
      201,
      "account.address",
    ],
    [{ name: "x", account: { accountType: "CASH", address: "2" } }, 400, null],
    [{ name: "x", tags: { any: "name" } }, 201, null],
    [{ name: "x", note: null }, 201, null],
    [{ naem: "x" }, 400, "naem"],
    ['{"name":"x","__proto__":1,"constructor":2}', 201, "__proto__, constructor"],
    [{ name: "x", "a, b\n": 1, schön: 2 }, 201, "a%2C%20b%0A, sch%C3%B6n"],
    [{ name: "x", ["y".repeat(500)]: 1 }, 201, `${"y".repeat(200)}...`],
    ['{"name":"x","\\ud800":1}', 400, "%EF%BF%BD"],
    ["[]", 400, null],
  ])("in %j is answered %s with X-Ignored-Fields: %s", async (body, status, fields) => {
    expect(await ignored(body)).toEqual([status, fields]);
  });

  it("is named for 20 of any number of them", async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 0]));
    const [, header] = await ignored({ name: "x", ...many });
    expect(String(header).split(", ")).toHaveLength(20);
  });

  it("is named in a replay as in the first answer", async () => {
    expect(await ignored({ name: "again", extra: 1 })).toEqual([201, "extra"]);
  });
});

describe("Prefer: handling=strict", () => {
  const strictly = async (body: unknown) => {
    const answer = await shell.post("/things", body, { prefer: "handling=strict" });
    const { code, details } = (await answer.json()) as {
      readonly code?: string;
      readonly details?: { readonly errors: readonly Record<string, unknown>[] };
    };
    return {
      status: answer.status,
      applied: answer.headers.get("preference-applied"),
      ignored: answer.headers.get("x-ignored-fields"),
      code,
      errors: details?.errors.map(({ field, message }) => `${field}: ${message}`),
    };
  };
  const applied = "handling=strict";

  it("refuses unknown fields by name, with the nearest known one", async () => {
    expect(await strictly({ name: "x", cuont: 5, zzzzzz: 1 })).toEqual({
      status: 400,
      applied,
      ignored: null,
      code: "INVALID_INPUT",
      errors: [
        "cuont: is no field of this call; did you mean count?",
        "zzzzzz: is no field of this call",
      ],
    });
  });

  it("names them beside what else is wrong", async () => {
    expect(await strictly({ nam: "x" })).toMatchObject({
      applied,
      errors: ["nam: is no field of this call; did you mean name?", "name: is required"],
    });
  });

  it("says on a success too that it was applied", async () => {
    expect(await strictly({ name: "x" })).toMatchObject({ status: 201, applied, ignored: null });
  });

  it.each([
    ["handling=strict", true],
    ['Handling="strict"', true],
    ["respond-async, handling = strict; foo=1", true],
    ["handling=lenient", false],
    ["handling=stricter", false],
    ["strict", false],
    [undefined, false],
  ])("%s: %s", (header, isStrict) => {
    expect(prefersStrict(header)).toBe(isStrict);
  });
});

it("has a header of bounded length for any names", () => {
  const fields = Array.from({ length: 20 }, () => ({
    path: "é".repeat(5_000),
    nearest: undefined,
  }));
  expect(ignoredHeader(fields).length).toBeLessThan(5_000);
});

describe("X-Should-Retry", () => {
  it("is false on a refusal that a retry cannot change", async () => {
    const answers = [
      await shell.post("/things", {}),
      await shell.post("/things", "{"),
      await shell.call("/nothing"),
      await shell.call("/things", { headers: { authorization: "Basic eDp5" } }),
    ];
    const told = answers.map(({ status, headers }) => [status, headers.get("x-should-retry")]);
    expect(told).toEqual([
      [400, "false"],
      [400, "false"],
      [404, "false"],
      [401, "false"],
    ]);
  });

  it.each([
    [200, undefined],
    [202, undefined],
    [400, "false"],
    [403, "false"],
    [409, "false"],
    [422, "false"],
    [408, "true"],
    [429, "true"],
    [500, undefined],
    [501, "false"],
    [503, "true"],
  ])("of the status %s is %s", (status, header) => {
    expect(shouldRetry(status)).toBe(header);
  });

  it("is absent on a success", async () => {
    const answer = await shell.post("/things", { name: "x" });
    expect(answer.headers.has("x-should-retry")).toBe(false);
  });
});
