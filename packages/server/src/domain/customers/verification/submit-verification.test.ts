/** What a submission finds that comes while another one is open. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { wholePerson } from "../../../../test/kit/verification-rows.ts";
import { type Platform, platforms } from "../../platform.ts";
import { customers } from "../customer.ts";
import { type Document, documents } from "../documents/document.ts";
import { submitVerification } from "./submit-verification.ts";
import { type Verification, verifications } from "./verification.ts";

const passport: Document = {
  id: "018f0000-0000-7000-8000-0000000000d1",
  holderKind: "Customer",
  holderId: customer.id,
  documentType: "PASSPORT",
  side: null,
  country: "US",
  documentNumber: "N-1",
  issuingAuthority: "The state",
  fileName: "passport.png",
  fileId: "018f0000-0000-7000-8000-0000000000d2",
  fileBytes: 1,
  mediaType: "image/png",
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  supersededBy: null,
};

interface State {
  readonly environment?: Platform["environment"];
  readonly fullName?: string;
  readonly open: Verification["status"];
}

/** What came of the open verification, and what else was written. */
function submitted({ environment = "SANDBOX", fullName = "Ana Ruiz", open }: State) {
  const { id } = customer;
  const person = { ...wholePerson.customer, id, fullName, kycStatus: "PENDING" } as const;
  const before: Verification = {
    id: "018f0000-0000-7000-8000-0000000000f1",
    customerId: id,
    status: open,
    errors: [],
    decidedBy: null,
    decisionNote: null,
    takenBy: null,
    takenByName: null,
    takenUntil: null,
    decisionReason: null,
    createdAt: 1,
    updatedAt: 1,
  };
  const input = { customerId: id };
  const tables = [
    rowsOf(platforms, { ...platform, environment }),
    rowsOf(customers, person),
    rowsOf(documents, passport),
    rowsOf(verifications, before),
  ];
  const world = worldFor({ command: submitVerification, input, platformId: PLATFORM, tables });
  const after = submitVerification.decide(world, input);
  expect(after.id).toBe(before.id);
  return [after.status, world.isEmpty ? "nothing written" : after.updatedAt];
}

describe("a submission while another one is open", () => {
  it.each<readonly [string, State]>([
    ["is under way", { open: "IN_PROGRESS" }],
    ["is under way in production", { open: "IN_PROGRESS", environment: "PRODUCTION" }],
    ["lies with a person", { open: "PENDING_MANUAL_REVIEW" }],
    [
      "lies with a person in production",
      { open: "PENDING_MANUAL_REVIEW", environment: "PRODUCTION" },
    ],
    ["lies with a person by its name", { open: "PENDING_MANUAL_REVIEW", fullName: "Ana Ruiz001" }],
  ])("leaves it as it is when it %s", (_where, state) => {
    expect(submitted(state)).toEqual([state.open, "nothing written"]);
  });

  it("moves it to manual review when the changed name selects that", () => {
    const state = { open: "IN_PROGRESS", fullName: "Ana Ruiz001" } as const;
    expect(submitted(state)).toEqual(["PENDING_MANUAL_REVIEW", DECIDED_AT]);
  });
});
