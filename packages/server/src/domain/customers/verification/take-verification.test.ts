/** Who may take, decide and override a case, and for how long another person may not. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { customer, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { owner } from "../../../../test/kit/verification-rows.ts";
import type { Actor, Command } from "../../../engine/command.ts";
import { type Platform, platforms } from "../../platform.ts";
import { beneficialOwners } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers } from "../customer.ts";
import { type Document, documents } from "../documents/document.ts";
import { overrideRejection } from "./override-rejection.ts";
import { type ReviewError, reviewVerification } from "./review-verification.ts";
import { LEASE_MS, takeVerification } from "./take-verification.ts";
import { type Verification, verifications } from "./verification.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;
const [ID, OWNER, DOCUMENT, OTHER] = [idOf("f1"), idOf("f2"), idOf("f3"), idOf("f4")];
const [ANA, BO] = [idOf("b1"), idOf("b2")];

const open: Verification = {
  ...{ id: ID, customerId: customer.id, status: "PENDING_MANUAL_REVIEW", errors: [] },
  ...{ decidedBy: null, decisionNote: null, decisionReason: null },
  ...{ takenBy: null, takenByName: null, takenUntil: null, createdAt: 1, updatedAt: 1 },
};
const document: Document = {
  ...{ id: DOCUMENT, holderKind: "BeneficialOwner", holderId: OWNER, documentType: "PASSPORT" },
  ...{ side: null, country: "US", documentNumber: null, issuingAuthority: null },
  ...{ fileName: "a.pdf", fileId: idOf("f5"), fileBytes: 9, mediaType: "application/pdf" },
  ...{ createdAt: 1, updatedAt: 1, deletedAt: null, supersededBy: null },
};

const person: Actor = { kind: "person", id: ANA };
const operator: Actor = { kind: "operator", id: "shell" };

interface State {
  readonly reviewers?: Platform["reviewers"];
  readonly verification?: Partial<Verification> | "absent";
  readonly customer?: Partial<Customer>;
  readonly actor?: Actor;
  readonly asOperator?: boolean;
  readonly errors?: readonly ReviewError[];
}

function acted<Input, Output>(command: Command<Input, Output>, input: Input, state: State) {
  const { reviewers = "WORKSPACE", verification = {}, actor = person } = state;
  const people = [
    { ...owner(), id: OWNER, customerId: customer.id },
    { ...owner(), id: OTHER, customerId: idOf("f6") },
  ];
  const tables = [
    rowsOf(platforms, { ...platform, reviewers }),
    rowsOf(customers, { ...customer, kycStatus: "PENDING", ...state.customer }),
    rowsOf(beneficialOwners, ...people),
    rowsOf(documents, document, { ...document, id: OTHER, holderId: OTHER }),
    rowsOf(verifications, ...(verification === "absent" ? [] : [{ ...open, ...verification }])),
  ];
  return decided({ command, input, platformId: PLATFORM, tables, actor });
}

/** The same state under each of the three acts. */
const ACTS = {
  "is taken": ({ asOperator = false, ...state }: State) =>
    acted(
      takeVerification,
      { verificationId: ID, personId: ANA, personName: "Ana", asOperator },
      state,
    ),
  "is decided": ({ asOperator = false, errors = [], ...state }: State) => {
    const outcome = errors.length === 0 ? "APPROVED" : "RESOLVE_ERRORS";
    const decision = { outcome, errors, reason: null, by: "Person:a", note: null } as const;
    return acted(reviewVerification, { verificationId: ID, ...decision, asOperator }, state);
  },
  "is overridden": ({ asOperator: _, ...state }: State) =>
    acted(overrideRejection, { verificationId: ID, by: "Person:a", note: null }, state),
} as const;

const taken = { takenBy: BO, takenByName: "Bo", takenUntil: DECIDED_AT + 1 } as const;
const rejected = { verification: { status: "REJECTED" } } as const;

