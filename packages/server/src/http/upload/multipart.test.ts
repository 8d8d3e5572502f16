import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../engine/refusal.ts";
import { boundaryOf, createMultipartReader, parsePartHead } from "./multipart.ts";

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly content: string;
}

/** Reads the body in pieces of these sizes, the last of them again and again. */
function read(body: Buffer, sizes: readonly number[] = [body.length || 1]): readonly Part[] {
  const reader = createMultipartReader("b");
  const parts: { name: string; fileName: string | undefined; content: string }[] = [];
  for (let from = 0, piece = 0; from < body.length; piece += 1) {
    const size = sizes[Math.min(piece, sizes.length - 1)] ?? 1;
    for (const event of reader.take(body.subarray(from, from + size))) {
      if (event.kind === "part") parts.push({ ...event.head, content: "" });
      const part = parts.at(-1);
      if (event.kind === "bytes" && part !== undefined)
        part.content += event.bytes.toString("latin1");
    }
    from += size;
  }
  reader.finish();
  return parts;
}

const head = (name: string, more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const readText = (text: string) => read(Buffer.from(text, "latin1"));

describe("a form", () => {
  it.each([
    ["no part", "--b--", []],
    ["no part and a line end", "--b--\r\n", []],
    ["a field", `${head("a")}1\r\n--b--\r\n`, [{ name: "a", fileName: undefined, content: "1" }]],
    ["an empty field", `${head("a")}\r\n--b--\r\n`, [{ name: "a", content: "" }]],
    [
      "a field without a line of its own",
      `${head("a").slice(0, -2)}\r\n--b--`,
      [{ name: "a", content: "" }],
    ],
    [
      "a field and a file",
      `${head("a")}1\r\n${head("f", '; filename="x"')}2\r\n--b--\r\n`,
      [
        { name: "a", content: "1" },
        { name: "f", fileName: "x", content: "2" },
      ],
    ],
    [
      "what only looks like a boundary",
      `${head("a")}\r\n-\r\n--\r\n--c\r\n--b--`,
      [{ name: "a", content: "\r\n-\r\n--\r\n--c" }],
    ],
  ])("can have %s", (_name, text, parts) => {
    expect(readText(text)).toMatchObject(parts);
  });

  it("is read the same wherever its bytes are cut", () => {
    const content = fc.oneof(
      fc.string({ unit: "binary-ascii", maxLength: 20 }),
      fc.constantFrom("\r", "\n", "\r\n", "\r\n-", "\r\n--", "--b", "\r\n\r\n"),
    );
    const contents = fc.array(
      fc.array(content, { maxLength: 4 }).map((some) => some.join("")),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        contents,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (sent, sizes) => {
          fc.pre(!sent.some((text) => `\r\n${text}\r\n`.includes("\r\n--b")));
          const text = `${sent.map((one, index) => `${head(`p${index}`)}${one}\r\n`).join("")}--b--\r\n`;
          const parts = read(Buffer.from(text, "latin1"), sizes);
          expect(parts.map((part) => part.content)).toEqual(sent);
        },
      ),
    );
  });

  it.each([
    ["nothing", ""],
    ["another boundary", "--c--"],
    ["something before the first boundary", `x\r\n${head("a")}1\r\n--b--`],
    ["something behind the last boundary", `${head("a")}1\r\n--b--\r\nx`],
    ["no last boundary", `${head("a")}1\r\n`],
    ["half a last boundary", `${head("a")}1\r\n--b`],
    ["something behind a boundary", `--b x\r\n${head("a").slice(5)}1\r\n--b--`],
    ["bare line feeds", `${head("a").replaceAll("\r", "")}1\n--b--`],
    ["a head without a name", "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--"],
    ["a head without a disposition", "--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--"],
    ["no head", "--b\r\n\r\n1\r\n--b--"],
    ["a head that never ends", `--b\r\nX: ${"x".repeat(5_000)}`],
    ["too long a head", `--b\r\nX: ${"x".repeat(5_000)}\r\n${head("a").slice(5)}1\r\n--b--`],
    ["too many parts", `${Array.from({ length: 33 }, () => `${head("a")}1\r\n`).join("")}--b--`],
  ])("is refused with %s", (_name, text) => {
    expect(() => readText(text)).toThrow(Refusal);
  });

  it("is read or refused for any bytes", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "--b",
        "\r\n",
        "--",
        head("a"),
        "Content-Disposition: ",
        "form-data; name=",
        '"',
        ";",
        "\r\n\r\n",
      ),
      fc.string({ unit: "binary-ascii", maxLength: 8 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (pieces, size) => {
          const body = Buffer.from(pieces.join(""), "latin1");
          const outcome = (sizes: readonly number[]) => {
            try {
              return read(body, sizes);
            } catch (thrown) {
              expect(thrown).toBeInstanceOf(Refusal);
              return "refused";
            }
          };
          expect(outcome([size])).toEqual(outcome([body.length || 1]));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the head of a part", () => {
  const disposition = (rest: string) =>
    parsePartHead(Buffer.from(`Content-Disposition: form-data${rest}`));

  it.each([
    ['; name="a"', { name: "a", fileName: undefined }],
    ["; name=a", { name: "a", fileName: undefined }],
    ['; name="a"; filename=""', { name: "a", fileName: "" }],
    ['; NAME="a"; FileName="x y.pdf"', { name: "a", fileName: "x y.pdf" }],
    ['; name="a\\"b"; filename="c\\\\d"', { name: 'a"b', fileName: "c\\d" }],
    ['; name="a%22b"; filename="ü.pdf"', { name: 'a"b', fileName: "ü.pdf" }],
    ["; name=a; filename*=UTF-8''na%C3%AFve.pdf", { name: "a", fileName: "naïve.pdf" }],
    ["; name=a; filename=\"plain\"; filename*=utf-8'en'%E2%82%AC", { name: "a", fileName: "€" }],
  ])("%s is read", (rest, found) => {
    expect(disposition(rest)).toEqual(found);
  });

  it.each([
    "",
    '; filename="x"',
    '; name="a"; name="b"',
    '; name="a',
    '; name="a" x',
    "; name=a b",
    "; name=a; filename*=latin1''x",
    "; name=a; filename*=UTF-8''%ff",
    '; name="a"\r\nContent-Disposition: form-data; name="b"',
    '; name="a"\r\nContent-Transfer-Encoding: base64',
    '; name="a"\r\n folded',
    '; name="a"\r\nno colon',
  ])("%j is refused", (rest) => {
    expect(disposition(rest)).toBeUndefined();
  });

  it("must be UTF-8", () => {
    const bytes = Buffer.from('Content-Disposition: form-data; name="\xff"', "latin1");
    expect(parsePartHead(bytes)).toBeUndefined();
  });
});

describe("the type of a form", () => {
  it.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b?c"', "a b?c"],
  ])("%s names its boundary", (type, boundary) => {
    expect(boundaryOf({ "content-type": type })).toBe(boundary);
  });

  it.each([
    [undefined, "UNSUPPORTED_MEDIA_TYPE"],
    ["application/json", "UNSUPPORTED_MEDIA_TYPE"],
    ["multipart/form-datax; boundary=a", "UNSUPPORTED_MEDIA_TYPE"],
    ["multipart/mixed; boundary=a", "UNSUPPORTED_MEDIA_TYPE"],
    ["multipart/form-data", "INVALID_REQUEST_FORMAT"],
    ["multipart/form-data; boundary=", "INVALID_REQUEST_FORMAT"],
    ['multipart/form-data; boundary=""', "INVALID_REQUEST_FORMAT"],
    ['multipart/form-data; boundary="a "', "INVALID_REQUEST_FORMAT"],
    ["multipart/form-data; boundary=a; boundary=b", "INVALID_REQUEST_FORMAT"],
    [`multipart/form-data; boundary=${"a".repeat(71)}`, "INVALID_REQUEST_FORMAT"],
    ["multipart/form-data; boundary=ä", "INVALID_REQUEST_FORMAT"],
  ])("%j is refused", (type, code) => {
    const headers = type === undefined ? {} : { "content-type": type };
    expect(() => boundaryOf(headers)).toThrow(expect.objectContaining({ code }));
  });

  it("is refused when the body is compressed", () => {
    const headers = {
      "content-type": "multipart/form-data; boundary=a",
      "content-encoding": "gzip",
    };
    expect(() => boundaryOf(headers)).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED_MEDIA_TYPE" }),
    );
  });
});
