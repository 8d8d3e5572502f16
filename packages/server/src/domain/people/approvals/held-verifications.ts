/** Decisions of people about verifications: the approval of a rejected one may wait for another person. */
import type { Command } from "../../../engine/command.ts";
import { overrideRejection } from "../../customers/verification/override-rejection.ts";
import {
  type ReviewVerificationInput,
  reviewVerification,
} from "../../customers/verification/review-verification.ts";
import {
  toVerificationId,
  type Verification,
  verifications,
} from "../../customers/verification/verification.ts";
import type { HoldableOrder } from "./hold-order.ts";

interface Decided {
  readonly verification: Verification;
  readonly isOverride: boolean;
}

/** Runs `overrideRejection` to approve a rejected verification, and `reviewVerification` otherwise. Refuses what they refuse. */
const decideByPerson: Command<ReviewVerificationInput, Decided> = {
  name: reviewVerification.name,
  needs: (world, input) => reviewVerification.needs(world, input),
  decide(world, input) {
    const before = world.find(verifications.ref(input.verificationId));
    const isOverride = before?.status === "REJECTED" && input.outcome === "APPROVED";
    const { decide } = isOverride ? overrideRejection : reviewVerification;
    return { verification: decide(world, input), isOverride };
  },
};

export const decideVerificationOrder: HoldableOrder<ReviewVerificationInput, Decided> = {
  kind: "KYC_OVERRIDE",
  act: "decideVerification",
  command: decideByPerson,
  subjectOf: ({ verificationId }) => toVerificationId(verificationId),
  factsOf: ({ verification: { id }, isOverride }) => ({
    summary: `The approval of ${toVerificationId(id)}, which was rejected`,
    isHarmless: !isOverride,
  }),
  resultOf: ({ verification: { id } }) => toVerificationId(id),
};
