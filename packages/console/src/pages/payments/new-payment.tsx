/** Makes a payment within one currency: to an account outside, from one, or between two accounts of the platform. */
import type { ExternalAccount, InternalAccount } from "@florin/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ActDialog } from "../../act/act-dialog.tsx";
import { type ActSpec, FormProblem, type FormValues } from "../../act/act-spec.ts";
import { usePlatform, useRead } from "../../api/platform.ts";
import { shortId } from "../../std/ids.ts";
import { t } from "../../text/messages.ts";
import { amountLine, readAmount } from "../../text/money.ts";
import { Button } from "../../ui/button.tsx";
import type { Choice } from "../../ui/fields.tsx";
import { holderOf, lastDigits } from "../accounts/external-list.tsx";

type Kind = "OUT" | "IN" | "BOOK";

/** The form offers the newest hundred of each; any other account is typed by its id. */
const OFFERED = 100;

function useAccounts() {
  const query = { limit: OFFERED };
  const customers = useRead<"listCustomerInternalAccounts">({
    method: "GET",
    path: ["customers", "internal-accounts"],
    query,
  });
  const platform = useRead<"listPlatformInternalAccounts">({
    method: "GET",
    path: ["platform", "internal-accounts"],
    query,
  });
  const external = useRead<"listCustomerExternalAccounts">({
    method: "GET",
    path: ["customers", "external-accounts"],
    query,
  });
  const ownExternal = useRead<"listPlatformExternalAccounts">({
    method: "GET",
    path: ["platform", "external-accounts"],
    query,
  });
  return {
    internal: [...(platform.data?.data ?? []), ...(customers.data?.data ?? [])],
    external: [...(ownExternal.data?.data ?? []), ...(external.data?.data ?? [])],
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

/** The accounts are read when the dialog opens, not with every page that has the button. */
export function NewPayment() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button weight="primary" onPress={() => setOpen(true)}>
        {t("payments.new")}
      </Button>
      {isOpen && <NewPaymentDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function NewPaymentDialog({ onClose }: { readonly onClose: () => void }) {
  const accounts = useAccounts();
  const navigate = useNavigate();
  const { slug } = usePlatform();
  const spec: ActSpec<"transferOut" | "transferIn" | "createTransfer"> = {
    title: t("payments.new"),
    verb: t("payments.send"),
    fields: [
      {
        name: "kind",
        label: "payments.kind",
        kind: "choice",
        initial: "OUT",
        choices: (["OUT", "IN", "BOOK"] as const).map((value) => ({
          value,
          label: t(`payments.kind.${value}`),
        })),
      },
    ],
    fieldsFor: (values) => fieldsOf(values, accounts),
    toCall: (values) => callOf(values, accounts.internal),
    onDone: ({ id }) => void navigate({ to: `/p/${slug}/payments/${id}` }),
  };
  return <ActDialog spec={spec} isOpen onClose={onClose} />;
}

type Accounts = ReturnType<typeof useAccounts>;

function fieldsOf(
  { kind, from, to }: FormValues,
  accounts: Accounts,
): ActSpec<"transferOut">["fields"] {
  const active = accounts.internal.filter(({ type }) => type !== "EMBEDDED_WALLET");
  const known = active.find(({ id }) => id === (kind === "IN" ? to : from));
  const code = known?.balance.currency.code;
  const internal = active.map(internalChoice);
  // Payments to and from outside are those of one holder, in one currency.
  const external = accounts.external
    .filter((one) => known === undefined || one.currency === code)
    .filter((one) => known === undefined || (one.customerId ?? undefined) === known.customerId)
    .map(externalChoice);
  const others = active
    .filter(
      ({ id, balance }) => id !== from && (known === undefined || balance.currency.code === code),
    )
    .map(internalChoice);
  return [
    {
      name: "from",
      field: "source.accountId",
      label: "column.from",
      kind: "choice",
      choices: kind === "IN" ? external : internal,
    },
    {
      name: "to",
      field: "destination.accountId",
      label: "column.to",
      kind: "choice",
      choices: kind === "OUT" ? external : kind === "IN" ? internal : others,
    },
    {
      name: "amount",
      label: "column.amount",
      kind: "amount",
      placeholder: "0.00",
      hint: code === undefined ? undefined : t("payments.inCurrency", { code }),
    },
    { name: "description", label: "payments.description", kind: "text", isOptional: true },
  ];
}

function callOf(values: FormValues, internal: readonly InternalAccount[]) {
  const { kind = "OUT", from = "", to = "", amount = "", description = "" } = values;
  const own = internal.find(({ id }) => id === (kind === "IN" ? to : from));
  const minor = readAmount(amount, own?.balance.currency.decimals ?? 2);
  if (minor === undefined || minor > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new FormProblem({ amount: t("form.noAmount") });
  }
  const body = {
    source: { accountId: from },
    destination: { accountId: to },
    amount: Number(minor),
    ...(description === "" ? {} : { description }),
  };
  const paths = { OUT: "transfer-out", IN: "transfer-in", BOOK: "transfers" } as const;
  const path = [paths[kind as Kind]] as const;
  return { method: "POST", path, body } as never;
}
