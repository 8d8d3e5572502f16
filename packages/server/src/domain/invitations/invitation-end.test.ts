/** How an invitation ends: by a claim, by its platform, by its time; and the job of its time with it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, PLATFORM } from "../../../test/kit/payment-rows.ts";
import type { Command } from "../../engine/command.ts";
import { cancelInvitation } from "./cancel-invitation.ts";
import { claimInvitation } from "./claim-invitation.ts";
import { expireInvitation } from "./expire-invitation.ts";
import { type Invitation, type InvitationStatus, invitations } from "./invitation.ts";

const JOB = "018f0000-0000-7000-8000-0000000000e1";

const invitation: Invitation = {
  id: "018f0000-0000-7000-8000-0000000000f1",
  codeHash: "hash",
  inviterCustomerId: customer.id,
  inviterUma: customer.umaAddress,
  firstName: null,
  amountMinor: null,
  currency: null,
  status: "PENDING",
  inviteeUma: null,
  expiresAt: DECIDED_AT + 1,
  expiryJobId: JOB,
  claimedAt: null,
  createdAt: DECIDED_AT - 9,
  updatedAt: DECIDED_AT - 9,
};

interface Case {
  readonly found?: Partial<Invitation>;
  readonly at?: number;
}

function ended<Input>(command: Command<Input, unknown>, input: Input, { found, at }: Case) {
  const tables = [rowsOf(invitations, { ...invitation, ...found })];
  const scene = { command, input, platformId: PLATFORM, tables };
  const world = worldFor({ ...scene, at: at ?? DECIDED_AT });
  const refusal = refusalOf(world, () => command.decide(world, input));
  return {
    refusal: refusal?.code,
    status: world.get(invitations.ref(invitation.id)).status,
    cancelled: world.cancelledJobs,
    told: world.events.map(({ type }) => type),
  };
}

const byCode = { codeHash: "hash" };
const claim = { ...byCode, inviteeUma: "$bo@x.test", link: { code: "c", url: "u" } };
const expiry = { invitationId: invitation.id, jobId: JOB };

const ways = {
  claim: (state: Case) => ended(claimInvitation, claim, state),
  cancel: (state: Case) => ended(cancelInvitation, byCode, state),
  expire: (state: Case) => ended(expireInvitation, expiry, state),
};

describe("an invitation", () => {
  it("that is claimed or cancelled has no end of its time any more", () => {
    expect(ways.claim({})).toEqual({
      refusal: undefined,
      status: "CLAIMED",
      cancelled: [JOB],
      told: ["INVITATION_CLAIMED"],
    });
    expect(ways.cancel({})).toMatchObject({ status: "CANCELLED", cancelled: [JOB], told: [] });
    const endless = { found: { expiresAt: null, expiryJobId: null } };
    expect(ways.claim(endless)).toMatchObject({ status: "CLAIMED", cancelled: [] });
    expect(ways.cancel(endless)).toMatchObject({ status: "CANCELLED", cancelled: [] });
  });

  it("has until the very end of its time, and not the moment itself", () => {
    const last = { at: DECIDED_AT };
    const over = { at: DECIDED_AT + 1 };
    expect(ways.expire(last)).toMatchObject({ status: "PENDING", cancelled: [] });
    expect(ways.expire(over)).toMatchObject({ status: "EXPIRED", cancelled: [JOB], told: [] });
    for (const way of [ways.claim, ways.cancel]) {
      expect(way(over)).toMatchObject({ refusal: "INVITATION_EXPIRED", status: "PENDING" });
    }
  });

  it.each<readonly [InvitationStatus, string]>([
    ["CLAIMED", "INVITATION_ALREADY_CLAIMED"],
    ["CANCELLED", "INVITATION_CANCELLED"],
    ["EXPIRED", "INVITATION_EXPIRED"],
  ])("that is %s stays it", (status, refusal) => {
    const state = { found: { status }, at: DECIDED_AT + 2 };
    expect(ways.claim(state)).toMatchObject({ refusal, status });
    expect(ways.cancel(state)).toMatchObject({ refusal, status });
    expect(ways.expire(state)).toMatchObject({ status, cancelled: [JOB], told: [] });
  });

  it("is not claimed by the one who invites, at the same address", () => {
    const own = { ...claim, inviteeUma: customer.umaAddress };
    expect(ended(claimInvitation, own, {})).toMatchObject({
      refusal: "INVALID_UMA_ADDRESS",
      status: "PENDING",
    });
  });
});
