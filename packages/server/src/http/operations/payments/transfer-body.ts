import Type, { type Static } from "typebox";
import { FEWEST_LEGS, MOST_LEGS } from "../../../domain/payments/transfers/book-legs.ts";
import { noAccount, type TransferIds } from "../../../domain/payments/transfers/transfer-rules.ts";
import type { TransactionType } from "../../../domain/platform.ts";
import { invalid } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import { parseId } from "../../../wire/ids.ts";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import { listedText } from "../../../wire/value-lists.ts";

export const transferInFields = {
  source: Type.Object({ accountId: Type.String({ description: "An external account." }) }),
  destination: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
  amount: requestAmount(),
};

export const transferInExample = {
  source: { accountId: "ExternalAccount:019a4f00-0000-7000-8000-000000000003" },
  destination: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002" },
  amount: 12500,
};

export const transferOutFields = {
  source: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
  destination: Type.Object({
    accountId: Type.String({ description: "An external account." }),
    paymentRail: Type.Optional(
      listedText("PaymentRail", {
        maxLength: 64,
        description: "One of the destination's rails; of a wallet, its network.",
      }),
    ),
  }),
  amount: requestAmount(),
};

export const transferOutExample = {
  source: transferInExample.destination,
  destination: transferInExample.source,
  amount: 12500,
};

export const bookTransferFields = {
  source: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
  destination: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
  amount: requestAmount(),
  description: descriptionField,
  metadata: Type.Optional(MetadataSchema),
};

const BookTransfer = Type.Object(bookTransferFields);
export type BookedLeg = Static<typeof BookTransfer>;

const legs = Type.Array(BookTransfer, {
  minItems: FEWEST_LEGS,
  maxItems: MOST_LEGS,
  description:
    "In place of the other fields: transfers that are made together or not at all. An account may be in many; each leg is judged by the balances " +
    "after the legs before it.",
});
const BookTransferOfLegs = Type.Object({ legs });
export type BookedLegs = Static<typeof BookTransferOfLegs>;

export type BookTransferBody = (BookedLeg & { readonly legs?: undefined }) | BookedLegs;

/** What is documented: one transfer, or its legs. */
export const shownBookTransfer = Type.Unsafe<BookTransferBody>({
  type: "object",
  oneOf: [BookTransfer, BookTransferOfLegs],
});

/** What is checked, beside `judgeBookTransfer`: an error of a union names no field. */
export const bookTransferBody = Type.Unsafe<BookTransferBody>(
  Type.Object({ ...Type.Partial(BookTransfer).properties, legs: Type.Optional(legs) }),
);

const NEEDED = ["source", "destination", "amount"] as const;

/** A transfer needs its accounts and an amount, or legs and nothing beside them. */
export function judgeBookTransfer(body: JsonObject): Judgement<undefined> {
  const lacking = NEEDED.filter((name) => body.legs === undefined && body[name] === undefined);
  const excess = Object.keys(bookTransferFields).filter(
    (name) => body.legs !== undefined && body[name] !== undefined,
  );
  return judgementOf([
    ...lacking.map((name) => invalid(name, "is required")),
    ...excess.map((name) => invalid(name, "must be absent beside legs; each leg has its own")),
  ]);
}

interface TransferBody {
  readonly source: { readonly accountId: string };
  readonly destination: { readonly accountId: string };
}

/** The uuids of the accounts that a transfer's body names; an id of another form is refused like one that is unknown. */
export function requireAccounts(
  { source, destination }: TransferBody,
  type: TransactionType,
): TransferIds {
  const [internal, external] = type === "OUTGOING" ? [source, destination] : [destination, source];
  const internalId = parseId("InternalAccount", internal.accountId);
  if (internalId === undefined) throw noAccount(type, "internal", internal.accountId);
  const externalId = parseId("ExternalAccount", external.accountId);
  if (externalId === undefined) throw noAccount(type, "external", external.accountId);
  return { internalId, externalId };
}
