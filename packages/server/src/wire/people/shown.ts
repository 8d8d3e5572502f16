/** What a person is shown of an order before they agree to it. */
import {
  type Showing,
  type ShownFact,
  type ShownWarning,
  shownGroups,
  warningKeys,
} from "../../domain/people/approvals/shown/shown.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const fact = wireObject("ShownFact", ({ of, maybe }: Kit<ShownFact>) => ({
  key: of.text({ example: "payee.name" }),
  group: of.enum(shownGroups, { example: "PAYEE" }),
  label: of.text({ example: "Name" }),
  value: maybe.text(),
  personal: maybe.text({
    description: "The value, where it may be personal data.",
    example: "Jonas Berg",
  }),
  before: maybe.text({ description: "What the value replaces." }),
  personalBefore: maybe.text(),
  id: maybe.text({ description: "The object that the value names." }),
  moves: maybe.boolean({ description: "It may be another one at the next moment." }),
}));

const warning = wireObject("ShownWarning", ({ of }: Kit<ShownWarning>) => ({
  key: of.enum(warningKeys, { example: "FIRST_PAYMENT" }),
  text: of.text({ example: "This is the first payment to this payee." }),
}));

interface ShownWith {
  /** Undefined for a reader who may not agree. */
  readonly sealed: string | undefined;
}

export const {
  schema: ShownSchema,
  json: shownJson,
  example: shownExample,
} = wireObject(
  "ShownApproval",
  ({ of, maybe }: Kit<Pick<Showing, "title" | "at" | "facts" | "warnings">, ShownWith>) => ({
    title: of.text({ example: "Transfer out" }),
    at: of.text({
      description: "When it was so: now, or when the person who agreed last was shown it.",
      example: "2026-11-21T10:00:00.000Z",
    }),
    facts: of.list(fact, { example: [fact.example] }),
    warnings: of.list(warning, { example: [warning.example] }),
    sealed: maybe.text({
      from: (_, { sealed }) => sealed,
      description:
        "To be sent with an agreement: the same facts, for you alone. Counts for 15 minutes.",
    }),
  }),
);
