/**
 * Reads the answers on one keep-alive connection out of whatever pieces the socket gives: one
 * answer in many reads, or many answers in one. Knows what a server of ours sends (status line,
 * headers, `Content-Length`) and stops loudly on anything else, because a bench that loses count of
 * its answers is worse than none.
 */

const LONGEST_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)[ \r]/;
const CONTENT_LENGTH = /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n/i;
const TRANSFER_ENCODING = /\r\ntransfer-encoding:/i;
const CLOSE = /\r\nconnection:[ \t]*close[ \t]*\r\n/i;

export interface ParsedResponse {
  readonly status: number;
  /** The server closes the connection after this answer. */
  readonly closes: boolean;
  /** Only when bodies are kept. */
  readonly body: Buffer | undefined;
}

export interface ResponseParser {
  /**
   * Takes a piece; calls `onResponse` for each answer that it completes. The piece may be reused
   * afterwards.
   */
  push(piece: Buffer): void;
  /** In the middle of an answer: the connection must not end here. */
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

  /** Takes what belongs to the body at `offset`; the answer is the offset after it. */
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

/** `text` is the head with the line break of its last line. */
function readHead(text: string): Head {
  const statusText = STATUS_LINE.exec(text)?.[1];
  if (statusText === undefined) {
    throw new Error(`not an HTTP/1.1 answer: ${JSON.stringify(text.slice(0, 60))}`);
  }
  const status = Number(statusText);
  const closes = CLOSE.test(text);
  return { status, closes, bodyBytes: readBodyBytes(text, status, closes) };
}

/**
 * What comes after the head of an answer that closes and names no length is not read: the
 * connection is given up.
 */
function readBodyBytes(text: string, status: number, closes: boolean): number {
  if (status < 200 || status === 204 || status === 304) return 0;
  const length = CONTENT_LENGTH.exec(text)?.[1];
  const isChunked = TRANSFER_ENCODING.test(text);
  if (length !== undefined && !isChunked) return Number(length);
  if (closes && !isChunked) return 0;
  throw new Error(`an answer with status ${status} does not say its length`);
}
