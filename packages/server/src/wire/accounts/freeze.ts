import Type from "typebox";
import { type Freeze, freezeReasons, freezeScopes } from "../../domain/accounts/freezes/freeze.ts";
import { DateTimeSchema } from "../fields.ts";

export const FrozenSchema = Type.Object(
  {
    since: DateTimeSchema,
    reason: Type.Enum([...freezeReasons]),
    scope: Type.Enum([...freezeScopes], {
      description: "`DEBITS` stops money that goes out; `ALL` stops money that comes in as well.",
    }),
  },
  { $id: "Frozen" },
);

/** Leaves out the note, which is for the operator. */
export function toWireFreeze({ since, reason, scope }: Freeze) {
  return { since, reason, scope };
}

export const frozenExample = {
  since: "2026-11-21T11:00:00.000Z",
  reason: "SUSPECTED_FRAUD",
  scope: "DEBITS",
};

/** The body of a freeze. */
export const freezeBody = Type.Object({
  reason: Type.Enum([...freezeReasons]),
  scope: Type.Optional(
    Type.Enum([...freezeScopes], {
      default: "DEBITS",
      description: "`DEBITS` stops money that goes out; `ALL` stops money that comes in as well.",
    }),
  ),
  note: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "For the operator. No answer and no event shows it.",
    }),
  ),
});

export const freezeRequestExample = { reason: "SUSPECTED_FRAUD", note: "Case 4711" };

/** The freeze that a body asks for. */
export function freezeOfBody({ reason, scope = "DEBITS", note }: Type.Static<typeof freezeBody>) {
  return { reason, scope, note: note ?? null };
}
