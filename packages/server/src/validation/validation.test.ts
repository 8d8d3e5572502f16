import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Shell, type ShellContext, startShell } from "../../test/kit/http-shell.ts";
import { operations } from "../http/operations/routes.ts";
import { defineOperation, type Operation } from "../http/request/operation.ts";
import { Fault } from "../std/errors.ts";
import { isDateTime } from "./formats.ts";
import { documentKeyword, isNode } from "./schema.ts";
import type { Judgement } from "./validation.ts";

let shell: Shell;
let seen: { body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  shell = await startShell({
    context: { seen: (request) => seen.push(request as (typeof seen)[0]) },
  });
});

afterAll(() => shell.server.close(0));

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: { readonly errors: { field: string; message: string; constraint?: unknown }[] };
}

/** Where a schema lets arrays of any length be looked into. */
function endlessArrays(node: unknown, path: string): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  // An object may have a property that is called "items".
  const isArray = "items" in node && isNode(node.items) && !path.endsWith(".properties");
  const own = isArray && !("maxItems" in node) ? [path] : [];
  const inner = Object.entries(node).filter(([key]) => key !== documentKeyword);
  return [...own, ...inner.flatMap(([key, value]) => endlessArrays(value, `${path}.${key}`))];
}

async function refused(body: unknown): Promise<Refused> {
  const answer = await shell.post("/things", body);
  expect(answer.status).toBe(400);
  return (await answer.json()) as Refused;
}

describe("a body that does not fit", () => {
  it("is refused with every bad field at once", async () => {
    const body = {
      name: "",
      count: "5",
      kind: "HUGE",
      bornOn: "2023-02-29",
      items: [{ code: "USD" }, { code: "us" }, {}],
      tags: { a: 1 },
    };
    const { code, details } = await refused(body);
    expect(code).toBe("INVALID_INPUT");
    expect(details.errors).toEqual([
      { field: "name", message: "must have at least 1 character", constraint: { minLength: 1 } },
      {
        field: "count",
        message: "must be a whole number, written in digits alone, without quotes",
        constraint: { type: "integer" },
      },
      {
        field: "kind",
        message: "must be one of SMALL, LARGE",
        constraint: { enum: ["SMALL", "LARGE"] },
      },
      {
        field: "bornOn",
        message: "must be a date, such as 1990-05-17",
        constraint: { format: "date" },
      },
      { field: "tags.a", message: "must be a string", constraint: { type: "string" } },
      {
        field: "items.1.code",
        message: "does not have the required form",
        constraint: { pattern: "^[A-Z]{3}$" },
      },
      { field: "items.2.code", message: "is required" },
    ]);
  });

  it.each([
    ["[]", "an array"],
    ['"x"', "a text"],
    ["5", "a number"],
    ["null", "null"],
  ])("is refused when it is %s (%s) instead of an object", async (text) => {
    const { code, details } = await refused(text);
    expect(code).toBe("INVALID_INPUT");
    expect(details.errors).toEqual([
      { field: "body", message: "must be an object", constraint: { type: "object" } },
    ]);
  });

  it.each([
    [{ name: "x", note: "long" }, "note", "must have at most 3 characters"],
    [{ name: "x", note: 5 }, "note", "does not fit any of the accepted forms"],
    [{ name: "x", account: {} }, "account.accountType", "is required"],
    [
      { name: "x", account: { accountType: "CASH" } },
      "account.accountType",
      "must be one of BANK, WALLET",
    ],
    [{ name: "x", account: { accountType: "BANK" } }, "account.iban", "is required"],
    [
      { name: "x", account: { accountType: 5 } },
      "account.accountType",
      "must be one of BANK, WALLET",
    ],
  ])("with a union in it gets one line: %j", async (body, field, message) => {
    const { details } = await refused(body);
    expect(details.errors.map((error) => [error.field, error.message])).toEqual([[field, message]]);
  });

  it.each([
    [{ holder: 5 }, ["account.accountType", "account.holder"]],
    [{ accountType: "CASH", holder: 5, iban: 5 }, ["account.accountType", "account.holder"]],
    [{ accountType: "BANK", holder: 5, iban: 5 }, ["account.holder", "account.iban"]],
  ])("names what is wrong in a union whatever its tag is: %j", async (account, fields) => {
    const { details } = await refused({ name: "x", account });
    expect(details.errors.map(({ field }) => field).sort()).toEqual(fields);
  });

  it("names the tags of a union that it knows", async () => {
    const { details } = await refused({ name: "x", account: { accountType: "CASH" } });
    expect(details.errors[0]?.constraint).toEqual({ enum: ["BANK", "WALLET"] });
  });

  it("is not validated further where it is too long", async () => {
    const items = Array.from({ length: 5000 }, (_, index) => [index]);
    const { details } = await refused({ name: "x", items, kinds: items });
    expect(details.errors.map(({ field, message }) => [field, message])).toEqual([
      ["items", "must hold at most 3 items"],
      ["kinds", "must hold at most 2 items"],
    ]);
  });

  it("may not hold the same item twice where each has to differ", async () => {
    const { details } = await refused({ name: "x", kinds: ["SMALL", "SMALL"] });
    expect(details.errors).toEqual([
      { field: "kinds", message: "must not hold the same item twice" },
    ]);
  });

  it("has no array of any length in any operation", () => {
    const endless = operations.flatMap(({ id, body }) => endlessArrays(body, id));
    expect(endless).toEqual([]);
  });

  it("is answered briefly however many faults it has", async () => {
    const tags = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]),
    );
    const { details } = await refused({ name: "x", tags });
    expect(details.errors).toHaveLength(100);
  });
});

