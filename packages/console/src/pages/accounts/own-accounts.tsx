/** Accounts beside the default ones: opened, named and closed. */
import type { InternalAccount } from "@florin/client";
import { useNavigate } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec, FormField } from "../../act/act-spec.ts";
import { useMay, usePlatform } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";

type CurrencyCode = InternalAccount["balance"]["currency"]["code"];

const nameField = (initial?: string): FormField => ({
  name: "name",
  label: "column.name",
  kind: "text",
  initial,
});

/** Opens an account of one customer, or of the platform itself. */
export function OpenAccount({ customerId }: { readonly customerId?: string }) {
  const may = useMay("customers.write");
  const { slug } = usePlatform();
  const navigate = useNavigate();
  if (!may) return undefined;
  const spec: ActSpec<"createInternalAccount"> = {
    title: t("accounts.open"),
    verb: t("accounts.open"),
    intro: t("accounts.openIntro"),
    fields: [
      nameField(),
      { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
    ],
    toCall: ({ name = "", currency = "" }) => ({
      method: "POST",
      path: ["internal-accounts"],
      body: {
        name,
        currency: currency.trim().toUpperCase() as CurrencyCode,
        ...(customerId === undefined ? {} : { customerId }),
      },
    }),
    onDone: ({ id }) => void navigate({ to: `/p/${slug}/accounts/${id}` }),
  };
  return (
    <ActButton spec={spec} act="open" weight={customerId === undefined ? "primary" : "plain"}>
      {t("accounts.open")}
    </ActButton>
  );
}

/** What may be done with an account beside the default one. */
export function OwnAccountActs({ account }: { readonly account: InternalAccount }) {
  const may = useMay("customers.write");
  if (!may || account.isDefault !== false || account.status === "CLOSED") return undefined;
  const { id, name = "" } = account;
  const rename: ActSpec<"updateInternalAccount"> = {
    title: t("accounts.rename"),
    verb: t("accounts.rename"),
    fields: [nameField(name)],
    toCall: (values) => ({
      method: "PATCH",
      path: ["internal-accounts", id],
      body: { name: values.name ?? "" },
    }),
  };
  const fund: ActSpec<"requestFundingInstructions"> = {
    title: t("accounts.requestFunding"),
    verb: t("accounts.requestFunding"),
    intro: t("accounts.requestFundingIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["internal-accounts", id, "funding-instructions"] }),
  };
  const close: ActSpec<"closeInternalAccount"> = {
    title: t("accounts.close"),
    verb: t("accounts.close"),
    intro: t("accounts.closeIntro"),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "POST", path: ["internal-accounts", id, "close"] }),
  };
  return (
    <>
      <ActButton spec={rename}>{t("accounts.rename")}</ActButton>
      {account.fundingPaymentInstructions.length === 0 && (
        <ActButton spec={fund}>{t("accounts.requestFunding")}</ActButton>
      )}
      <ActButton spec={close} act="close" weight="danger">
        {t("accounts.close")}
      </ActButton>
    </>
  );
}
