/** The accounts that can be the source or the destination of a payment. */
import type { ExternalAccount, InternalAccount } from "@florin/client";
import { useRead } from "../../../api/platform.ts";
import { shortId } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { amountLine, decimalsFor } from "../../../text/money.ts";
import type { Choice } from "../../../ui/fields.tsx";
import { holderOf, lastDigits } from "../../accounts/external-list.tsx";

export interface Party extends Choice {
  readonly isInternal: boolean;
  readonly code: string;
  readonly decimals: number;
  /** Undefined for an account of the platform itself. */
  readonly customerId: string | undefined;
  /** The owner must sign each payment, so the console cannot make one from this account. */
  readonly isSelfCustodial: boolean;
}

/** The form offers at most the newest hundred accounts of each kind and owner. */
const OFFERED = 100;

export function useParties() {
  const query = { limit: OFFERED };
  const readings = {
    customers: useRead<"listCustomerInternalAccounts">({
      method: "GET",
      path: ["customers", "internal-accounts"],
      query,
    }),
    platform: useRead<"listPlatformInternalAccounts">({
      method: "GET",
      path: ["platform", "internal-accounts"],
      query,
    }),
    external: useRead<"listCustomerExternalAccounts">({
      method: "GET",
      path: ["customers", "external-accounts"],
      query,
    }),
    ownExternal: useRead<"listPlatformExternalAccounts">({
      method: "GET",
      path: ["platform", "external-accounts"],
      query,
    }),
  };
  const { customers, platform, external, ownExternal } = readings;
  return {
    isReady: Object.values(readings).every(
      ({ data, error }) => data !== undefined || error !== null,
    ),
    parties: [
      ...(platform.data?.data ?? []).map(internalParty),
      ...(customers.data?.data ?? []).map(internalParty),
      ...(ownExternal.data?.data ?? []).map(externalParty),
      ...(external.data?.data ?? []).map(externalParty),
    ],
  };
}

function internalParty(account: InternalAccount): Party {
  const { id, balance, customerId, type } = account;
  return {
    value: id,
    label: internalChoice(account).label,
    isInternal: true,
    code: balance.currency.code,
    decimals: balance.currency.decimals,
    customerId,
    isSelfCustodial: type === "EMBEDDED_WALLET",
  };
}

function externalParty(account: ExternalAccount): Party {
  return {
    ...externalChoice(account),
    isInternal: false,
    code: account.currency,
    decimals: decimalsFor(account.currency),
    customerId: account.customerId ?? undefined,
    isSelfCustodial: false,
  };
}

export function internalChoice(account: InternalAccount): Choice {
  const owner =
    account.customerId === undefined
      ? t("payments.platform")
      : shortId(account.customerId).slice(-6);
  return { value: account.id, label: `${amountLine(account.balance)} \u00b7 ${owner}` };
}

export function externalChoice(account: ExternalAccount): Choice {
  const name = holderOf(account) ?? account.accountInfo.accountType;
  return {
    value: account.id,
    label: `${name} \u2022\u2022${lastDigits(account) ?? ""} \u00b7 ${account.currency}`,
  };
}

export type Way = "OUT" | "IN" | "BOOK" | "QUOTE";

/** A payment within one currency is a transfer; any other one needs a quote. */
export function wayOf(from: Party, to: Party): Way {
  if (from.code !== to.code) return "QUOTE";
  if (from.isInternal) return to.isInternal ? "BOOK" : "OUT";
  return to.isInternal ? "IN" : "QUOTE";
}

export function sourcesOf(parties: readonly Party[]): readonly Party[] {
  return parties.filter(({ isSelfCustodial }) => !isSelfCustodial);
}

/** An external account only pays to and receives from accounts of its own customer. */
export function destinationsOf(parties: readonly Party[], from: Party): readonly Party[] {
  return parties.filter(
    ({ value, isInternal, customerId }) =>
      value !== from.value &&
      (from.isInternal || isInternal) &&
      ((from.isInternal && isInternal) || customerId === from.customerId),
  );
}
