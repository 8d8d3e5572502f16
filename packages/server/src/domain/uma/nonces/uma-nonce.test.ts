/** What makes two signed messages the same, and a command that accepts one. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, written } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import type { Command } from "../../../engine/command.ts";
import {
  isOutOfTime,
  MESSAGE_LIVES_MS,
  putUmaNonce,
  refuseUsedNonce,
  type SignedMessage,
  UMA_NONCE_KEPT_MS,
  umaNonceNeeds,
  umaNonceOf,
  umaNonces,
} from "./uma-nonce.ts";

const AT = Date.UTC(2026, 10, 29, 12);

const message: SignedMessage = {
  kind: "pay",
  domain: "vasp.example",
  text: "$ana@vasp.example|7|1795953600",
  signedAt: AT,
};

const accept: Command<SignedMessage, undefined> = {
  name: "accept-message",
  needs: (_world, input) => umaNonceNeeds(input),
  decide(world, input) {
    refuseUsedNonce(world, input);
    putUmaNonce(world, input);
    return undefined;
  },
};

function accepted(input: SignedMessage, ...before: readonly SignedMessage[]) {
  const tables = [rowsOf(umaNonces, ...before.map(umaNonceOf))];
  const { world, refusal } = decided({ command: accept, input, platformId: PLATFORM, tables });
  return { code: refusal?.code, rows: written(world, umaNonces) };
}

describe("a signed message", () => {
  it("is accepted by a command once, with its row in the commit", () => {
    expect(accepted(message)).toEqual({ code: undefined, rows: [umaNonceOf(message)] });
    expect(accepted(message, message)).toEqual({ code: "INVALID_NONCE", rows: [] });
  });

  it.each([
    ["kind", { kind: "lookup" }],
    ["domain", { domain: "other.example" }],
    ["time in the text", { text: "$ana@vasp.example|7|1795953601" }],
    ["nonce in the text", { text: "$ana@vasp.example|8|1795953600" }],
    ["place of a mark", { domain: "vasp.example|7", text: "$ana@vasp.example|1795953600" }],
  ] as const)("is another one with another %s", (_what, change) => {
    const other: SignedMessage = { ...message, ...change };
    expect(accepted(other, message).code).toBeUndefined();
    expect(umaNonceOf(other).id).not.toBe(umaNonceOf(message).id);
  });

  it("is the same one whatever time its row is given", () => {
    expect(umaNonceOf({ ...message, signedAt: AT + 1 }).id).toBe(umaNonceOf(message).id);
    expect(umaNonceOf(message).id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
    );
  });
});

it.each([
  [-MESSAGE_LIVES_MS - 1, true],
  [-MESSAGE_LIVES_MS, false],
  [0, false],
  [MESSAGE_LIVES_MS, false],
  [MESSAGE_LIVES_MS + 1, true],
])("a message of %i ms from now is out of time: %s", (distance, isLate) => {
  expect(isOutOfTime(AT + distance, AT)).toBe(isLate);
});

it("a row is kept until its message is out of time for good", () => {
  expect(UMA_NONCE_KEPT_MS).toBeGreaterThan(2 * MESSAGE_LIVES_MS);
});
