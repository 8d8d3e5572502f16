import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { eventCatalogue, eventTypes } from "../../domain/webhooks/event-catalogue.ts";
import { AgentActionSchema } from "./agent-action.ts";
import { BulkJobSchema } from "./bulk-job.ts";
import { CustomerSchema } from "./customer.ts";
import { eventExample } from "./event-examples.ts";
import { InternalAccountSchema } from "./internal-account.ts";
import { InvitationSchema } from "./invitation.ts";
import { TransactionSchema } from "./transaction.ts";
import { VerificationSchema } from "./verification.ts";

const schemas = {
  Transaction: TransactionSchema,
  InternalAccount: InternalAccountSchema,
  Customer: CustomerSchema,
  Invitation: InvitationSchema,
  Verification: VerificationSchema,
  BulkJob: BulkJobSchema,
  AgentAction: AgentActionSchema,
};

describe("the example of an event", () => {
  it.each(eventTypes)("%s shows its data in the form of its schema", (type) => {
    const example = eventExample(type) as { readonly type: string; readonly data: object };
    const content = eventCatalogue[type].data;
    expect(example.type).toBe(type);
    if (content === "nothing") expect(example.data).toEqual({});
    else expect([...Value.Errors(schemas[content], example.data)]).toEqual([]);
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