describe("a wrong amount", () => {
  it.each([0, -1, 1.5, "5", null, true, 9_000_000_000_000_001, {}, []])(
    "%j is INVALID_AMOUNT",
    async (amount) => {
      const { code, details } = await refused({ name: "x", amount });
      expect(code).toBe("INVALID_AMOUNT");
      expect(details.errors.map(({ field }) => field)).toContain("amount");
    },
  );

  it.each([
    "1.0",
    "1e2",
    "1E2",
    "100.00",
    "9000000000000000.4",
    "1e-400",
    "1e400",
    "9007199254740993",
  ])("spelled %s is INVALID_AMOUNT", async (spelling) => {
    const { code } = await refused(`{"name":"x","amount":${spelling}}`);
    expect(code).toBe("INVALID_AMOUNT");
  });

  it("is INVALID_AMOUNT for two of them, and INVALID_INPUT beside another fault or when it is missing", async () => {
    expect((await refused({ name: "x", amount: 0, fee: 1001 })).code).toBe("INVALID_AMOUNT");
    expect((await refused({ name: "", amount: 0 })).code).toBe("INVALID_INPUT");
    const { code } = await refused({ amount: 5 });
    expect(code).toBe("INVALID_INPUT");
  });

  it("is not what a whole number elsewhere is when it is spelled oddly", async () => {
    expect((await refused('{"name":"x","count":1.0}')).code).toBe("INVALID_INPUT");
    expect((await shell.post("/things", '{"name":"x","share":25.0}')).status).toBe(201);
    expect((await shell.post("/things", '{"name":"x","share":100.0}')).status).toBe(201);
  });
});

describe("a body that fits", () => {
  it("reaches the operation with its defaults, without its unknown fields", async () => {
    seen = [];
    const answer = await shell.post("/things", {
      name: "x",
      amount: 9_000_000_000_000_000,
      foo: 1,
    });
    expect(answer.status).toBe(201);
    expect(seen[0]?.body).toEqual({ name: "x", amount: 9_000_000_000_000_000, size: 3 });
  });

  it("may leave a nullable field null", async () => {
    expect((await shell.post("/things", { name: "x", note: null })).status).toBe(201);
  });
});

