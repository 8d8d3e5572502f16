import type { TransactionType } from "../../../domain/platforms/platform.ts";
import { noAccount, type TransferIds } from "../../../domain/transfers/transfer-rules.ts";
import { parseId } from "../../../wire/ids.ts";

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
