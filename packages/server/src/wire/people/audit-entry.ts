import Type from "typebox";
import type { ListedAuditEntry } from "../../domain/people/audit-entries/audit-entry.sql.ts";
import { toWireId } from "../../std/ids.ts";
import { optional } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const actorKinds = ["person", "token", "agent", "operator", "link", "worker"] as const;

const told = (description: string) => Type.Unknown({ description });

const ActorSchema = Type.Object({
  kind: Type.Enum([...actorKinds]),
  id: Type.String({
    description: "`Person:<uuid>`, `Token:<uuid>`, `Agent:<uuid>`, or a word for the operator.",
  }),
  name: Type.Optional(Type.String({ description: "Of a person as it was then." })),
});

const actorExample: Type.Static<typeof ActorSchema> = {
  kind: "person",
  id: "Person:019a4f00-0000-7000-8000-000000000021",
  name: "Ana Ruiz",
};

const TargetSchema = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  label: Type.Optional(Type.String()),
});

const ChangesSchema = Type.Array(
  Type.Object({
    field: Type.String(),
    before: told("Null for a new object; `(changed)` where the value is not told."),
    after: told("`(changed)` where the value is not told."),
  }),
);

const SourceSchema = Type.Object({
  address: Type.String(),
  userAgent: Type.String(),
  sessionId: Type.Optional(Type.String()),
});

const WIRE_KINDS: Readonly<Record<string, string>> = {
  person: "Person",
  token: "Token",
  agent: "Agent",
};

export const wireAuditEntry = wireObject("AuditEntry", ({ of, maybe }: Kit<ListedAuditEntry>) => ({
  id: of.id("AuditEntry", {
    from: ({ entry }) => entry.id,
    description: "`AuditEntry:<uuid>`",
    example: 26,
  }),
  seq: of.integer({
    from: ({ entry }) => entry.commandSeq,
    description: "Rises with time; not every number has an entry.",
    example: 412,
  }),
  at: of.time({ from: ({ entry }) => entry.at, example: "2026-11-21T10:00:00.000Z" }),
  actor: of.json(ActorSchema, {
    from: actorOf,
    example: actorExample,
  }),
  act: of.text({
    from: ({ entry }) => entry.act,
    description: "The command, or the operation that was read.",
    example: "update-config",
  }),
  target: maybe.json(TargetSchema, {
    from: targetOf,
    example: {
      kind: "PlatformConfig",
      id: "PlatformConfig:019a4f00-0000-7000-8000-000000000001",
      label: "sandbox",
    },
  }),
  reason: maybe.text({ from: ({ entry }) => entry.reason }),
  changes: of.json(ChangesSchema, {
    from: ({ entry }) => JSON.parse(entry.changes),
    example: [
      { field: "webhookEndpoint", before: null, after: "https://shop.example.com/webhooks" },
    ],
  }),
  source: maybe.json(SourceSchema, {
    from: sourceOf,
    example: {
      address: "203.0.113.7",
      userAgent: "Mozilla/5.0",
      sessionId: "PersonSession:019a4f00-0000-7000-8000-000000000025",
    },
  }),
  approvalId: maybe.id("Approval", {
    from: ({ entry }) => entry.approvalId,
    description: "The approval that was asked for or decided.",
  }),
  requestId: maybe.text({
    from: ({ entry }) => entry.requestId,
    description: "The `X-Request-Id` of the answer.",
    example: "5f2a9c0d1e6f-1a",
  }),
  commandSeq: of.integer({
    from: ({ entry }) => entry.commandSeq,
    description: "The command in the log.",
    example: 412,
  }),
  hash: of.text({
    from: ({ hash }) => hash.toString("hex"),
    description: "Of the command, in hexadecimal; it covers this entry.",
    example: "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a",
  }),
}));

function actorOf({ entry, tokenName }: ListedAuditEntry) {
  const { actorKind, actorId, actorName } = entry;
  const kind = WIRE_KINDS[actorKind];
  return {
    kind: actorKind,
    id: kind === undefined ? actorId : toWireId(kind, actorId),
    ...optional("name", actorName ?? tokenName),
  };
}

function targetOf({ entry: { targetId, targetKind, targetLabel } }: ListedAuditEntry) {
  if (targetId === null || targetKind === null) return null;
  return { kind: targetKind, id: targetId, ...optional("label", targetLabel) };
}

function sourceOf({ entry: { address, userAgent, sessionId } }: ListedAuditEntry) {
  if (address === null) return null;
  const session = sessionId === null ? null : toWireId("PersonSession", sessionId);
  return { address, userAgent: userAgent ?? "", ...optional("sessionId", session) };
}
