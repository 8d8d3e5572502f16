import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import {
  isSignedAnswer,
  isSignedRequest,
  isTimely,
  readSignature,
  signAnswer,
  signRequest,
} from "./rail-signature.ts";

const SECRET = "a secret — in UTF-8 — of many bytes";
const stamp = { time: 1_764_000_000, nonce: "0123456789abcdef" };
const request = {
  method: "PUT",
  path: "/bank/payments/1?x=1",
  idempotencyKey: "k",
  body: Buffer.from('{"a":1}'),
};

it("of a request covers method, path, key, body, time and nonce", () => {
  const header = signRequest(SECRET, request, stamp);
  const lines = [
    "v1",
    "1764000000",
    "0123456789abcdef",
    "PUT",
    "/bank/payments/1?x=1",
    "k",
    createHash("sha256").update('{"a":1}').digest("hex"),
  ];
  const mac = createHmac("sha256", SECRET).update(lines.join("\n")).digest("hex");
  expect(header).toBe(`t=1764000000,n=0123456789abcdef,v1=${mac}`);
  const signature = readSignature(header);
  if (signature === undefined) throw new Error("it is read");
  expect(isSignedRequest([SECRET], request, signature)).toBe(true);
  expect(isSignedRequest(["older", SECRET], request, signature)).toBe(true);
  expect(isSignedRequest(["older"], request, signature)).toBe(false);
  for (const change of [
    { method: "POST" },
    { path: "/bank/payments/1" },
    { idempotencyKey: "" },
    { body: Buffer.from('{"a":2}') },
  ]) {
    expect(isSignedRequest([SECRET], { ...request, ...change }, signature)).toBe(false);
  }
  expect(isSignedRequest([SECRET], request, { ...signature, time: 1 })).toBe(false);
  expect(isSignedRequest([SECRET], request, { ...signature, nonce: "x".repeat(16) })).toBe(false);
});

it("of an answer belongs to its request and its status", () => {
  const body = Buffer.from("{}");
  const header = signAnswer(SECRET, { status: 200, body }, stamp);
  const check = (more: object, at = stamp) =>
    isSignedAnswer([SECRET], { status: 200, body, header, ...more }, at);
  expect(check({})).toBe(true);
  expect(check({ status: 404 })).toBe(false);
  expect(check({ body: Buffer.from("{ }") })).toBe(false);
  expect(check({ header: undefined })).toBe(false);
  expect(check({}, { ...stamp, nonce: "fedcba9876543210" })).toBe(false);
});

it.each(["", "t=1", "t=1,n=short,v1=00", `t=x,n=0123456789abcdef,v1=${"0".repeat(64)}`])(
  "%s is no signature",
  (header) => {
    expect(readSignature(header)).toBeUndefined();
  },
);

it("is timely within five minutes on both sides", () => {
  const at = (seconds: number) => isTimely(stamp, (stamp.time + seconds) * 1_000);
  expect([at(300), at(-300), at(301), at(-301)]).toEqual([true, true, false, false]);
});
