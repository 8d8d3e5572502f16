import { describe, expect, it } from "vitest";
import { createResponseParser } from "./response-parser.ts";

/** A body that contains the end of a head and the start of an answer. */
const trap = "x\r\n\r\nHTTP/1.1 200 OK\r\n";
const created = `HTTP/1.1 201 Created\r\nX: y\r\nContent-Length: ${trap.length}\r\n\r\n${trap}`;
const empty = "HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n";
const refused =
  "HTTP/1.1 503 Service Unavailable\r\ncontent-length:0 \r\nConnection: close\r\n\r\n";
const goOn = "HTTP/1.1 100 Continue\r\n\r\n";
const stream = created + empty + goOn + created + refused + created;

const expected = [
  { status: 201, closes: false, body: trap },
  { status: 204, closes: false, body: "" },
  { status: 201, closes: false, body: trap },
  { status: 503, closes: true, body: "" },
  { status: 201, closes: false, body: trap },
];

/** Parses the chunks and overwrites each after `push`, as happens to a reused read buffer. */
function parse(pieces: readonly string[], keepBodies = true) {
  const found: { status: number; closes: boolean; body: string | undefined }[] = [];
  const parser = createResponseParser(({ status, closes, body }) => {
    found.push({ status, closes, body: body?.toString() });
  }, keepBodies);
  for (const text of pieces) {
    const piece = Buffer.from(text);
    parser.push(piece);
    piece.fill(0);
  }
  return { found, isOpen: parser.isOpen() };
}

describe("the response parser", () => {
  it("reads several answers from one chunk", () => {
    expect(parse([stream])).toEqual({ found: expected, isOpen: false });
  });

  it("reads them from two chunks, split at every position", () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const pieces = [stream.slice(0, cut), stream.slice(cut)];
      expect(parse(pieces), `cut at ${cut}`).toEqual({ found: expected, isOpen: false });
    }
  });

  it.each([1, 2, 3, 7, 50])("reads them from chunks of %i bytes", (size) => {
    const pieces: string[] = [];
    for (let at = 0; at < stream.length; at += size) pieces.push(stream.slice(at, at + size));
    expect(parse(pieces)).toEqual({ found: expected, isOpen: false });
    expect(parse(pieces, false).found).toEqual(
      expected.map((one) => ({ ...one, body: undefined })),
    );
  });

  it("counts the length of a body in bytes", () => {
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength("é€😀")}\r\n\r\né€😀`;
    expect(parse([answer + empty]).found).toMatchObject([{ body: "é€😀" }, { status: 204 }]);
  });

  it("reports an open answer when the stream ends inside it", () => {
    for (let cut = 1; cut < created.length; cut += 1) {
      expect(parse([created.slice(0, cut)]), `cut at ${cut}`).toEqual({ found: [], isOpen: true });
    }
  });

  it("accepts an answer without a length when it closes the connection", () => {
    const text = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
    expect(parse([text]).found).toEqual([{ status: 400, closes: true, body: "" }]);
  });

  it.each([
    ["something that is not HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["an invalid status", "HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"],
    ["HTTP/2", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["an answer without a length", "HTTP/1.1 200 OK\r\nDate: now\r\n\r\n"],
    ["a chunked answer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    [
      "a chunked answer with a length",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"],
    ["a length in a name only", "HTTP/1.1 200 OK\r\nX-Content-Length: 3\r\n\r\nabc"],
    ["a head without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}`],
  ])("stops at %s", (_, text) => {
    expect(() => parse([text])).toThrow();
  });
});
