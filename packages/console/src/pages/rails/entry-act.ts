/** Enters a statement line by hand, for a connection without a connector. */
import type { RailConnection } from "@florin/client";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import { t } from "../../text/messages.ts";
import { decimalsFor, readAmount } from "../../text/money.ts";
import { plainChoices, stateChoices } from "../../ui/choices.ts";
import { waitingNote } from "./waiting.tsx";

export function entryAct({ id, currencies }: RailConnection): ActSpec<"createRailEntry"> {
  return {
    title: t("rails.typeEntry"),
    verb: t("act.save"),
    intro: t("rails.typeEntryIntro"),
    fields: [
      {
        name: "direction",
        label: "entry.direction",
        kind: "choice",
        initial: "CREDIT",
        choices: stateChoices(["CREDIT", "DEBIT"], "direction"),
      },
      {
        name: "currency",
        label: "column.currency",
        kind: "choice",
        initial: currencies[0],
        choices: plainChoices(currencies),
      },
      { name: "amount", label: "column.amount", kind: "amount", placeholder: "0.00" },
      { name: "bookedOn", label: "entry.bookedOn", kind: "text", placeholder: "2026-11-21" },
      { name: "bankReference", label: "rails.bankReference", kind: "text" },
      {
        name: "reference",
        label: "column.reference",
        kind: "text",
        isOptional: true,
        hint: t("rails.referenceHint"),
      },
      { name: "payer", field: "payer.name", label: "entry.payer", kind: "text", isOptional: true },
      { name: "remittance", label: "entry.remittance", kind: "text", isOptional: true },
    ],
    toCall({ direction, currency = "", amount = "", bookedOn, bankReference, ...rest }) {
      const minor = readAmount(amount, decimalsFor(currency));
      if (minor === undefined) throw new FormProblem({ amount: t("form.noAmount") });
      const { reference = "", payer = "", remittance = "" } = rest;
      const body = {
        direction,
        currency,
        amount: Number(minor),
        bookedOn,
        bankReference,
        ...(reference === "" ? {} : { reference }),
        ...(payer === "" ? {} : { payer: { name: payer } }),
        ...(remittance === "" ? {} : { remittance }),
      };
      return { method: "POST", path: ["rails", "connections", id, "entries"], body: body as never };
    },
    after: waitingNote,
  };
}
