/** What is sent to an institution after a payment, when it counts as taken, and when it is not sent. */
import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import type { UmaKey } from "../../../domain/uma/keys/uma-key.ts";
import { DEFAULT_UMA_POLICY } from "../../../domain/uma/policy/uma-policy.ts";
import { readHook } from "../../../formats/uma/hook-message.ts";
import { isSignatureOf, signedText } from "../../../formats/uma/signatures.ts";
import { present } from "../../../std/assert.ts";
import { systemClock } from "../../../std/clock.ts";
import { signedMessage } from "../key-tools.ts";
import { umaHosts } from "../uma-hosts.ts";
import type { VaspCall, VaspReply } from "../vasp-client.ts";
import { createOutsideHooks } from "./send-hook.ts";

const ours = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
const NOW = Date.UTC(2026, 10, 29, 12);
const message = {
  platformId: "019a4f00-0000-7000-8000-000000000001",
  key: {} as UmaKey,
  direction: "OUT",
  vaspDomain: "vasp.example",
  ownDomain: "bank.example",
  callback: "https://vasp.example/hook?id=1",
  utxos: [{ utxo: "abc:1", amountMsats: "9007199254740993" }],
} as const;

interface Scene {
  readonly reply?: VaspReply;
  readonly isRefused?: boolean;
  readonly callbackHosts?: "ANY" | "SAME_DOMAIN";
}

async function told(change: Partial<{ callback: string }> = {}, scene: Scene = {}) {
  const calls: VaspCall[] = [];
  const { callbackHosts = "ANY" } = scene;
  const hooks = createOutsideHooks({
    client: {
      async call(call) {
        calls.push(call);
        return scene.reply ?? { kind: "answer", status: 200, body: "{}" };
      },
    },
    umaKeys: { sign: (_platform, _key, asked) => signedMessage(ours.privateKey, asked) },
    policies: {
      judge: async () =>
        scene.isRefused === true
          ? { code: "COUNTERPARTY_NOT_ALLOWED", reason: "BLOCKED" }
          : undefined,
      settingsFor: async () => ({ ...DEFAULT_UMA_POLICY, callbackHosts }) as never,
    },
    permits: umaHosts([]).permits,
    clock: { ...systemClock, now: () => NOW },
  });
  return { outcome: await hooks.tell({ ...message, ...change }), calls };
}

it("is signed over nonce and time, within 10 seconds and 1 kB", async () => {
  const { outcome, calls } = await told();
  expect(outcome).toBe("OK");
  const [call] = calls;
  expect(call).toMatchObject({
    method: "POST",
    url: message.callback,
    deadlineMs: 10_000,
    maxAnswerBytes: 1_024,
  });
  const sent = present(readHook(Buffer.from(call?.body ?? "")), "a signed message");
  expect(sent).toMatchObject({
    vaspDomain: "bank.example",
    utxos: [{ utxo: "abc:1", amountMsats: 9_007_199_254_740_993n }],
    signature: { timestamp: BigInt(NOW / 1_000) },
  });
  const text = signedText([], sent.signature);
  expect(await isSignatureOf(text, sent.signature.signature, ours.publicKey)).toBe(true);
});

it.each<readonly [VaspReply | number, string]>([
  [200, "OK"],
  [204, "OK"],
  [302, "HOOK_REQUEST_FAILED"],
  [404, "HOOK_REQUEST_FAILED"],
  [429, "HOOK_REQUEST_FAILED"],
  [500, "HOOK_REQUEST_FAILED"],
  [{ kind: "failed", reason: "TIMEOUT" }, "HOOK_REQUEST_FAILED"],
])("is answered by %j: %s", async (given, expected) => {
  const reply = typeof given === "number" ? { kind: "answer", status: given, body: "" } : given;
  expect((await told({}, { reply: reply as VaspReply })).outcome).toBe(expected);
});

it.each<readonly [string, string, Scene]>([
  ["an institution that is refused", message.callback, { isRefused: true }],
  ["plain http", "http://vasp.example/hook", {}],
  ["an address inside", "https://10.1.2.3/hook", {}],
  ["no URL", "hook", {}],
  ["another host", "https://other.example/hook", { callbackHosts: "SAME_DOMAIN" }],
])("is not sent to %s", async (_what, callback, scene) => {
  expect(await told({ callback }, scene)).toEqual({
    outcome: "COUNTERPARTY_NOT_ALLOWED",
    calls: [],
  });
});
