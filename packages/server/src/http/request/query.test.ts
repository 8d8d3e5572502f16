import Type from "typebox";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../engine/refusal.ts";
import { createQueryReader } from "./query.ts";

const readQuery = createQueryReader(
  Type.Object({
    limit: Type.Integer({ default: 20 }),
    ratio: Type.Optional(Type.Number()),
    open: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String()),
    kind: Type.Optional(Type.Array(Type.String())),
    sizes: Type.Optional(Type.Array(Type.Integer())),
  }),
);

const read = (url: string) => readQuery(url).value;

describe("a query", () => {
  it.each([
    ["/x", {}],
    ["/x?", {}],
    ["/x?limit=5&open=true&name=Ada", { limit: 5, open: true, name: "Ada" }],
    ["/x?limit=9223372036854775807", { limit: 2 ** 63 }],
    [`/x?limit=-${"9".repeat(308)}`, { limit: -1e308 }],
    ["/x?open=false", { open: false }],
    ["/x?name=a+b%20c%2Bd", { name: "a b c+d" }],
    ["/x?name=a=b=c", { name: "a=b=c" }],
    ["/x?name", { name: "" }],
    ["/x?kind=A", { kind: ["A"] }],
    ["/x?kind=A&kind=B", { kind: ["A", "B"] }],
    ["/x?sizes=1&sizes=02", { sizes: [1, "02"] }],
    ["/x?kind=A,B&kind=C", { kind: ["A", "B", "C"] }],
    ["/x?kind=A%2CB", { kind: ["A", "B"] }],
    ["/x?sizes=1,2", { sizes: [1, 2] }],
    ["/x?name=a,b", { name: "a,b" }],
    ["/x?&limit=3&=&=x", { limit: 3 }],
    ["/x?ratio=0.25", { ratio: 0.25 }],
    ["/x?%6Cimit=7", { limit: 7 }],
  ])("%s is read as declared", (url, expected) => {
    expect(read(url)).toEqual(expected);
  });

  it.each([
    ["limit", "abc"],
    ["limit", ""],
    ["limit", "1e1"],
    ["limit", "05"],
    ["limit", "+5"],
    ["limit", "5.0"],
    ["limit", "0x10"],
    ["limit", "-0"],
    ["limit", "9".repeat(309)],
    ["open", "TRUE"],
    ["open", "1"],
    ["ratio", "NaN"],
    ["ratio", "Infinity"],
    ["ratio", "1e3"],
  ])("leaves %s=%s a text, which no such schema takes", (name, text) => {
    expect(read(`/x?${name}=${encodeURIComponent(text)}`)).toEqual({
      [name]: text,
    });
  });

  function refusalOf(url: string): Refusal {
    try {
      read(url);
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown;
    }
    throw new Error("was not refused");
  }

  it("names a single value that comes twice, each such name once", () => {
    const { errors } = readQuery("/x?limit=1&limit=1&limit=2&name=a&name=a");
    expect(errors.map(({ field }) => field)).toEqual(["limit", "name"]);
    expect(readQuery("/x?limit=1&limit=2").errors).toEqual([
      { field: "limit", message: "must not be given more than once" },
    ]);
  });

  it("names a parameter once, however often it was sent and however many faults it has", () => {
    const query = `/x?${"name=%01&kind=%01&limit=x&".repeat(500)}`;
    expect(readQuery(query).errors.map(({ field }) => field)).toEqual(["name", "kind", "limit"]);
  });

  it.each([
    ["name_", "is no parameter of this call; did you mean name?"],
    ["Limit", "is no parameter of this call; did you mean limit?"],
    ["page", "is no parameter of this call; it takes limit, ratio, open, name, kind, sizes"],
    ["__proto__", "is no parameter of this call; it takes limit, ratio, open, name, kind, sizes"],
    ["constructor", "is no parameter of this call; it takes limit, ratio, open, name, kind, sizes"],
  ])("names the unknown parameter %s", (field, message) => {
    const { value, errors } = readQuery(`/x?${field}=1&${field}=2&limit=5`);
    expect(value).toEqual({ limit: 5 });
    expect(errors).toMatchObject([{ field, message }]);
  });

  it("is unknown whole where a call takes no parameter", () => {
    const message = "is no parameter of this call; it takes none";
    expect(createQueryReader()("/x?limit=1").errors).toEqual([{ field: "limit", message }]);
    expect(createQueryReader()("/x?").errors).toEqual([]);
  });

  it("names a bounded number of unknown parameters", () => {
    const query = Array.from({ length: 2_000 }, (_, index) => `p${index}`).join("&");
    expect(readQuery(`/x?${query}`).errors).toHaveLength(20);
  });

  it("names what holds control characters", () => {
    expect(readQuery("/x?name=%00&limit=1").errors).toMatchObject([{ field: "name" }]);
  });

  it.each(["/x?name=%", "/x?name=%zz", "/x?name=%ff", "/x?%=1"])(
    "%s is refused as badly encoded",
    (url) => {
      expect(refusalOf(url).code).toBe("INVALID_REQUEST_FORMAT");
    },
  );
});
