import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { type EventType, eventCatalogue } from "../../domain/event-catalogue.ts";
import { capabilitiesOf, type roles } from "../../domain/people/role.ts";
import { eventContents, eventExample } from "./event-contents.ts";
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

describe("who is told in the console", () => {
  const kinds = Object.entries(eventContents).filter(([kind]) => kind !== "nothing");
  const toldTo = (held: ReadonlySet<string>) =>
    kinds.filter(([, { told }]) => held.has(told ?? "")).map(([kind]) => kind);

  it.each<[(typeof roles)[number], readonly string[]]>([
    ["OWNER", []],
    ["ADMIN", []],
    ["DEVELOPER", []],
    ["FINANCE", []],
    ["APPROVER", ["WebhookEndpoint"]],
    ["COMPLIANCE", ["WebhookEndpoint"]],
    ["SUPPORT", ["UmaKey", "UmaDomain", "UmaCounterparty"]],
    [
      "VIEWER",
      [
        "WebhookEndpoint",
        "RailConnection",
        "RailPayment",
        "RailItem",
        "RailStatement",
        "UmaKey",
        "UmaDomain",
        "UmaCounterparty",
      ],
    ],
  ])("%s of all but %j", (role, missing) => {
    const all = kinds.map(([kind]) => kind);
    expect(toldTo(capabilitiesOf([role], "PRODUCTION"))).toEqual(
      all.filter((kind) => !missing.includes(kind)),
    );
  });

  it("a person without a role of nothing", () => {
    expect(kinds.length).toBeGreaterThan(10);
    expect(toldTo(new Set())).toEqual([]);
  });
});
