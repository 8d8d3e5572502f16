/** The dialogs of holds: money is held on an account, paid from there, and released. */
import type { Hold, InternalAccount } from "@florin/client";
import { useState } from "react";
import { type ActSpec, FormProblem, type OwnControl } from "../../../act/act-spec.ts";
import type { PaymentSide } from "../../../api/payment-operations.ts";
import { t } from "../../../text/messages.ts";
import { amountLine, minorText, readAmount } from "../../../text/money.ts";
import { platformNow } from "../../../text/time.ts";
import { SidePicker } from "../new/side-picker.tsx";
import { sideId } from "../new/sides.ts";

const DAY_MS = 86_400_000;
const DAYS = ["1", "7", "30", "90", "365"];

/** The amount that was typed, or the refusal that is shown at its field. */
function amountIn(text: string, most: Hold["heldAmount"]): number {
  const minor = readAmount(text, most.currency.decimals);
  if (minor === undefined || minor === 0n) throw new FormProblem({ amount: t("form.noAmount") });
  if (minor <= BigInt(most.amount)) return Number(minor);
  throw new FormProblem({ amount: t("holds.atMost", { amount: amountLine(most) }) });
}

const descriptionField = {
  name: "description",
  label: "payments.description",
  kind: "text",
  isOptional: true,
} as const;

const described = (description: string) => (description === "" ? {} : { description });

export function holdSpec({ id, balance }: InternalAccount): ActSpec<"createHold"> {
  return {
    title: t("holds.hold"),
    verb: t("holds.hold"),
    intro: t("holds.holdIntro"),
    fields: [
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        placeholder: "0.00",
        hint: t("payments.available", { amount: amountLine(balance) }),
      },
      {
        name: "days",
        label: "holds.until",
        field: "expiresAt",
        kind: "choice",
        initial: "7",
        choices: DAYS.map((value) => ({ value, label: t("unit.days", { count: Number(value) }) })),
      },
      descriptionField,
    ],
    toCall: ({ amount = "", days = "", description = "" }) => ({
      method: "POST",
      path: ["internal-accounts", id, "holds"],
      body: {
        amount: amountIn(amount, balance),
        expiresAt: new Date(platformNow() + Number(days) * DAY_MS).toISOString(),
        ...described(description),
      },
    }),
  };
}

/** The payee of a capture: an account in the currency of the hold. */
function PayeeField({
  control: { label, error, onChange },
  hold,
}: {
  readonly control: OwnControl;
  readonly hold: Hold;
}) {
  const [side, setSide] = useState<PaymentSide>();
  return (
    <SidePicker
      label={label}
      error={error}
      side={side}
      source={hold.internalAccountId}
      currency={hold.amount.currency.code}
      onPick={(picked) => {
        setSide(picked);
        onChange(picked === undefined ? "" : sideId(picked));
      }}
    />
  );
}

export function captureSpec(hold: Hold): ActSpec<"captureHold"> {
  const { id, heldAmount } = hold;
  const { decimals } = heldAmount.currency;
  return {
    title: t("holds.capture"),
    verb: t("holds.capture"),
    verbFor({ amount = "" }) {
      const minor = readAmount(amount, decimals);
      if (minor === undefined) return t("holds.capture");
      const line = { amount: Number(minor), currency: heldAmount.currency };
      return t("holds.captureAmount", { amount: amountLine(line) });
    },
    intro: t("holds.captureIntro"),
    fields: [
      {
        name: "accountId",
        label: "holds.payee",
        field: "destination.accountId",
        kind: "own",
        control: (control) => <PayeeField control={control} hold={hold} />,
      },
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        initial: minorText(BigInt(heldAmount.amount), decimals),
        hint: t("holds.atMost", { amount: amountLine(heldAmount) }),
      },
      {
        name: "rest",
        label: "holds.rest",
        kind: "choice",
        initial: "release",
        choices: [
          { value: "release", label: t("holds.rest.release") },
          { value: "keep", label: t("holds.rest.keep") },
        ],
      },
      descriptionField,
    ],
    isTriedOut: true,
    toCall({ accountId = "", amount = "", rest = "", description = "" }) {
      if (!accountId.includes(":")) throw new FormProblem({ accountId: t("holds.noPayee") });
      return {
        method: "POST",
        path: ["holds", id, "capture"],
        body: {
          amount: amountIn(amount, heldAmount),
          destination: { accountId },
          final: rest !== "keep",
          ...described(description),
        },
      };
    },
  };
}

export function releaseSpec({ id, heldAmount }: Hold): ActSpec<"releaseHold"> {
  return {
    title: t("holds.release"),
    verb: t("holds.release"),
    intro: t("holds.releaseIntro", { amount: amountLine(heldAmount) }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["holds", id, "release"] }),
  };
}
