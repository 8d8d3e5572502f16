import { describe, expect, it } from "vitest";
import { postForm, readForm, refuseForeignForm, tokenIn } from "./form.ts";

const FORM = "application/x-www-form-urlencoded";
const read = (text: string) => Object.fromEntries(readForm(Buffer.from(text, "latin1")));

describe("a posted form", () => {
  it.each([
    ["a=1&b=two+words", { a: "1", b: "two words" }],
    ["a=%24ana%40x.test", { a: "$ana@x.test" }],
    ["a=%C3%A9", { a: "é" }],
    ["a=1%0D%0A2", { a: "1\r\n2" }],
    ["a", { a: "" }],
    ["a=b=c", { a: "b=c" }],
    ["__proto__=x", JSON.parse('{"__proto__":"x"}')],
  ])("%j is read", (text, fields) => {
    expect(read(text)).toEqual(fields);
  });

  it.each([
    ["a field twice", "a=1&a=2"],
    ["bad escapes", "a=%zz"],
    ["half an escape", "a=%4"],
    ["no UTF-8", "a=\xff"],
    ["escapes that are no UTF-8", "a=%ff"],
    ["a control character", "a=%00"],
    ["a control character in a name", "%01=a"],
    ["too many fields", Array.from({ length: 401 }, (_, at) => `f${at}=`).join("&")],
  ])("with %s is refused", (_what, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it("has its token", () => {
    const { html } = postForm('t"', { html: "" });
    expect(html).toContain('method="post"');
    expect(html).toContain('value="t&quot;"');
    const name = /name="([^"]+)"/.exec(html)?.[1] ?? "";
    expect([tokenIn(new Map([[name, "t"]])), tokenIn(new Map())]).toEqual(["t", ""]);
  });
});

describe("the head of a request with a form", () => {
  it.each([
    { "content-type": FORM },
    { "content-type": `${FORM}; charset=UTF-8` },
    { "content-type": FORM, "sec-fetch-site": "same-origin" },
    { "content-type": FORM, "sec-fetch-site": "none" },
  ])("is taken: %j", (headers) => {
    expect(() => refuseForeignForm(headers)).not.toThrow();
  });

  it.each([
    [{}, 415],
    [{ "content-type": "application/json" }, 415],
    [{ "content-type": "multipart/form-data; boundary=x" }, 415],
    [{ "content-type": `${FORM}x` }, 415],
    [{ "content-type": FORM, "content-encoding": "gzip" }, 415],
    [{ "content-type": FORM, "sec-fetch-site": "cross-site" }, 403],
    [{ "content-type": FORM, "sec-fetch-site": "same-site" }, 403],
  ])("is refused: %j", (headers, status) => {
    expect(() => refuseForeignForm(headers)).toThrow(expect.objectContaining({ status }));
  });
});
