import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { type EventType, eventCatalogue } from "../../domain/event-catalogue.ts";
import { eventExample } from "./event-examples.ts";
import { webhookNotes } from "./webhooks.ts";

describe("the example of an event", () => {
  it.each(webhookNotes)("$type shows its data in the form of its schema", (note) => {
    const example = note.example as { readonly type: string; readonly data: object };
    expect(example.type).toBe(note.type);
    expect([...Value.Errors(note.data, example.data)]).toEqual([]);
    if (eventCatalogue[note.type as EventType].data === "nothing") expect(example.data).toEqual({});
  });

  it.each([
    ["OUTGOING_PAYMENT.PROCESSING", { type: "OUTGOING", status: "PROCESSING" }],
    ["INCOMING_PAYMENT.COMPLETED", { type: "INCOMING", status: "COMPLETED" }],
    ["OUTGOING_PAYMENT.REFUND_COMPLETED", { status: "FAILED", refund: { status: "COMPLETED" } }],
    ["INVITATION_CLAIMED", { status: "CLAIMED" }],
    ["BULK_UPLOAD.FAILED", { status: "FAILED", progress: { successful: 0 } }],
    ["CUSTOMER.KYC_REJECTED", { customerType: "INDIVIDUAL", kycStatus: "REJECTED" }],
    ["CUSTOMER.KYB_APPROVED", { customerType: "BUSINESS", kybStatus: "APPROVED" }],
    ["VERIFICATION.REJECTED", { verificationStatus: "REJECTED", errors: [] }],
    ["VERIFICATION.RESOLVE_ERRORS", { verificationStatus: "RESOLVE_ERRORS" }],
  ] as const)("%s stands in the state that it tells of", (type, state) => {
    expect(eventExample(type)).toMatchObject({ data: state });
  });
});
