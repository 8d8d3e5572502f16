import Type from "typebox";
import { noAccount, type TransferIds } from "../../../domain/payments/transfers/transfer-rules.ts";
import type { TransactionType } from "../../../domain/platform.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { parseId } from "../../../wire/ids.ts";
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