describe.each(["is taken", "is decided"] as const)("a case that %s", (act) => {
  it.each(
    inOrder<State>([
      ["REFERENCE_NOT_FOUND", { verification: "absent" }],
      ["FORBIDDEN OPERATOR", { reviewers: "OPERATOR" }],
      ["CUSTOMER_DELETED", { customer: { deletedAt: 1 } }],
      ["CONFLICT APPROVED", { verification: { ...taken, status: "APPROVED" } }],
      [`CONFLICT Person:${BO}`, { verification: taken }],
    ]),
  )("%s: %s", (expected, _how, state) => {
    const { refusal } = ACTS[act](state);
    expect(named(refusal, "reviewers", "status", "takenBy")).toBe(expected);
  });

  it.each<readonly [string, Partial<Verification>, Actor]>([
    ["decided", { ...taken, takenBy: ANA }, person],
    ["decided", { ...taken, takenUntil: DECIDED_AT }, person],
    ["decided", taken, operator],
    [`CONFLICT Person:${BO}`, taken, { kind: "token", id: "t" }],
  ])("%s, with a lease: %o", (expected, verification, actor) => {
    const { refusal } = ACTS[act]({ verification, actor });
    expect(named(refusal, "takenBy")).toBe(expected);
  });
});

describe("a rejection", () => {
  it.each(
    inOrder<State>([
      ["REFERENCE_NOT_FOUND", { verification: "absent" }],
      ["FORBIDDEN OPERATOR", { ...rejected, reviewers: "OPERATOR" }],
      ["CUSTOMER_DELETED", { ...rejected, customer: { deletedAt: 1 } }],
      ["CONFLICT PENDING_MANUAL_REVIEW", { verification: {} }],
    ]),
  )("that is overridden: %s, %s", (expected, _how, state) => {
    const { refusal } = ACTS["is overridden"](state);
    expect(named(refusal, "reviewers", "status")).toBe(expected);
  });
});

describe("a platform whose reviewers are", () => {
  it.each([
    ["WORKSPACE", person, false, "decided"],
    ["WORKSPACE", operator, false, "decided"],
    ["WORKSPACE", person, true, "REFERENCE_NOT_FOUND"],
    ["OPERATOR", person, false, "FORBIDDEN"],
    ["OPERATOR", { kind: "token", id: "t" }, false, "FORBIDDEN"],
    ["OPERATOR", operator, false, "decided"],
    ["OPERATOR", person, true, "decided"],
  ] as const)("%s: %o as an operator %s is %s", (reviewers, actor, asOperator, expected) => {
    const state = { reviewers, actor, asOperator };
    expect(ACTS["is taken"](state).refusal?.code ?? "decided").toBe(expected);
    expect(ACTS["is decided"](state).refusal?.code ?? "decided").toBe(expected);
    if (asOperator) return;
    const overridden = ACTS["is overridden"]({ ...rejected, ...state });
    expect(overridden.refusal?.code ?? "decided").toBe(expected);
  });
});

it("a case is taken for ten minutes, and again from then on", () => {
  const verification = { takenBy: ANA, takenByName: "Ana", takenUntil: DECIDED_AT + 1 };
  const { output, world } = ACTS["is taken"]({ verification });
  const until = { ...verification, takenUntil: DECIDED_AT + LEASE_MS };
  expect(written(world, verifications)).toEqual([{ ...open, ...until }]);
  expect(output).toMatchObject({ customerName: "Ana Ruiz", customerType: "INDIVIDUAL" });
});

describe("an error of a decision", () => {
  const error = { type: "INVALID_DOCUMENT", reason: "blurred" } as unknown as ReviewError;
  const about = (resourceId: string) => ({ ...error, resourceId });

  it.each([
    `Customer:${customer.id}`,
    `BeneficialOwner:${OWNER}`,
    `Document:${DOCUMENT}`,
    undefined,
  ])("is about %s", (resourceId) => {
    const errors = [resourceId === undefined ? error : about(resourceId)];
    const { refusal, world } = ACTS["is decided"]({ errors });
    expect(refusal).toBeUndefined();
    expect(written(world, verifications)).toMatchObject([
      {
        status: "RESOLVE_ERRORS",
        errors: [{ resourceId: resourceId ?? `Customer:${customer.id}` }],
      },
    ]);
  });

  it.each([`Customer:${OTHER}`, `BeneficialOwner:${OTHER}`, `Document:${OTHER}`])(
    "is not about %s, of another case",
    (foreign) => {
      const errors = [error, about(foreign)];
      const { refusal } = ACTS["is decided"]({ errors });
      expect(named(refusal, "field")).toBe("INVALID_INPUT errors.1.resourceId");
    },
  );

  it("of an unknown case is not looked at", () => {
    const { refusal } = ACTS["is decided"]({ verification: "absent", errors: [error] });
    expect(refusal?.code).toBe("REFERENCE_NOT_FOUND");
  });
});
