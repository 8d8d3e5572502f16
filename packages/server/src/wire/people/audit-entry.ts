import Type from "typebox";
import { toApprovalId } from "../../domain/people/approvals/approval.ts";
import type { ListedAuditEntry } from "../../domain/people/audit-entries/audit-entry.sql.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema, optional } from "../fields.ts";

export const actorKinds = ["person", "token", "agent", "operator", "link", "worker"] as const;

const told = (description: string) => Type.Unknown({ description });

export const AuditEntrySchema = Type.Object(
  {
    id: Type.String({ description: "`AuditEntry:<uuid>`" }),
    seq: Type.Integer({ description: "Rises with time; not every number has an entry." }),
    at: DateTimeSchema,
    actor: Type.Object({
      kind: Type.Enum([...actorKinds]),
      id: Type.String({
        description: "`Person:<uuid>`, `Token:<uuid>`, `Agent:<uuid>`, or a word for the operator.",
      }),
      name: Type.Optional(Type.String({ description: "Of a person as it was then." })),
    }),
    act: Type.String({ description: "The command, or the operation that was read." }),
    target: Type.Optional(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        label: Type.Optional(Type.String()),
      }),
    ),
    reason: Type.Optional(Type.String()),
    changes: Type.Array(
      Type.Object({
        field: Type.String(),
        before: told("Null for a new object; `(changed)` where the value is not told."),
        after: told("`(changed)` where the value is not told."),
      }),
    ),
    source: Type.Optional(
      Type.Object({
        address: Type.String(),
        userAgent: Type.String(),
        sessionId: Type.Optional(Type.String()),
      }),
    ),
    approvalId: Type.Optional(
      Type.String({ description: "The approval that was asked for or decided." }),
    ),
    requestId: Type.Optional(Type.String({ description: "The `X-Request-Id` of the answer." })),
    commandSeq: Type.Integer({ description: "The command in the log." }),
    hash: Type.String({ description: "Of the command, in hexadecimal; it covers this entry." }),
  },
  { $id: "AuditEntry" },
);

const WIRE_KINDS: Readonly<Record<string, string>> = {
  person: "Person",
  token: "Token",
  agent: "Agent",
};

export function auditEntryJson({ entry, hash, tokenName }: ListedAuditEntry): string {
  const { actorKind, actorId, targetId, targetKind, address, userAgent, sessionId } = entry;
  const kind = WIRE_KINDS[actorKind];
  return JSON.stringify({
    id: toWireId("AuditEntry", entry.id),
    seq: Number(entry.commandSeq),
    at: toIso(entry.at),
    actor: {
      kind: actorKind,
      id: kind === undefined ? actorId : toWireId(kind, actorId),
      ...optional("name", entry.actorName ?? tokenName),
    },
    act: entry.act,
    ...(targetId === null || targetKind === null
      ? {}
      : { target: { kind: targetKind, id: targetId, ...optional("label", entry.targetLabel) } }),
    ...optional("reason", entry.reason),
    changes: JSON.parse(entry.changes),
    ...(address === null
      ? {}
      : {
          source: {
            address,
            userAgent: userAgent ?? "",
            ...(sessionId === null ? {} : { sessionId: toWireId("PersonSession", sessionId) }),
          },
        }),
    ...optional("approvalId", entry.approvalId === null ? null : toApprovalId(entry.approvalId)),
    ...optional("requestId", entry.requestId),
    commandSeq: Number(entry.commandSeq),
    hash: hash.toString("hex"),
  });
}

export const auditEntryExample = {
  id: "AuditEntry:019a4f00-0000-7000-8000-000000000026",
  seq: 412,
  at: "2026-11-21T10:00:00.000Z",
  actor: { kind: "person", id: "Person:019a4f00-0000-7000-8000-000000000021", name: "Ana Ruiz" },
  act: "update-config",
  target: {
    kind: "PlatformConfig",
    id: "PlatformConfig:019a4f00-0000-7000-8000-000000000001",
    label: "sandbox",
  },
  changes: [{ field: "webhookEndpoint", before: null, after: "https://shop.example.com/webhooks" }],
  source: {
    address: "203.0.113.7",
    userAgent: "Mozilla/5.0",
    sessionId: "PersonSession:019a4f00-0000-7000-8000-000000000025",
  },
  requestId: "5f2a9c0d1e6f-1a",
  commandSeq: 412,
  hash: "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a",
};
