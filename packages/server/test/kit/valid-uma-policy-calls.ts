/** Counterparties at UMA, and a valid call of each operation on them and on the policy. */
import { noteCounterparty } from "../../src/domain/uma/policy/note-counterparty.ts";
import type { Make } from "./made-objects.ts";
import type { Story } from "./story.ts";
import { expectStatus } from "./story-rails.ts";

export const UMA_POLICY = {
  receive: true,
  send: true,
  counterparties: "ALL",
  unregulated: "ALLOW",
  receiverKyc: "ANY",
  payerKyc: "ANY",
  certificates: "ANY",
  authorities: [],
  pinKeys: false,
  callbackHosts: "ANY",
  invoiceSeconds: 300,
  layers: [],
};

export const KEYS = { first: "a".repeat(64), second: "b".repeat(64), third: "c".repeat(64) };

/** Notes a message of an institution, as the server does after the signature held. */
export async function seen(
  story: Story,
  domain: string,
  fingerprint: string,
  version = "1.0",
  name?: string,
): Promise<void> {
  await story.server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "worker", id: "uma-counterparties" },
    command: noteCounterparty,
    input: { domain, fingerprint, version, name, room: { kind: "free" } },
    toAnswer: () => ({ status: 200, body: "" }),
  });
}

/** A counterparty whose changed key waits for a person. */
export async function changedCounterparty(story: Story, domain: string): Promise<void> {
  const body = { status: "DEFAULT", overrides: { pinKeys: true } };
  expectStatus(200, await story.call("PUT", `/uma/counterparties/${domain}`, body));
  await seen(story, domain, KEYS.first);
  await seen(story, domain, KEYS.second);
}

export const umaPolicyCalls: Readonly<Record<string, Make>> = {
  setUmaPolicy: () => ({ path: "/uma/policy", body: UMA_POLICY }),
  setUmaCounterparty: () => ({
    path: "/uma/counterparties/vasp.example",
    body: { status: "BLOCKED" },
  }),
  acceptUmaCounterpartyKey: async (story) => {
    await changedCounterparty(story, "pinned.example");
    return {
      path: "/uma/counterparties/pinned.example/accept-key",
      body: { fingerprint: KEYS.second },
    };
  },
};