describe("a date-time", () => {
  it.each([
    "2025-10-13T09:30:00Z",
    "2025-10-13T09:30:00.123456Z",
    "2025-10-13t09:30:00z",
    "2025-10-13T09:30:00+05:30",
    "2025-10-13T09:30:00-15:59",
    "9999-12-31T23:59:59Z",
  ])("%s is one", (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  it.each([
    "2025-10-13T09:30:00",
    "2025-10-13",
    "2025-10-13 09:30:00Z",
    "2025-10-13T24:00:00Z",
    "2025-10-13T23:59:60Z",
    "2025-02-30T00:00:00Z",
    "2025-10-13T09:30:00+16:00",
    "2025-10-13T09:30:00-23:59",
    "9999-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+01:00",
    "+010000-01-01T00:00:00Z",
    "infinity",
    "now",
    "",
  ])("%s is refused", (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});

describe("a request that is wrong in ways that different eyes see", () => {
  const fieldsOf = async (answer: Response) => {
    const { code, details } = (await answer.json()) as Refused;
    return [answer.status, code, ...details.errors.map(({ field }) => field)];
  };

  it.each([
    ["limit=0&cursor=abc", ["limit", "cursor"]],
    ["limit=0&createdAfter=x&name=a&name=b", ["name", "limit", "createdAfter"]],
    ["limit=0&limit=1&open=maybe&name=%00", ["limit", "name", "open"]],
    ["limit=%00&kind=HUGE", ["limit", "kind.0"]],
    ["limit=0&cursor=", ["limit", "cursor"]],
  ])("in its query %s is refused for all of them", async (query, fields) => {
    const answer = await shell.call(`/things?${query}`);
    expect(await fieldsOf(answer)).toEqual([400, "INVALID_INPUT", ...fields]);
  });

  it.each([
    ['{"name":"a\\u0000","count":-1,"tags":{"a":"\\ud800"}}', ["name", "tags.a", "count"]],
    ['{"name":"","count":1.0}', ["name", "count"]],
    ['{"name":"a","items":[{"code":"\\u0001"}],"amount":0}', ["items.0.code", "amount"]],
    ['{"name":"a","\\u0000":1,"kind":"HUGE"}', ["body", "kind"]],
  ])("in its body %s is refused for all of them, each field once", async (text, fields) => {
    expect(await fieldsOf(await shell.post("/things", text))).toEqual([
      400,
      "INVALID_INPUT",
      ...fields,
    ]);
  });

  it.each([
    ['{"name":"","count":-1}', ["Idempotency-Key", "name", "count"]],
    ["", ["Idempotency-Key", "body"]],
    ['{"name":"a"}', ["Idempotency-Key"]],
  ])("in its key and its body %s is refused for all of them", async (text, fields) => {
    const answer = await shell.post("/things", text, { "idempotency-key": "a b" });
    expect(await fieldsOf(answer)).toEqual([400, "INVALID_INPUT", ...fields]);
  });

  it("in its path, its key and its body is refused for all of them", async () => {
    const answer = await shell.post("/things/%00/pay", { amount: 0 }, { "idempotency-key": "a b" });
    expect(await fieldsOf(answer)).toEqual([
      400,
      "INVALID_INPUT",
      "thingId",
      "Idempotency-Key",
      "amount",
    ]);
  });

  it("that has errors found at different stages is not checked before its body can be parsed", async () => {
    const answer = await shell.post("/things", "{", { "idempotency-key": "a b" });
    expect(await answer.json()).toMatchObject({ code: "INVALID_REQUEST_FORMAT" });
  });
});

describe("the further faults of an operation", () => {
  type FurtherFaults = Exclude<Judgement<undefined>["furtherFaults"], undefined>;
  const paint = (furtherFaults: FurtherFaults): Operation<ShellContext> =>
    defineOperation({
      id: "paint",
      method: "POST",
      path: "/paint",
      access: "MANAGE",
      capability: "customers.read",
      tag: "Things",
      summary: "Paint a thing",
      body: Type.Object({ colour: Type.String(), layers: Type.Integer({ minimum: 1 }) }),
      answers: { 200: { description: "Painted." } },
      refusals: [],
      judge: () => ({ ok: true, value: undefined, furtherFaults }),
      handle: async () => ({ status: 200, body: "{}" }),
    });
  const outdated = [{ field: "colour", message: "is out of fashion" }];

  it.each<readonly [string, FurtherFaults]>([
    ["known", () => outdated],
    ["looked up", async () => outdated],
  ])("are reported with other faults and refuse nothing alone: %s", async (_, furtherFaults) => {
    const own = await startShell({ operations: [paint(furtherFaults)] });
    try {
      const wrong = await own.post("/paint", { colour: "puce", layers: 0 });
      const { details } = (await wrong.json()) as Refused;
      expect(details.errors.map(({ field }) => field)).toEqual(["layers", "colour"]);
      expect((await own.post("/paint", { colour: "puce", layers: 1 })).status).toBe(200);
    } finally {
      await own.server.close(0);
    }
  });

  it("is a fault of ours when it cannot be looked up", async () => {
    const lost = () => Promise.reject(new Fault("no database"));
    const own = await startShell({ operations: [paint(lost)] });
    try {
      expect((await own.post("/paint", { colour: "puce", layers: 0 })).status).toBe(503);
    } finally {
      await own.server.close(0);
    }
  });
});
