import { describe, expect, it } from "vitest";
import { JsonNumber, type MessageJson, parseMessage, writeMessage } from "./json-message.ts";

/** The value with numbers as `#` and their digits. */
function shown(value: MessageJson): unknown {
  if (value instanceof JsonNumber) return `#${value.digits}`;
  if (value instanceof Map) return Object.fromEntries([...value].map(([n, v]) => [n, shown(v)]));
  return Array.isArray(value) ? (value as readonly MessageJson[]).map(shown) : value;
}

function parsed(text: string): unknown {
  const outcome = parseMessage(Buffer.from(text, "utf8"));
  return "fault" in outcome ? outcome.fault : shown(outcome.value);
}

describe("a message", () => {
  it.each([
    ['{"a":9007199254740993}', { a: "#9007199254740993" }],
    ['{"a":0.10, "b":-1e400}', { a: "#0.10", b: "#-1e400" }],
    ['{"a":[1,"1",true,null,{"b":[]}]}', { a: ["#1", "1", true, null, { b: [] }] }],
    ['{"n1":"n1","t":"t"}', { n1: "n1", t: "t" }],
    ['{"a\\"b":"\\\\\\"7","7":" -7 "}', { 'a"b': '\\"7', "7": " -7 " }],
    [" 12 ", "#12"],
    ['"é😀\\u00e9"', "é😀é"],
  ])("%s keeps its digits and its texts", (text, value) => {
    expect(parsed(text)).toEqual(value);
  });

  it("may have names that mean something to JavaScript", () => {
    const outcome = parseMessage(Buffer.from('{"__proto__":{"x":1},"constructor":2}'));
    const value = "value" in outcome ? outcome.value : undefined;
    expect(value instanceof Map && [...value.keys()]).toEqual(["__proto__", "constructor"]);
  });

  it.each([
    ["", "the body is not JSON"],
    ["{", "the body is not JSON"],
    ['{"a":01}', "the body is not JSON"],
    ['{"a":1.}', "the body is not JSON"],
    ['{"a":1 2}', "the body is not JSON"],
    ["{'a':1}", "the body is not JSON"],
    ['{"a":-}', "the body is not JSON"],
    ['{"a":NaN}', "the body is not JSON"],
    ['{"a":"\n"}', "the body is not JSON"],
    ['{"a":1}{"a":1}', "the body is not JSON"],
    ['{"a":1,"a":2}', "the body names a member twice"],
    ['{"b":{"a":1,"\\u0061":2}}', "the body names a member twice"],
    [`{"a":${"9".repeat(33)}}`, "a number has more than 32 characters"],
    [`{"a":${"9".repeat(1_000_000)}}`, "a number has more than 32 characters"],
    ["[".repeat(17), "the body is nested more than 16 levels deep"],
    ["[".repeat(100_000), "the body is nested more than 16 levels deep"],
  ])("%s is refused as a whole", (text, fault) => {
    expect(parsed(text)).toBe(fault);
  });

  it("in another encoding is refused", () => {
    expect(parseMessage(Buffer.from([0x22, 0xff, 0x22]))).toEqual({
      fault: "the body is not UTF-8",
    });
  });

  it("is read as JSON.parse reads it, but for numbers, and written as it was", () => {
    let seed = 7;
    const pick = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const texts = ["", "n", "t1", '"', "\\", "\u0000", "é", "12", "😀", "\u2028", "__proto_"];
    const numbers = ["0", "-1", "12.50", "1e5", "9007199254740993", "-0.0"];
    const make = (depth: number): unknown => {
      const kind = pick(depth > 4 ? 4 : 6);
      if (kind === 0) return null;
      if (kind === 1) return pick(2) === 1;
      if (kind === 2) return texts[pick(texts.length)];
      if (kind === 3) return Number(numbers[pick(numbers.length)]);
      const length = pick(4);
      if (kind === 4) return Array.from({ length }, () => make(depth + 1));
      return Object.fromEntries(
        Array.from({ length }, () => [texts[pick(texts.length)], make(depth + 1)]),
      );
    };
    const asNumbers = (value: MessageJson): unknown => {
      if (value instanceof JsonNumber) return Number(value.digits);
      if (value instanceof Map)
        return Object.fromEntries([...value].map(([name, one]) => [name, asNumbers(one)]));
      return Array.isArray(value) ? (value as readonly MessageJson[]).map(asNumbers) : value;
    };
    const plain = (value: MessageJson): never =>
      (value instanceof Map
        ? Object.fromEntries([...value].map(([name, one]) => [name, plain(one)]))
        : Array.isArray(value)
          ? (value as readonly MessageJson[]).map(plain)
          : value) as never;
    for (let round = 0; round < 3_000; round += 1) {
      const text = JSON.stringify(make(0), undefined, pick(3));
      const outcome = parseMessage(Buffer.from(text, "utf8"));
      if ("fault" in outcome) throw new Error(`${text}: ${outcome.fault}`);
      expect(asNumbers(outcome.value)).toEqual(JSON.parse(text));
      expect(writeMessage(plain(outcome.value))).toBe(JSON.stringify(JSON.parse(text)));
    }
  });
});
