import type { InternalAccount } from "@florin/client";
import { type ActSpec, FormProblem } from "../../../act/act-spec.ts";
import { t } from "../../../text/messages.ts";
import { readAmount } from "../../../text/money.ts";

export function fundSpec({ id, balance }: InternalAccount): ActSpec<"fundInternalAccount"> {
  const { code, decimals } = balance.currency;
  return {
    title: t("sandbox.fund"),
    verb: t("sandbox.fund"),
    intro: t("sandbox.fundIntro"),
    fields: [
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        placeholder: "1,000.00",
        hint: t("payments.inCurrency", { code }),
      },
    ],
    toCall({ amount = "" }) {
      const minor = readAmount(amount, decimals);
      if (minor === undefined) throw new FormProblem({ amount: t("form.noAmount") });
      return {
        method: "POST",
        path: ["sandbox", "internal-accounts", id, "fund"],
        body: { amount: Number(minor) },
      };
    },
  };
}
