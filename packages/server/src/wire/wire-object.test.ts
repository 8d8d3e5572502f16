import Type from "typebox";
import { describe, expect, it } from "vitest";
import { type Kit, wireObject } from "./wire-object.ts";

const UUID = "019a4f00-0000-7000-8000-0000000000aa";
const DOLLAR = { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 };

const row = {
  id: UUID,
  name: "Ana",
  state: "OPEN" as const,
  count: 3,
  seq: 9_007_199_254_740_993n,
  isOpen: false,
  currency: "USD",
  amountMinor: -1_250n,
  sumMinor: 90_071_992_547_409_931n,
  profile: { tags: ['say "hi"'], left: undefined },
  payer: { name: "Bea" },
  steps: [{ name: "one" }, { name: "two" }],
  createdAt: Date.UTC(2026, 10, 21),
};
type Row = typeof row;

const person = wireObject("Person", ({ of }: Kit<{ readonly name: string }>) => ({
  name: of.text({ example: "Bea" }),
}));

const whole = wireObject(
  { $id: "Whole", description: "All kinds." },
  ({ of }: Kit<Row, number>) => ({
    id: of.id("Quote", { description: "Its id.", example: "a7" }),
    name: of.text({ maxLength: 9, example: "Ana" }),
    state: of.enum(["OPEN", "DONE"], { example: "DONE" }),
    count: of.integer({ minimum: 0, example: 4 }),
    seq: of.integer({ example: 5 }),
    isOpen: of.boolean({ example: true }),
    currency: of.currency({ example: "USD" }),
    amount: of.amount("amountMinor", { example: 1250n }),
    sum: of.ledgerAmount("sumMinor", { example: 1250n }),
    profile: of.json(Type.Object({ tags: Type.Array(Type.String()) }), { example: { tags: [] } }),
    payer: of.object(person),
    steps: of.list(person, { description: "In order.", example: [{ name: "one" }] }),
    createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
    other: of.text({ from: "name", example: "Ana" }),
    beside: of.integer({ from: ({ count }, more) => count + more, example: 1 }),
  }),
);

describe("an object whose members are always there", () => {
  it("has the JSON of its row, in the order of the list", () => {
    const amount = `{"amount":-1250,"currency":${JSON.stringify(DOLLAR)}}`;
    expect(whole.json(row, 4)).toBe(
      `{"id":"Quote:${UUID}","name":"Ana","state":"OPEN","count":3,"seq":9007199254740993,"isOpen":false,"currency":"USD",` +
        `"amount":${amount},"sum":{"amount":"90071992547409931","currency":"USD"},` +
        `"profile":{"tags":["say \\"hi\\""]},"payer":{"name":"Bea"},"steps":[{"name":"one"},{"name":"two"}],` +
        `"createdAt":"2026-11-21T00:00:00.000Z","other":"Ana","beside":7}`,
    );
  });

  it("has the example of each member, in the order of the list", () => {
    expect(JSON.stringify(whole.example)).toBe(
      JSON.stringify({
        id: "Quote:019a4f00-0000-7000-8000-0000000000a7",
        name: "Ana",
        state: "DONE",
        count: 4,
        seq: 5,
        isOpen: true,
        currency: "USD",
        amount: { amount: 1250, currency: DOLLAR },
        sum: { amount: "1250", currency: "USD" },
        profile: { tags: [] },
        payer: { name: "Bea" },
        steps: [{ name: "one" }],
        createdAt: "2026-11-21T10:00:00.000Z",
        other: "Ana",
        beside: 1,
      }),
    );
  });

  it("has a schema with the keywords of each member, all of them required", () => {
    const { $id, description, required, properties } = JSON.parse(JSON.stringify(whole.schema));
    expect({ $id, description }).toEqual({ $id: "Whole", description: "All kinds." });
    expect(required).toEqual(Object.keys(whole.example));
    expect(properties).toMatchObject({
      id: { type: "string", description: "Its id." },
      name: { type: "string", maxLength: 9 },
      state: { enum: ["OPEN", "DONE"] },
      count: { type: "integer", minimum: 0 },
      isOpen: { type: "boolean" },
      amount: { $id: "CurrencyAmount" },
      sum: { $id: "LedgerAmount" },
      payer: { $id: "Person" },
      steps: { type: "array", items: { $id: "Person" }, description: "In order." },
      createdAt: { type: "string", format: "date-time" },
    });
    expect(properties.name).not.toHaveProperty("example");
    expect(properties.other).not.toHaveProperty("from");
  });
});

