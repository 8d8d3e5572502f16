import Type from "typebox";
import { expect, it } from "vitest";
import { sensitive, taggedUnion } from "../../validation/schema.ts";
import { REDACTED, redactorOf } from "./redact.ts";

const Plain = Type.Object({
  name: Type.String(),
  count: Type.Optional(Type.Integer()),
  kind: Type.Optional(Type.Enum(["A", "B"])),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  otp: Type.Optional(Type.String(sensitive)),
  tags: Type.Optional(Type.Record(Type.String(), Type.String())),
  parts: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
});

it.each([
  ["declared values", { name: "a", count: 1, kind: "A", note: null }, undefined],
  ["a marked property", { name: "a", otp: "1" }, { name: "a", otp: REDACTED }],
  ["undeclared ones with their names", { name: "a", s1: 1, s2: {} }, { name: "a", [REDACTED]: 2 }],
  ["another spelling", { OTP: "1" }, { [REDACTED]: 1 }],
  ["a value of another type", { name: { s: 1 }, count: "s" }, { name: REDACTED, count: REDACTED }],
  ["a value that is not listed", { kind: "s" }, { kind: REDACTED }],
  ["names that callers choose", { tags: { s: "s" } }, { tags: REDACTED }],
  ["items", { parts: [{ id: "1", s: 1 }, "s"] }, { parts: [{ id: "1", [REDACTED]: 1 }, REDACTED] }],
  ["what is no object", "s", REDACTED],
  ["null", null, REDACTED],
  ["a list", ["s"], REDACTED],
])("judges %s", (_, value, kept) => {
  expect(redactorOf(Plain)(value)).toEqual(kept ?? value);
});

it("keeps of a union what the variant keeps that the tag names", () => {
  const redact = redactorOf(
    taggedUnion("type", [
      Type.Object({ type: Type.Literal("CODE"), otp: Type.String(sensitive) }),
      Type.Object({ type: Type.Enum(["MAIL", "POST"]), to: Type.String() }),
    ]),
  );
  expect(redact({ type: "CODE", otp: "1" })).toEqual({ type: "CODE", otp: REDACTED });
  expect(redact({ type: "POST", to: "a" })).toEqual({ type: "POST", to: "a" });
  expect(redact({ type: "CODE", to: "a" })).toEqual({ type: "CODE", [REDACTED]: 1 });
  expect(redact({ type: "s", to: "a" })).toBe(REDACTED);
});

it("without a tag a property that one variant marks is redacted", () => {
  const redact = redactorOf(
    Type.Union([
      Type.Object({ key: Type.String(sensitive), a: Type.String() }),
      Type.Object({ key: Type.String(), b: Type.String() }),
    ]),
  );
  expect(redact({ key: "s", a: "1", b: "2" })).toEqual({ key: REDACTED, a: "1", b: "2" });
});

it("keeps what any part of an object declares, unless another one marks it", () => {
  const redact = redactorOf(
    Type.Intersect([
      taggedUnion("type", [Type.Object({ type: Type.Literal("A"), a: Type.String() })]),
      Type.Object({ b: Type.String(), c: Type.String(sensitive) }),
    ]),
  );
  const value = { type: "A", a: "1", b: "2", c: "s", d: "s" };
  expect(redact(value)).toEqual({ type: "A", a: "1", b: "2", c: REDACTED, [REDACTED]: 1 });
});

it("keeps nothing of a value without a schema", () => {
  expect(redactorOf(undefined)({ a: 1 })).toBe(REDACTED);
  expect(redactorOf(Type.Unknown())("s")).toBe(REDACTED);
});
