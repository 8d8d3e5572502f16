import { describe, expect, it } from "vitest";
import {
  answerDigestOf,
  chainHashOf,
  effectsDigestOf,
  idempotencyDigestOf,
  type LoggedCommand,
  type StoredEvent,
  type UnhashedCommand,
} from "../engine/command-log.ts";
import { GENESIS_HASH, type Head } from "../engine/head.ts";
import { toIso } from "../std/clock.ts";
import type { Finding } from "./verify-books.ts";
import { type Effects, LogCheck } from "./verify-log.ts";

const AT = 1_767_225_600_000;
const PLATFORM_ID = "018f0000-0000-7000-8000-00000000000a";

interface Written {
  readonly command: LoggedCommand;
  readonly effects: Effects;
}

interface Draft extends Partial<UnhashedCommand> {
  readonly events?: readonly StoredEvent[];
}

/** Chains commands as the engine would, whatever they say: every hash and digest fits. */
function write(drafts: readonly Draft[]): Written[] {
  let hash: Buffer = GENESIS_HASH;
  return drafts.map(({ events = [], ...draft }, index) => {
    const answer = draft.answer ?? null;
    const unhashed: UnhashedCommand = {
      seq: BigInt(index + 1),
      id: `018f0000-0000-7000-8000-${String(index).padStart(12, "0")}`,
      name: "move",
      actor: "token:one",
      at: AT + index,
      clockOffsetMs: 0n,
      idempotencyDigest: null,
      idempotencyScope: null,
      idempotencyKey: null,
      bodyDigest: null,
      status: 201,
      answer,
      answerSealed: false,
      answerDigest: answerDigestOf(answer ?? ""),
      effectsDigest: effectsDigestOf([], events),
      ...draft,
    };
    hash = chainHashOf(hash, unhashed);
    return { command: { ...unhashed, hash }, effects: { entries: [], events, audit: undefined } };
  });
}

function eventAt(at: number, change: Partial<StoredEvent> = {}): StoredEvent {
  const id = PLATFORM_ID;
  const body = `{"id":"Webhook:${id}","type":"TEST","timestamp":"${toIso(at)}","data":{}}`;
  return { seq: 1n, id, commandSeq: 1n, type: "TEST", subject: "Customer:x", at, body, ...change };
}

function check(written: readonly Written[], change: Partial<Head> = {}): readonly string[] {
  const last = written.at(-1)?.command;
  const head: Head = {
    seq: last?.seq ?? 0n,
    eventSeq: BigInt(written.flatMap(({ effects }) => effects.events).length),
    clockOffsetMs: Number(last?.clockOffsetMs ?? 0n),
    lastAt: last?.at ?? Date.UTC(2000, 0, 1),
    chainHash: last?.hash ?? GENESIS_HASH,
    ...change,
  };
  const found: Finding[] = [];
  const log = new LogCheck({
    platformId: PLATFORM_ID,
    head,
    tell: (finding) => found.push(finding),
  });
  for (const { command, effects } of written) {
    log.reach(command.seq);
    for (const event of effects.events) log.event(event);
    log.command(command, effects);
  }
  log.reach(undefined);
  log.finish();
  return found.map(({ row, what }) => `${row}: ${what}`);
}

const keyed = {
  idempotencyDigest: idempotencyDigestOf("scope", "key"),
  idempotencyScope: "scope",
  idempotencyKey: "key",
  bodyDigest: answerDigestOf("body"),
  answer: "{}",
};

describe("a log", () => {
  it("adds up when it is empty, and when it is not", () => {
    expect(check([])).toEqual([]);
    expect(check(write([{}, keyed, { events: [eventAt(AT + 2)] }]))).toEqual([]);
  });

  it("adds up without the answer that was dropped together with the digest of its key", () => {
    const [written] = write([keyed]);
    const command = { ...written?.command, answer: null, idempotencyDigest: null };
    expect(check([{ ...written, command } as Written])).toEqual([]);
  });

  it("distinguishes lost last commands from a head that is too far ahead", () => {
    const [first, second, third] = write([{}, {}, {}]);
    const cut = [first as Written];
    const at = { seq: 3n, lastAt: AT, chainHash: third?.command.hash as Buffer };
    expect(check(cut, at)).toEqual([
      "commands 2 to 3: not there",
      "the head: its seq is 3, the log ends at 1",
      "the head: its chain_hash is not the hash of the last command",
    ]);
    expect(check([first as Written, second as Written], { seq: 3n })).toEqual([
      "the head: its seq is 3, the log ends at 2",
    ]);
  });

  it("reports a gap and does not report the command after it", () => {
    const [first, , third, fourth] = write([{}, {}, {}, {}]) as [
      Written,
      Written,
      Written,
      Written,
    ];
    expect(check([first, third, fourth])).toEqual(["command 2: not there"]);
  });
});

/** What each row says fits its hash; it should never have been written. */
describe("a log that was kept wrongly", () => {
  it.each<[string, readonly Draft[], string]>([
    [
      "a time before the last one",
      [{}, { at: AT - 1 }],
      "command 2: it is earlier than the command before",
    ],
    [
      "a clock that goes back",
      [{ clockOffsetMs: 9n }, {}],
      "command 2: the platform's clock went back",
    ],
    [
      "a key without its scope",
      [{ ...keyed, idempotencyScope: null, idempotencyDigest: null, answer: null }],
      "command 1: its idempotency scope, key and body digest are not all there",
    ],
    [
      "a digest of another key",
      [{ ...keyed, idempotencyDigest: idempotencyDigestOf("scope", "yek") }],
      "command 1: its idempotency_digest is not that of its scope and key",
    ],
    [
      "an answer without a key",
      [{ answer: "{}" }],
      "command 1: of its answer and its idempotency_digest only one is there",
    ],
    [
      "an answer that is not the digested one",
      [{ ...keyed, answerDigest: answerDigestOf("[]") }],
      "command 1: its answer is not the one it was committed with",
    ],
    [
      "a body digest of another length",
      [{ ...keyed, bodyDigest: Buffer.alloc(16) }],
      "command 1: its body_digest is not a SHA-256 with marks of fields behind it",
    ],
    [
      "a name of two lines",
      [{ name: "move\ntoken:two" }],
      "command 1: one of its texts is empty or of more than one line",
    ],
    [
      "an event of another time",
      [{ events: [eventAt(AT + 5)] }],
      "event 1: its time is not its command's",
    ],
    [
      "an event that skips a number",
      [{ events: [eventAt(AT, { seq: 2n })] }],
      "event 1: not there",
    ],
    [
      "an event of two types",
      [{ events: [eventAt(AT, { type: "TEST X" })] }],
      "event 1: its type or subject is malformed",
    ],
    [
      "an event with nothing in it",
      [{ events: [eventAt(AT, { body: "{}" })] }],
      "event 1: its body has no data",
    ],
    [
      "an event that is no JSON",
      [{ events: [eventAt(AT, { body: "x" })] }],
      "event 1: its body is not JSON",
    ],
  ])("is found: %s", (_what, drafts, reported) => {
    expect(check(write(drafts))[0]).toBe(reported);
  });

  it("is found by the event that comes behind one of a later command", () => {
    const events = [eventAt(AT, { commandSeq: 2n }), eventAt(AT, { seq: 2n })];
    expect(check(write([{ events }]))).toContain(
      "event 2: it is of command 1, an earlier one of 2",
    );
  });
});