interface Sparse {
  readonly id: string | null;
  readonly name: string | undefined;
  readonly isOpen: boolean | null;
  readonly currency: string;
  readonly amountMinor: bigint | null;
  readonly payer: { readonly name: string } | null;
  readonly endedAt: number | null;
}

const sparse = wireObject("Sparse", ({ maybe }: Kit<Sparse>) => ({
  id: maybe.id("Quote"),
  name: maybe.text({ example: "Ana" }),
  isOpen: maybe.boolean(),
  amount: maybe.amount("amountMinor", { description: "What came back." }),
  payer: maybe.object(person),
  endedAt: maybe.time(),
}));

describe("an object whose members may be absent", () => {
  it("leaves out what is null or undefined, wherever it stands", () => {
    const none = { id: null, name: undefined, isOpen: null, amountMinor: null, payer: null };
    const absent: Sparse = { ...none, currency: "USD", endedAt: null };
    expect(sparse.json(absent)).toBe("{}");
    expect(sparse.json({ ...absent, endedAt: 0 })).toBe('{"endedAt":"1970-01-01T00:00:00.000Z"}');
    expect(sparse.json({ ...absent, name: "", isOpen: false, amountMinor: 0n })).toBe(
      `{"name":"","isOpen":false,"amount":{"amount":0,"currency":${JSON.stringify(DOLLAR)}}}`,
    );
  });

  it("has in its example what the list gives an example", () => {
    expect(sparse.example).toEqual({ name: "Ana" });
  });

  it("requires none of them, and describes a shared schema only as a copy of its own", () => {
    const { required = [], properties } = JSON.parse(JSON.stringify(sparse.schema));
    expect(required).toEqual([]);
    expect(properties.amount).toMatchObject({ type: "object", description: "What came back." });
    expect(properties.amount).not.toHaveProperty("$id");
  });
});

describe("the text of a member", () => {
  it.each([
    "",
    "plain ASCII [x] ~",
    'a "quote" and a \\backslash',
    "\u0000\u001f\b\t\n\r\u007f",
    "é … 日本 😀 \u2028",
    "\ud83d alone",
    "alone \ude00",
  ])("is that of JSON.stringify: %j", (name) => {
    expect(person.json({ name })).toBe(JSON.stringify({ name }));
  });
});

it("refuses an amount that a JSON number does not hold exactly", () => {
  expect(() => whole.json({ ...row, amountMinor: 2n ** 53n }, 0)).toThrow();
});

it("writes members first whose place in the JSON differs from that in the schema", () => {
  const { schema, json, example } = wireObject(
    { $id: "Moved", writtenFirst: ["count"] },
    ({ of }: Kit<Row>) => ({
      name: of.text({ example: "Ana" }),
      count: of.integer({ example: 1 }),
    }),
  );
  expect(json(row)).toBe('{"count":3,"name":"Ana"}');
  expect(Object.keys(schema.properties)).toEqual(["name", "count"]);
  expect(Object.keys(example)).toEqual(["name", "count"]);
});

it("does not compile where the row has no such key, or another type under it", () => {
  // @ts-expect-error: the row has no `title`.
  wireObject("Wrong", ({ of }: Kit<Row>) => ({ title: of.text() }));
  // @ts-expect-error: `count` is a number.
  wireObject("Wrong", ({ of }: Kit<Row>) => ({ count: of.text() }));
  // @ts-expect-error: the row has no `title`.
  wireObject("Wrong", ({ of }: Kit<Row>) => ({ name: of.text({ from: "title" }) }));
  // @ts-expect-error: the state may be OPEN, which is no value of the list.
  wireObject("Wrong", ({ of }: Kit<Row>) => ({ state: of.enum(["DONE"]) }));
  // @ts-expect-error: the name may be undefined, and is no member that may be absent.
  wireObject("Wrong", ({ of }: Kit<Sparse>) => ({ name: of.text() }));
  expect(person.json({ name: "Bea" })).toBe('{"name":"Bea"}');
});
