/** Who may decide, in which order a decision is refused, and what becomes of the order. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { written } from "../../../../test/kit/decided.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { Bug } from "../../../std/assert.ts";
import { platforms } from "../../platform.ts";
import type { Capability } from "../role.ts";
import { type Approval, type ApprovalState, approvals, digestOf } from "./approval.ts";
import {
  type Approver,
  cancelApproval,
  decideApproval,
  expireApproval,
  type OpenedOrder,
  type Standing,
} from "./decide-approval.ts";
import { type AgreedShowing, approvalShowings } from "./shown/kept-showing.ts";

const idOf = (hex: string) => `019a4f00-0000-7000-8000-0000000000${hex}`;
const ID = idOf("a1");
const [ASKER, FIRST, SECOND] = [idOf("01"), idOf("02"), idOf("03")];
const content = { amount: 1 };
const facts = { kind: "ADJUSTMENT", act: "createAdjustment", summary: "Credit" } as const;

const pending: Approval = {
  id: ID,
  ...facts,
  state: "PENDING",
  requestedBy: `Person:${ASKER}`,
  requesterId: ASKER,
  requesterPeople: [ASKER],
  amountMinor: null,
  amountCurrency: null,
  subjectId: null,
  gainers: [],
  contentSealed: "sealed",
  sealId: idOf("a2"),
  contentDigest: digestOf(facts, content),
  capabilities: ["adjustments.approve"],
  approvalsNeeded: 1,
  decisions: [],
  resultId: null,
  failure: null,
  jobId: idOf("a3"),
  expiresAt: DECIDED_AT + 1,
  createdAt: DECIDED_AT - 1_000,
  updatedAt: DECIDED_AT - 1_000,
};

const approver: Approver = {
  personId: FIRST,
  lineage: [FIRST],
  sameHuman: [FIRST],
  capabilities: new Set<Capability>(["adjustments.approve", "pii.read"]),
  isSuspended: false,
  isAlone: false,
};

const assertion = {
  credentialId: "c",
  publicKey: "k",
  backupEligible: false,
  rpId: "localhost",
  origin: "http://localhost",
  clientDataJson: "d",
  authenticatorData: "e",
  signature: "s",
};

/** What was shown of an approval to the person who decides. */
function shownOf(approval: Approval, personId: string): AgreedShowing {
  const { contentDigest } = approval;
  const of = { approvalId: `Approval:${approval.id}`, contentDigest, to: `Person:${personId}` };
  const showing = {
    ...of,
    at: "2026-11-21T10:00:00.000Z",
    title: "Credit",
    facts: [],
    warnings: [],
  };
  return { showing, digest: "shown", textSealed: "sealed", sealId: idOf("a4") };
}

const order: OpenedOrder = { content, needs: () => [], carryOut: () => "Adjustment:1" };

interface Case {
  readonly approval?: Partial<Approval>;
  readonly by?: Partial<Approver>;
  readonly carryOut?: OpenedOrder["carryOut"];
  readonly outcome?: "APPROVED" | "REJECTED";
  readonly standing?: Partial<Standing>;
  readonly shown?: Partial<AgreedShowing["showing"]>;
  /** The digest of what the order replaces now. */
  readonly replaces?: string;
}

function decided({
  approval = {},
  by = {},
  carryOut = order.carryOut,
  outcome,
  standing,
  shown: other,
  replaces,
}: Case) {
  const replacedNow =
    replaces === undefined ? {} : { replacedNow: { needs: () => [], digest: () => replaces } };
  const ofApproval = shownOf({ ...pending, ...approval }, by.personId ?? FIRST);
  const shown = { ...ofApproval, showing: { ...ofApproval.showing, ...other } };
  const agreed = (approval.decisions ?? []).map((one) => one.by.replace("Person:", ""));
  const input = {
    approvalId: ID,
    approver: { ...approver, ...by },
    standing: { mayAsk: true, agreed, ...standing },
    note: null,
    decision:
      outcome === "REJECTED"
        ? ({ outcome } as const)
        : ({
            outcome: "APPROVED",
            assertion,
            shown,
            order: { ...order, carryOut, ...replacedNow },
          } as const),
  };
  const rows = approval.id === undefined ? [{ ...pending, ...approval }] : [];
  const world = worldFor({
    command: decideApproval,
    input,
    platformId: PLATFORM,
    tables: [rowsOf(platforms, platform), rowsOf(approvals, ...rows)],
  });
  let made: Approval | undefined;
  const refusal = refusalOf(world, () => {
    made = decideApproval.decide(world, input);
  });
  return { refusal, made, world };
}

