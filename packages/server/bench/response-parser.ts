/**
 * An incremental parser of HTTP/1.1 answers on one keep-alive connection. Supports what our server sends (status line, headers,
 * `Content-Length`) and throws on anything else, because a miscounted answer would invalidate the figures.
 */

const LONGEST_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)[ \r]/;
const CONTENT_LENGTH = /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n/i;
const TRANSFER_ENCODING = /\r\ntransfer-encoding:/i;
const CLOSE = /\r\nconnection:[ \t]*close[ \t]*\r\n/i;

export interface ParsedResponse {
  readonly status: number;
  readonly closes: boolean;
  /** Undefined unless bodies are kept. */
  readonly body: Buffer | undefined;
}

export interface ResponseParser {
  /** Parses a chunk and calls `onResponse` for each completed answer. The chunk may be reused afterwards. */
  push(piece: Buffer): void;
  isOpen(): boolean;
}

interface Head {
  readonly status: number;
  readonly closes: boolean;
  readonly bodyBytes: number;
}

export function createResponseParser(
  onResponse: (response: ParsedResponse) => void,
  keepBodies: boolean,
): ResponseParser {
  let unread: Buffer | undefined;
  let head: Head | undefined;
  let bodyBytesLeft = 0;
  let bodyPieces: Buffer[] = [];

  /** Consumes body bytes from `offset`; returns the offset after them. */
  function takeBody(piece: Buffer, offset: number): number {
    const end = Math.min(piece.length, offset + bodyBytesLeft);
    if (keepBodies && end > offset) bodyPieces.push(Buffer.from(piece.subarray(offset, end)));
    bodyBytesLeft -= end - offset;
    return end;
  }

  function finish(done: Head): void {
    const body = keepBodies ? Buffer.concat(bodyPieces) : undefined;
    head = undefined;
    bodyPieces = [];
    if (done.status >= 200) onResponse({ status: done.status, closes: done.closes, body });
  }

  return {
    push(piece) {
      const all = unread === undefined ? piece : Buffer.concat([unread, piece]);
      unread = undefined;
      let offset = 0;
      while (offset < all.length) {
        if (head === undefined) {
          const headEnd = all.indexOf(HEAD_END, offset);
          if (headEnd === -1) {
            unread = keepForLater(all, offset);
            return;
          }
          head = readHead(all.toString("latin1", offset, headEnd + 2));
          bodyBytesLeft = head.bodyBytes;
          offset = headEnd + HEAD_END.length;
        }
        offset = takeBody(all, offset);
        if (bodyBytesLeft > 0) return;
        finish(head);
      }
    },
    isOpen: () => unread !== undefined || head !== undefined,
  };
}

function keepForLater(all: Buffer, offset: number): Buffer {
  if (all.length - offset > LONGEST_HEAD_BYTES)
    throw new Error("the head of an answer is too long");
  return Buffer.from(all.subarray(offset));
}

/** `text` is the head, with the line break of its last line. */
function readHead(text: string): Head {
  const statusText = STATUS_LINE.exec(text)?.[1];
  if (statusText === undefined) {
    throw new Error(`not an HTTP/1.1 answer: ${JSON.stringify(text.slice(0, 60))}`);
  }
  const status = Number(statusText);
  const closes = CLOSE.test(text);
  return { status, closes, bodyBytes: readBodyBytes(text, status, closes) };
}

/** The body of an answer that closes the connection and has no length is not read. */
function readBodyBytes(text: string, status: number, closes: boolean): number {
  if (status < 200 || status === 204 || status === 304) return 0;
  const length = CONTENT_LENGTH.exec(text)?.[1];
  const isChunked = TRANSFER_ENCODING.test(text);
  if (length !== undefined && !isChunked) return Number(length);
  if (closes && !isChunked) return 0;
  throw new Error(`an answer with status ${status} has no Content-Length`);
}
