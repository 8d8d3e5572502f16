/** Customers and their verifications, up to the check that is under way. */
import {
  toVerificationId,
  type VerificationStatus,
  verifications,
} from "../../src/domain/customers/verification/verification.ts";
import { setReviewers } from "../../src/domain/platforms/set-reviewers.ts";
import type { Command } from "../../src/engine/command.ts";
import type { Story } from "./story.ts";
import { expectStatus } from "./story-rails.ts";

export async function newBusiness(on: Story, more: object = {}): Promise<string> {
  const businessInfo = {
    legalName: "Lind Boats LLC",
    country: "US",
    taxId: "1",
    incorporatedOn: "2015-06-01",
    ...more,
  };
  const made = await on.call("POST", "/customers", { customerType: "BUSINESS", businessInfo });
  return made.json.id;
}

interface Begun {
  readonly customerId: string;
  readonly status: VerificationStatus;
}

/** A check under way, as a complete submission begins it. */
const begin: Command<Begun, string> = {
  name: "begin-verification",
  needs: () => [],
  decide(world, { customerId, status }) {
    const { at } = world;
    const id = world.newId();
    const times = { createdAt: at, updatedAt: at };
    const decided = { decidedBy: null, decisionReason: null, decisionNote: null };
    const taken = { takenBy: null, takenByName: null, takenUntil: null };
    world.put(verifications, {
      id,
      customerId,
      status,
      errors: [],
      ...decided,
      ...taken,
      ...times,
    });
    const payload = { verificationId: id };
    world.schedule({ kind: "decide-verification", payload, dueAt: at + 1_000 });
    return id;
  },
};

export async function begun(on: Story, wire: string, status: VerificationStatus = "IN_PROGRESS") {
  const answered = await on.server.app.engine.submit({
    platformId: on.platformId,
    actor: { kind: "operator", id: "test" },
    command: begin,
    input: { customerId: wire.slice("Customer:".length), status },
    toAnswer: (body) => ({ status: 200, body }),
  });
  if (answered.status !== 200) throw new Error(answered.body);
  return toVerificationId(answered.body);
}

/** The customer of a platform that is not regulated and decides for itself. */
export async function approveHere(on: Story, customerId: string): Promise<void> {
  await on.server.app.engine.submit({
    platformId: on.platformId,
    actor: { kind: "operator", id: "test" },
    command: setReviewers,
    input: { reviewers: "WORKSPACE" },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  const id = await begun(on, customerId);
  const approved = { outcome: "APPROVED" };
  expectStatus(200, await on.call("POST", `/verifications/${id}/decide`, approved));
}