const verdict = ({ refusal }: ReturnType<typeof decided>) =>
  refusal === undefined ? "decided" : `${refusal.code} ${refusal.details?.rule ?? ""}`.trim();

const by = (personId: string) => ({
  by: `Person:${personId}`,
  at: "2026-11-21T10:00:00.000Z",
  outcome: "APPROVED" as const,
  note: null,
  isOwn: false,
  assertion,
});

/** Each fault beside all that are refused after it. */
const FAULTS: readonly (readonly [expected: string, Case])[] = [
  ["APPROVAL_NOT_FOUND", { approval: { id: "none" } }],
  ["CONFLICT", { approval: { state: "CANCELLED", jobId: null } }],
  ["CONFLICT", { approval: { expiresAt: DECIDED_AT } }],
  ["APPROVAL_NOT_YOURS CAPABILITY", { by: { capabilities: new Set(["adjustments.approve"]) } }],
  ["APPROVAL_NOT_YOURS CAPABILITY", { by: { capabilities: new Set(["pii.read"]) } }],
  ["APPROVAL_NOT_YOURS SUSPENDED", { by: { isSuspended: true } }],
  ["APPROVAL_NOT_YOURS REQUESTER", { approval: { requesterId: FIRST } }],
  ["APPROVAL_NOT_YOURS SAME_HUMAN", { by: { sameHuman: [FIRST, ASKER] } }],
  ["APPROVAL_NOT_YOURS GAINS", { approval: { gainers: [FIRST] } }],
  ["APPROVAL_NOT_YOURS DECIDED_ALREADY", { approval: { decisions: [by(FIRST)] } }],
];

/** Ways in which two identities are one human. */
const SAME_HUMAN: readonly (readonly [what: string, Case])[] = [
  [
    "the one who asked counts as the one who decides",
    { approval: { requesterPeople: [ASKER, FIRST] } },
  ],
  [
    "both count as a third person",
    { approval: { requesterPeople: [ASKER, SECOND] }, by: { lineage: [FIRST, SECOND] } },
  ],
  ["they came to count as one since it was asked for", { by: { sameHuman: [FIRST, ASKER] } }],
  [
    "a token asked that the one who decides stands behind",
    { approval: { requesterId: null, requesterPeople: [FIRST, SECOND] } },
  ],
  [
    "one of those who have agreed counts as the one who decides",
    {
      approval: { approvalsNeeded: 2, decisions: [by(SECOND)] },
      by: { sameHuman: [FIRST, SECOND] },
    },
  ],
];

