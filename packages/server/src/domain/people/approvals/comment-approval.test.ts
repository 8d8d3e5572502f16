/** A comment on an approval: who may make one, how many there are, and what is kept of it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { type Approval, approvals } from "./approval.ts";
import { approvalComments, commentApproval, MOST_COMMENTS } from "./comment-approval.ts";

const idOf = (end: number) => `019a4f00-0000-7000-8000-${String(end).padStart(12, "0")}`;
const APPROVAL = idOf(1);
const comment = {
  authorId: idOf(2),
  authorName: "Ben Stone",
  comment: "Is it the invoice of May?",
};

/** The command reads its presence alone. */
const approval = { id: APPROVAL, state: "PENDING", subjectId: null } as unknown as Approval;

const add = ({ isConcerned = true, has = 0, isThere = true } = {}) =>
  decided({
    command: commentApproval,
    input: { approvalId: APPROVAL, ...comment, isConcerned },
    platformId: PLATFORM,
    tables: [
      rowsOf(approvals, ...(isThere ? [approval] : [])),
      rowsOf(
        approvalComments,
        ...Array.from({ length: has }, (_, index) => ({
          id: idOf(index + 10),
          approvalId: APPROVAL,
          ...comment,
          createdAt: 7,
        })),
      ),
    ],
  });

describe("a comment", () => {
  it("is refused: an unknown approval first, then a stranger, then one too many", () => {
    const full = { has: MOST_COMMENTS };
    expect(named(add({ ...full, isThere: false, isConcerned: false }).refusal)).toBe(
      "APPROVAL_NOT_FOUND",
    );
    expect(named(add({ ...full, isConcerned: false }).refusal)).toContain("APPROVAL_NOT_YOURS");
    expect(named(add(full).refusal)).toContain("CONFLICT");
  });

  it("is kept with its author and its time, and changes nothing else", () => {
    const { output, world } = add({ has: MOST_COMMENTS - 1 });
    expect(output).toMatchObject({ approvalId: APPROVAL, ...comment, createdAt: DECIDED_AT });
    expect(written(world, approvalComments)).toEqual([output]);
    expect([world.dirty.size, world.events, world.jobs]).toEqual([1, [], []]);
  });

  it("is final: a row of it is never written again", () => {
    expect(approvalComments.columns.some((column) => column.mutable)).toBe(false);
  });
});
