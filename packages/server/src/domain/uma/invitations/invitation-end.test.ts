/** How an invitation begins, and ends: by a claim, by its platform, by its time; and the job of its time with it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import type { Command } from "../../../engine/command.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { claimInvitation } from "./claim-invitation.ts";
import { type CreateInvitationInput, createInvitation } from "./create-invitation.ts";
import { type Invitation, type InvitationStatus, invitations } from "./invitation.ts";
import { cancelInvitation, cancelInvitations, expireInvitation } from "./invitation-end.ts";

const JOB = "018f0000-0000-7000-8000-0000000000e1";

const invitation: Invitation = {
  id: "018f0000-0000-7000-8000-0000000000f1",
  codeHash: "hash",
  inviterCustomerId: customer.id,
  inviterUma: customer.umaAddress,
  firstName: null,
  showsInviterName: false,
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
  readonly inviter?: Partial<Customer>;
  /** The platform's UMA domains. */
  readonly umaDomains?: readonly string[];
  readonly at?: number;
}

function ended<Input>(
  command: Command<Input, unknown>,
  input: Input,
  { found, inviter, umaDomains = platform.umaDomains, at }: Case,
) {
  const tables = [
    rowsOf(platforms, { ...platform, umaDomains }),
    rowsOf(invitations, { ...invitation, ...found }),
    rowsOf(customers, { ...customer, ...inviter }),
  ];
  const scene = { command, input, platformId: PLATFORM, tables };
  const world = worldFor({ ...scene, at: at ?? DECIDED_AT });
  let answer: unknown;
  const refusal = refusalOf(world, () => {
    answer = command.decide(world, input);
  });
  const { status, updatedAt } = world.get(invitations.ref(invitation.id));
  return {
    refusal: refusal?.code,
    isDone: answer === true,
    isChanged: updatedAt !== invitation.updatedAt,
    status,
    cancelled: world.cancelledJobs,
    next: world.jobs.map(({ payload }) => payload),
    emitted: world.events.map(({ type }) => type),
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
    expect(ways.claim({})).toMatchObject({
      refusal: undefined,
      status: "CLAIMED",
      cancelled: [JOB],
      emitted: ["INVITATION_CLAIMED"],
    });
    expect(ways.cancel({})).toMatchObject({ status: "CANCELLED", cancelled: [JOB], emitted: [] });
    const endless = { found: { expiresAt: null, expiryJobId: null } };
    expect(ways.claim(endless)).toMatchObject({ status: "CLAIMED", cancelled: [] });
    expect(ways.cancel(endless)).toMatchObject({ status: "CANCELLED", cancelled: [] });
  });

  it("has until the very end of its time, and not the moment itself", () => {
    const last = { at: DECIDED_AT };
    const over = { at: DECIDED_AT + 1 };
    expect(ways.expire(last)).toMatchObject({ isDone: false, status: "PENDING", cancelled: [] });
    expect(ways.expire(over)).toMatchObject({ isDone: true, status: "EXPIRED", emitted: [] });
    expect(ways.expire(over).cancelled).toEqual([JOB]);
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
    const left = { isDone: true, isChanged: false, status, cancelled: [JOB], emitted: [] };
    expect(ways.expire(state)).toMatchObject(left);
  });

  it("ends with its inviter, unless its time had passed by then", () => {
    for (const [deletedAt, refusal] of [
      [DECIDED_AT, "INVITATION_CANCELLED"],
      [DECIDED_AT + 1, "INVITATION_EXPIRED"],
    ] as const) {
      const state = { inviter: { deletedAt }, at: DECIDED_AT + 2 };
      for (const way of [ways.claim, ways.cancel]) {
        expect(way(state)).toMatchObject({ refusal, isChanged: false, emitted: [] });
      }
    }
    const gone = { inviter: { deletedAt: DECIDED_AT } };
    expect(ways.expire(gone)).toMatchObject({ isDone: true, isChanged: false, cancelled: [JOB] });
    const late = { inviter: { deletedAt: DECIDED_AT + 1 }, at: DECIDED_AT + 1 };
    expect(ways.expire(late)).toMatchObject({ isDone: true, status: "EXPIRED", cancelled: [JOB] });
    const endless = { found: { expiresAt: null, expiryJobId: null }, ...gone };
    expect(ways.claim(endless)).toMatchObject({ refusal: "INVITATION_CANCELLED" });
  });

  it("is not claimed by the one who invites, or under the address of a platform itself", () => {
    for (const inviteeUma of [customer.umaAddress, "$platform@x.test"]) {
      expect(ended(claimInvitation, { ...claim, inviteeUma }, {})).toMatchObject({
        refusal: "INVALID_UMA_ADDRESS",
        status: "PENDING",
      });
    }
  });

  it("counts as cancelled once the domain of its inviter's address was released", () => {
    const released = { umaDomains: ["other.test"] };
    for (const way of [ways.claim, ways.cancel]) {
      expect(way(released)).toMatchObject({ refusal: "INVITATION_CANCELLED", isChanged: false });
    }
  });
});