describe("a decision", () => {
  it.each(FAULTS.map(([expected], place) => [expected, place] as const))(
    "is refused with %s before what stands after it",
    (expected, place) => {
      const all = FAULTS.slice(place).map(([, fault]) => fault);
      // The states of one approval exclude each other, so the first that sets one counts.
      const merged = all.toReversed().reduce<Case>(
        (sum, fault) => ({
          approval: { ...sum.approval, ...fault.approval },
          by: { ...sum.by, ...fault.by },
        }),
        {},
      );
      const mayReject = /SAME_HUMAN|SUSPENDED/.test(expected);
      for (const outcome of mayReject
        ? (["APPROVED"] as const)
        : (["APPROVED", "REJECTED"] as const)) {
        expect(verdict(decided({ ...merged, outcome }))).toBe(expected);
        expect(verdict(decided({ ...FAULTS[place]?.[1], outcome }))).toBe(expected);
      }
    },
  );

  it.each(["DONE", "FAILED", "REJECTED", "CANCELLED", "EXPIRED"] as const)(
    "finds no way out of %s",
    (state: ApprovalState) => {
      const ended = { state, jobId: null };
      expect(decided({ approval: ended }).refusal?.details).toEqual({ status: state });
      expect(verdict(decided({ approval: ended, outcome: "REJECTED" }))).toBe("CONFLICT");
    },
  );

  it("carries the order out with the last person who is needed, and not before", () => {
    const carried: string[] = [];
    const carryOut = () => {
      carried.push("done");
      return "Adjustment:1";
    };
    const first = decided({ approval: { approvalsNeeded: 2 }, carryOut });
    expect([first.made?.state, carried]).toEqual(["PENDING", []]);
    const decisions = first.made?.decisions ?? [];
    const again = decided({ approval: { approvalsNeeded: 2, decisions }, carryOut });
    expect(verdict(again)).toBe("APPROVAL_NOT_YOURS DECIDED_ALREADY");
    const next = decided({
      approval: { approvalsNeeded: 2, decisions },
      by: { personId: SECOND, lineage: [SECOND], sameHuman: [SECOND] },
      carryOut,
    });
    expect(next.made).toMatchObject({ state: "DONE", resultId: "Adjustment:1", jobId: null });
    expect(next.made?.decisions.map((one) => one.by)).toEqual([
      `Person:${FIRST}`,
      `Person:${SECOND}`,
    ]);
    expect(carried).toEqual(["done"]);
    expect(next.world.events.map(({ type }) => type)).toEqual(["APPROVAL.DONE"]);
  });

  it("keeps what the person was shown with the agreement, and nothing with a rejection", () => {
    const { made, world } = decided({});
    const [kept] = written(world, approvalShowings);
    expect(kept).toMatchObject({ approvalId: ID, personId: FIRST, digest: "shown" });
    expect(made?.decisions).toMatchObject([{ showingId: kept?.id, shownDigest: "shown" }]);
    const rejected = decided({ outcome: "REJECTED" });
    expect(written(rejected.world, approvalShowings)).toEqual([]);
    expect(rejected.made?.decisions[0]).not.toHaveProperty("shownDigest");
  });

  it.each([
    ["another order", { approvalId: `Approval:${idOf("a9")}` }],
    ["another content of the order", { contentDigest: "another" }],
    ["another person", { to: `Person:${SECOND}` }],
  ])("agrees to nothing that was shown of %s, or to another person", (_what, shown) => {
    expect(() => decided({ shown })).toThrow(Bug);
  });

  it.each([
    ["the value that was shown", "old", {}, "decided"],
    ["a value that was set after the person had looked", "new", {}, "CONFLICT"],
    ["a value, when none was shown", "new", { replaces: undefined }, "CONFLICT"],
  ] as const)("that replaces %s", (_what, replaces, other, expected) => {
    const shown = { replaces: "old", ...other } as Partial<AgreedShowing["showing"]>;
    const { made, world, ...rest } = decided({ replaces, shown });
    expect(verdict({ made, world, ...rest })).toBe(expected);
    expect(written(world, approvals)).toHaveLength(expected === "decided" ? 1 : 0);
    expect(decided({ replaces, shown, outcome: "REJECTED" }).made?.state).toBe("REJECTED");
  });

  it("refuses a person who may not decide before it compares what the order replaces", () => {
    const other = { replaces: "new", shown: { replaces: "old" } };
    expect(verdict(decided({ ...other, approval: { gainers: [FIRST] } }))).toBe(
      "APPROVAL_NOT_YOURS GAINS",
    );
  });

  it("ends FAILED with the refusal that the order meets, which leaves nothing else behind", () => {
    const { made, world } = decided({
      carryOut(inside) {
        inside.emit("TEST", { kind: "nothing", id: "x" });
        throw new Refusal("INSUFFICIENT_BALANCE", { needed: 1 }, "too low");
      },
    });
    const details = { needed: 1 };
    const failure = { code: "INSUFFICIENT_BALANCE", message: "too low", details };
    expect(made).toMatchObject({ state: "FAILED", failure, resultId: null });
    expect(world.events.map(({ type }) => type)).toEqual(["APPROVAL.FAILED"]);
  });

  it.each(SAME_HUMAN)("is refused where %s", (_what, scene) => {
    expect(verdict(decided(scene))).toBe("APPROVAL_NOT_YOURS SAME_HUMAN");
    expect(decided({ ...scene, outcome: "REJECTED" }).made?.state).toBe("REJECTED");
  });

  it("ends FAILED the order of a person who may no longer ask for it, and carries nothing out", () => {
    const carryOut = () => {
      throw new Error("carried out");
    };
    const { made, world } = decided({ carryOut, standing: { mayAsk: false } });
    expect(made).toMatchObject({
      state: "FAILED",
      failure: { code: "FORBIDDEN", details: { rule: "REQUESTER" } },
    });
    expect(world.events.map(({ type }) => type)).toEqual(["APPROVAL.FAILED"]);
  });

  it("does not count the agreement of a person who may no longer give it", () => {
    const approval = { approvalsNeeded: 2, decisions: [by(SECOND)] };
    const { made } = decided({ approval, standing: { agreed: [] } });
    expect(made).toMatchObject({ state: "PENDING" });
    expect(made?.decisions).toHaveLength(2);
    expect(decided({ approval, standing: { agreed: [SECOND] } }).made?.state).toBe("DONE");
  });

  it("is the requester's own only where nobody else is there", () => {
    const own = { approval: { requesterId: FIRST } };
    expect(verdict(decided(own))).toBe("APPROVAL_NOT_YOURS REQUESTER");
    const alone = decided({ ...own, by: { isAlone: true } });
    expect(alone.made).toMatchObject({ state: "DONE", decisions: [{ isOwn: true }] });
  });

  it("never carries out another content than the one that was shown", () => {
    const other = { contentDigest: digestOf(facts, { amount: 2 }) };
    expect(() => decided({ approval: other })).toThrow("an approval does what it showed");
  });
});

