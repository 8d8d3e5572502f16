import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { type Customer, customers } from "../customer.ts";
import { toHeldDocument } from "../verification/held-documents.ts";
import { type VerificationStatus, verifications } from "../verification/verification.ts";
import { type Document, type DocumentContent, documents } from "./document.ts";
import { deleteDocument, replaceDocument } from "./document-commands.ts";

const BROUGHT = DECIDED_AT - 9_000;
const REPLACED = DECIDED_AT - 5_000;

const content: DocumentContent = {
  documentType: "PASSPORT",
  side: null,
  country: "US",
  documentNumber: null,
  issuingAuthority: null,
  fileName: "a.pdf",
  fileId: "018f0000-0000-7000-8000-0000000000f1",
  fileBytes: 9,
  mediaType: "application/pdf",
};
const document: Document = {
  ...content,
  id: "018f0000-0000-7000-8000-0000000000d1",
  holderKind: "Customer",
  holderId: customer.id,
  createdAt: BROUGHT,
  updatedAt: REPLACED,
  deletedAt: null,
  supersededBy: null,
};

interface State {
  /** The last verification of the customer, and when it got its status; there is none without it. */
  readonly verified?: readonly [status: VerificationStatus, at: number];
  readonly document?: Partial<Document>;
  readonly customer?: Partial<Customer>;
}

function tablesIn({ verified, ...state }: State) {
  const taken = verified === undefined ? [] : [verified];
  return [
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(documents, { ...document, ...state.document }),
    rowsOf(
      verifications,
      ...taken.map(([status, updatedAt]) => ({
        id: PLATFORM,
        customerId: customer.id,
        status,
        errors: [],
        decidedBy: null,
        decisionNote: null,
        takenBy: null,
        takenByName: null,
        takenUntil: null,
        decisionReason: null,
        createdAt: updatedAt,
        updatedAt,
      })),
    ),
  ];
}

/** What was refused, or the file that is dropped. */
function deleted(state: State) {
  const input = { documentId: document.id };
  const scene = { command: deleteDocument, input, platformId: PLATFORM, tables: tablesIn(state) };
  const world = worldFor(scene);
  const refusal = refusalOf(world, () => deleteDocument.decide(world, input));
  return refusal?.code ?? world.jobs.map(({ payload }) => payload.fileId);
}

/** What was refused, or the files that are dropped and those that are kept as a former state. */
function replaced(state: State) {
  const input = { documentId: document.id, content: { ...content, fileId: PLATFORM } };
  const scene = { command: replaceDocument, input, platformId: PLATFORM, tables: tablesIn(state) };
  const world = worldFor(scene);
  const refusal = refusalOf(world, () => replaceDocument.decide(world, input));
  if (refusal !== undefined) return refusal.code;
  const after = world.get(documents.ref(document.id));
  expect(after).toEqual({ ...document, ...input.content, updatedAt: DECIDED_AT });
  const written = [...(world.dirty.get(documents)?.values() ?? [])].map(
    ({ row }) => row as Document,
  );
  const kept = written.filter(({ supersededBy }) => supersededBy === document.id);
  for (const former of kept) expect(former.deletedAt).toBe(DECIDED_AT);
  return {
    dropped: world.jobs.map(({ payload }) => payload.fileId),
    kept: kept.map(({ fileId }) => fileId),
  };
}

const { fileId } = document;
const accepted: readonly VerificationStatus[] = [
  "IN_PROGRESS",
  "PENDING_MANUAL_REVIEW",
  "APPROVED",
  "REJECTED",
];

describe.each(accepted)("a document that was there when a verification became %s", (status) => {
  it("is not deleted, be it the very moment that it was brought", () => {
    expect(deleted({ verified: [status, BROUGHT] })).toBe("CONFLICT");
    expect(deleted({ verified: [status, BROUGHT - 1] })).toEqual([fileId]);
  });

  it("is kept with its file when it is replaced, if the verification used its present version", () => {
    expect(replaced({ verified: [status, REPLACED] })).toEqual({ dropped: [], kept: [fileId] });
    expect(replaced({ verified: [status, REPLACED - 1] })).toEqual({ dropped: [fileId], kept: [] });
  });
});

describe("a document that no verification uses", () => {
  it.each([{}, { verified: ["RESOLVE_ERRORS", DECIDED_AT] as const }])("goes: %j", (state) => {
    expect(deleted(state)).toEqual([fileId]);
    expect(replaced(state)).toEqual({ dropped: [fileId], kept: [] });
  });
});

it("a document that was deleted is not there, and one of a deleted customer is not replaced", () => {
  const gone = { document: { deletedAt: DECIDED_AT } };
  expect([deleted(gone), replaced(gone)]).toEqual(["REFERENCE_NOT_FOUND", "REFERENCE_NOT_FOUND"]);
  expect(replaced({ customer: { deletedAt: DECIDED_AT } })).toBe("CUSTOMER_DELETED");
});

it("a document that was replaced is as old as what took its place", () => {
  expect(toHeldDocument(document)).toMatchObject({ id: document.id, broughtAt: REPLACED });
});
