import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../engine/refusal.ts";
import { canonicalJson } from "../std/json.ts";
import { parseJsonBody, parseStorableJson } from "./json-body.ts";

function parse(text: string): unknown {
  return parseJsonBody(Buffer.from(text)).value;
}

function refusalOf(bytes: string | Buffer): Refusal {
  try {
    parseStorableJson(Buffer.from(bytes));
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
  throw new Error("was not refused");
}

describe("a body", () => {
  it("comes out as JSON.parse reads it, for any JSON", () => {
    const json = fc.json({ maxDepth: 6, noUnicodeString: false });
    fc.assert(
      fc.property(json, (text) => {
        const value: unknown = JSON.parse(text);
        const plain = !text.includes("\\") && !/__proto__|constructor/.test(text);
        if (plain) expect(parse(text)).toEqual(value);
      }),
    );
  });

  it.each([
    ["", "nothing"],
    ["{", "an open object"],
    ['{"a":1}}', "too many closing braces"],
    ['{"a":1', "a cut object"],
    ['{"a" 1}', "no colon"],
    ['{"a":"', "an open string"],
    ['{"a":"\\', "an open escape"],
    ["{'a':1}", "single quotes"],
    ["NaN", "not a number"],
    ['{"a":01}', "a leading zero"],
    ['{"a":1,}', "a trailing comma"],
    ["\ufeff{}", "a byte order mark"],
    ['{"a":"\u0001"}', "a raw control character"],
  ])("%s is refused as unreadable (%s)", (text) => {
    expect(refusalOf(text).code).toBe("INVALID_REQUEST_FORMAT");
  });

  it("that is not UTF-8 is refused", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3]), Buffer.from('"}')]);
    expect(refusalOf(bytes).code).toBe("INVALID_REQUEST_FORMAT");
  });

  it("may be nested 32 levels deep and no deeper", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parse(nested(32))).toHaveLength(1);
    expect(refusalOf(nested(33)).code).toBe("INVALID_REQUEST_FORMAT");
    expect(refusalOf("[".repeat(200_000)).code).toBe("INVALID_REQUEST_FORMAT");
    expect(refusalOf('{"a":'.repeat(40_000)).code).toBe("INVALID_REQUEST_FORMAT");
    expect(parse(`{"a":"${"[".repeat(100)}"}`)).toEqual({ a: "[".repeat(100) });
  });

  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":1,"c":2}}',
    '[{"a":1},{"b":1,"b":2}]',
    '{"a":1,"\\u0061":2}',
    '{"\\u00e9":1,"é":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"b":2,"a":null}',
    '{"":1,"":2}',
  ])("that names a field twice is refused: %s", (text) => {
    const refusal = refusalOf(text);
    expect(refusal.code).toBe("INVALID_REQUEST_FORMAT");
    expect(refusal.message).toContain("twice");
  });

  it("may use the same name in two objects, and colons in its texts", () => {
    expect(parse('{"a":{"a":1},"b":[{"a":":"},{"a":"\\":\\""}]}')).toEqual({
      a: { a: 1 },
      b: [{ a: ":" }, { a: '":"' }],
    });
  });

  it("cannot reach a prototype", () => {
    const value = parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"a":1}');
    expect(Object.keys(value as object)).toEqual(["a"]);
    expect((value as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    const deep = parse('{"tags":[{"__proto__":{"y":1},"toString":"z"}]}') as { tags: object[] };
    expect(Object.keys(deep.tags[0] ?? {})).toEqual(["toString"]);
  });

  it("is kept as it was sent where a name of JavaScript's own was taken out, at any depth", () => {
    const sent = (text: string) => canonicalJson(parseJsonBody(Buffer.from(text)).sent);
    for (const text of [
      '{"__proto__":{"x":1},"a":1}',
      '{"a":1,"constructor":1}',
      '{"a":[{"b":{"\\u005f_proto__":2}}]}',
    ]) {
      expect(sent(text)).toBe(text.replace("\\u005f", "_"));
    }
    const plain = parseJsonBody(Buffer.from('{"a":{"toString":1}}'));
    expect(plain.sent).toBe(plain.value);
  });

  it.each([
    ['{"a":{"b":["x","\\u0000"]}}', "a.b.1"],
    ['{"a":"\\u001f"}', "a"],
    ['{"a":"\\b"}', "a"],
    ['{"a":"\\f"}', "a"],
    ['{"a":"\\ud800"}', "a"],
    ['{"a":"\\udc00\\ud800"}', "a"],
    ['{"a":"\\ud83d x"}', "a"],
    ['{"t":{"\\u0000":"x"}}', "t"],
    ['"\\u0000"', "body"],
  ])("with text that nothing can store is refused, naming the field: %s", (text, field) => {
    const refusal = refusalOf(text);
    expect(refusal.code).toBe("INVALID_INPUT");
    expect(refusal.details).toMatchObject({ errors: [{ field }] });
  });

  it("names every field with such text, but repeats no more than so much of a name", () => {
    const two = refusalOf('{"a":"\\u0000","b":"ok","c":"\\u0001"}');
    expect(two.details).toMatchObject({ errors: [{ field: "a" }, { field: "c" }] });
    const long = refusalOf(`{"${"k".repeat(5000)}":"\\u0000"}`);
    expect(JSON.stringify(long.details).length).toBeLessThan(700);
    const many = refusalOf(`[${Array(5000).fill('"\\u0000"').join(",")}]`);
    expect((many.details as { errors: unknown[] }).errors).toHaveLength(100);
  });

  it("may hold tabs, line ends, escapes and emoji", () => {
    const text = '{"a":"tab\\t line\\n\\r quote\\" slash\\/ \\u00e9 \\ud83d\\ude00 😀"}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

describe("the strict twin", () => {
  function strict(text: string): unknown {
    return parseJsonBody(Buffer.from(text)).strict;
  }

  it("is not made when all whole numbers are plain digits", () => {
    expect(strict('{"a":100,"b":-5,"c":0.25,"d":"1.0","e":1.5e-7,"f":true}')).toBeUndefined();
  });

  it.each([
    ['{"a":1.0}', { a: 0.5 }],
    ['{"a":1e2,"b":3}', { a: 0.5, b: 3 }],
    ['{"a":1E+2}', { a: 0.5 }],
    ['{"a":-1.0}', { a: -0.5 }],
    ['{"a":9000000000000000.4}', { a: 0.5 }],
    ['{"a":[0.25,2.0,"x1.0"]}', { a: [0.25, 0.5, "x1.0"] }],
    ["100.0", 0.5],
  ])("marks the whole numbers that were spelled otherwise: %s", (text, twin) => {
    expect(strict(text)).toEqual(twin);
  });
});