describe("an approval", () => {
  const worldOf = (approval: Partial<Approval>, command: typeof cancelApproval) =>
    worldFor({
      command,
      input: { approvalId: ID, personId: ASKER },
      platformId: PLATFORM,
      tables: [rowsOf(platforms, platform), rowsOf(approvals, { ...pending, ...approval })],
    });

  it.each([
    ["APPROVAL_NOT_YOURS", FIRST, {}],
    ["CONFLICT", ASKER, { expiresAt: DECIDED_AT }],
    ["CONFLICT", ASKER, { state: "DONE", jobId: null }],
    ["CONFLICT", FIRST, { state: "DONE", jobId: null }],
    [undefined, ASKER, {}],
  ] as const)("is taken back: %s", (code, personId, approval) => {
    const world = worldOf(approval, cancelApproval);
    const refusal = refusalOf(world, () =>
      cancelApproval.decide(world, { approvalId: ID, personId }),
    );
    expect(refusal?.code).toBe(code);
  });

  it("expires when its time has come, and not before", () => {
    const input = { approvalId: ID, jobId: idOf("a3") };
    const expire = (approval: Partial<Approval>) => {
      const tables = [rowsOf(platforms, platform), rowsOf(approvals, { ...pending, ...approval })];
      const world = worldFor({ command: expireApproval, input, platformId: PLATFORM, tables });
      const isOver = expireApproval.decide(world, input);
      return [isOver, world.find(approvals.ref(ID))?.state, world.cancelledJobs.length];
    };
    expect(expire({})).toEqual([false, "PENDING", 0]);
    expect(expire({ expiresAt: DECIDED_AT })).toEqual([true, "EXPIRED", 1]);
    expect(expire({ state: "DONE", jobId: null })).toEqual([true, "DONE", 1]);
  });
});