describe("the invitations from a domain that was released", () => {
  const CLEANER = "018f0000-0000-7000-8000-0000000000e2";
  const input = {
    jobId: CLEANER,
    domain: "p.test",
    invitationIds: [invitation.id],
    hasMore: false,
  };
  const released: Case = { umaDomains: ["other.test"] };
  const cleaned = (state: Case, more = {}) =>
    ended(cancelInvitations, { ...input, ...more }, { ...released, ...state });

  it("are cancelled, with the jobs of their time", () => {
    expect(cleaned({})).toMatchObject({ status: "CANCELLED", emitted: [], next: [] });
    expect(cleaned({}).cancelled).toEqual([CLEANER, JOB]);
    const endless = { found: { expiresAt: null, expiryJobId: null } };
    expect(cleaned(endless)).toMatchObject({ status: "CANCELLED", cancelled: [CLEANER] });
  });

  it("stay unchanged when they have ended", () => {
    const left = { isChanged: false, cancelled: [CLEANER] };
    expect(cleaned({ found: { status: "CLAIMED" } })).toMatchObject({ ...left, status: "CLAIMED" });
    expect(cleaned({ at: DECIDED_AT + 1 })).toMatchObject(left);
    expect(cleaned({ inviter: { deletedAt: DECIDED_AT } })).toMatchObject(left);
  });

  it("stay pending when the platform has the domain again by then", () => {
    const again = cleaned({ umaDomains: ["p.test"] }, { hasMore: true });
    expect(again).toMatchObject({ status: "PENDING", cancelled: [CLEANER], next: [] });
  });

  it("are left to the next job from where this one ended", () => {
    const next = [{ domain: "p.test", after: invitation.id }];
    expect(cleaned({}, { hasMore: true })).toMatchObject({ status: "CANCELLED", next });
  });
});

describe("an invitation that is made", () => {
  function made(more: Partial<CreateInvitationInput>, inviter: Partial<Customer> = {}) {
    const input: CreateInvitationInput = {
      codeHash: "new",
      inviterUma: customer.umaAddress,
      firstName: undefined,
      showsInviterName: false,
      amountMinor: undefined,
      expiresAt: undefined,
      hasPublicUrl: false,
      ...more,
    };
    const tables = [rowsOf(platforms, platform), rowsOf(customers, { ...customer, ...inviter })];
    const world = worldFor({ command: createInvitation, input, platformId: PLATFORM, tables });
    let ends: readonly unknown[] = [];
    const refusal = refusalOf(world, () => {
      const { currency, expiresAt } = createInvitation.decide(world, input);
      ends = [currency, expiresAt, ...world.jobs.map(({ dueAt }) => dueAt)];
    });
    return refusal?.details?.field ?? ends;
  }

  it("ends in the future, or never", () => {
    expect(made({})).toEqual([null, null]);
    expect(made({ expiresAt: DECIDED_AT + 1 })).toEqual([null, DECIDED_AT + 1, DECIDED_AT + 1]);
    expect(made({ expiresAt: DECIDED_AT })).toBe("expiresAt");
  });

  it("names an amount in the inviter's first currency, if it has one", () => {
    expect(made({ amountMinor: 5n })).toEqual(["USD", null]);
    expect(made({ amountMinor: 5n }, { currencies: [] })).toBe("amountToSend");
    expect(made({}, { currencies: [] })).toEqual([null, null]);
  });

  it("is of a live customer", () => {
    expect(made({}, { deletedAt: 1 })).toBe("inviterUma");
    expect(made({ inviterUma: "$nobody@p.test" })).toBe("inviterUma");
  });
});
