import Type from "typebox";
import { partKinds } from "../../../domain/rail-entries/rail-item.ts";
import {
  resolveRailItem as command,
  MOST_PARTS,
  type Part,
} from "../../../domain/rail-entries/resolve-rail-item.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { requestAmount } from "../../../validation/schema.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import {
  RailItemSchema,
  railItemJson,
  resolvedItemExample,
} from "../../../wire/rails/rail-item.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const partField = Type.Object({
  kind: Type.Enum([...partKinds]),
  amount: requestAmount(),
  accountId: Type.Optional(
    Type.String({ description: "`InternalAccount:<uuid>`. Of `ACCOUNT`: the account to credit." }),
  ),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description: "Of `OWN_FUNDS`: what it is, such as a charge or interest.",
    }),
  ),
  entryId: Type.Optional(
    Type.String({
      description: "`RailEntry:<uuid>`. Of `DUPLICATE_OF`: the same line, told before.",
    }),
  ),
});

export const resolveRailItem = defineOperation({
  id: "resolveRailItem",
  method: "POST",
  path: "/rails/items/{itemId}/resolve",
  access: "TRANSACT",
  capability: "reconciliation.write",
  tag: "Rails",
  summary: "Resolve an item in suspense",
  description:
    "Says what the money is, once; the parts sum to the item. `ACCOUNT` credits an internal account by an INCOMING transaction, of money " +
    "that came in. `OWN_FUNDS` is the platform's own. `DUPLICATE_OF` undoes a line that was told twice under two references.",
  params: Type.Object({ itemId: pathId("RailItem") }),
  body: Type.Object({
    parts: Type.Array(partField, { minItems: 1, maxItems: MOST_PARTS }),
    note: filledText(500),
  }),
  requestExample: {
    parts: [
      {
        kind: "ACCOUNT",
        amount: 12500,
        accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
      },
    ],
    note: "Invoice 17 is Ana's",
  },
  answers: {
    200: {
      description: "The item, resolved.",
      schema: RailItemSchema,
      example: resolvedItemExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
  ],
  judge: judgeParts,
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        itemId: requireId("RailItem", params.itemId, "REFERENCE_NOT_FOUND"),
        parts: body.parts.map(partOf),
        note: body.note,
      },
      toAnswer: (item) => ({ status: 200, body: railItemJson(item) }),
      idempotency,
    }),
});

interface PartBody {
  readonly kind: (typeof partKinds)[number];
  readonly amount: number;
  readonly accountId?: string;
  readonly label?: string;
  readonly entryId?: string;
}

/** The member that each kind needs; the others must be absent. */
const MEMBER_OF = { ACCOUNT: "accountId", OWN_FUNDS: "label", DUPLICATE_OF: "entryId" } as const;

function judgeParts({ parts }: JsonObject): Judgement<undefined> {
  const errors: FieldError[] = [];
  for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
    const kind = isJsonObject(part) ? partKinds.find((known) => known === part.kind) : undefined;
    if (!isJsonObject(part) || kind === undefined) continue;
    for (const member of Object.values(MEMBER_OF)) {
      const isNeeded = member === MEMBER_OF[kind];
      if ((part[member] !== undefined) === isNeeded) continue;
      const message = isNeeded ? `is needed for ${kind}` : `is not a member of ${kind}`;
      errors.push({ field: `parts[${index}].${member}`, message });
    }
  }
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

function partOf(part: PartBody, index: number): Part {
  const { kind } = part;
  const minor = BigInt(part.amount);
  const fieldOf = (name: string) => `parts[${index}].${name}`;
  switch (kind) {
    case "ACCOUNT": {
      const named = { field: fieldOf("accountId"), raw: present(part.accountId, "an account") };
      const accountId = requireIdField("InternalAccount", named, "REFERENCE_NOT_FOUND");
      return { kind, minor, accountId };
    }
    case "OWN_FUNDS":
      return { kind, minor, label: present(part.label, "a label") };
    case "DUPLICATE_OF": {
      const named = { field: fieldOf("entryId"), raw: present(part.entryId, "an entry") };
      return { kind, minor, entryId: requireIdField("RailEntry", named, "REFERENCE_NOT_FOUND") };
    }
  }
}
