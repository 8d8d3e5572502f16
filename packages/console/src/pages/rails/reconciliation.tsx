/** Compares the external bank account with the books: the difference, its explained parts, and the unexplained rest. */
import type { RailConnection, RailReconciliation } from "@florin/client";
import { type ReactNode, useState } from "react";
import { ActButton } from "../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Section } from "../../detail/facts.tsx";
import { t } from "../../text/messages.ts";
import { decimalsFor, readAmount } from "../../text/money.ts";
import { plainChoices } from "../../ui/choices.ts";
import { classes } from "../../ui/classes.ts";
import { ChoiceInput, TextInput } from "../../ui/fields.tsx";
import { FileLink } from "../../ui/file-link.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Amount, Time } from "../../ui/values.tsx";
import { waitingNote } from "./waiting.tsx";

export function ReconciliationTab({ connection }: { readonly connection: RailConnection }) {
  const { id, currencies, kind } = connection;
  const [currency, setCurrency] = useState(currencies[0] ?? "");
  const [asOf, setAsOf] = useState("");
  const mayWrite = useMay("reconciliation.write");
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(asOf);
  const query = { currency, ...(isDay ? { asOf } : {}) };
  const reading = useRead<"getRailReconciliation">({
    method: "GET",
    path: ["rails", "connections", id, "reconciliation"],
    query,
  } as Call<"getRailReconciliation">);
  return (
    <>
      <div className="flex flex-wrap items-end gap-3 pb-2">
        {currencies.length > 1 && (
          <ChoiceInput
            label={t("column.currency")}
            choices={plainChoices(currencies)}
            value={currency}
            onChange={setCurrency}
            placeholder={t("form.choose")}
          />
        )}
        <TextInput
          label={t("rails.asOf")}
          value={asOf}
          onChange={setAsOf}
          placeholder="2026-11-21"
        />
        <FileLink
          path={`/rails/connections/${id}/reconciliation.csv`}
          query={query}
          text={t("rails.csv")}
        />
        {mayWrite && kind === "MANUAL" && (
          <ActButton spec={balance(connection)}>{t("rails.typeBalance")}</ActButton>
        )}
      </div>
      <Waiting reading={reading} rows={8}>
        {(found) => <Figures found={found} />}
      </Waiting>
    </>
  );
}

function Figures({ found }: { readonly found: RailReconciliation }) {
  return (
    <>
      {found.statement === undefined && (
        <p className="tint-wait my-2 rounded-control p-3 text-form">{t("rails.noStatement")}</p>
      )}
      <table className="w-full text-body">
        <caption className="sr-only">{t("rails.reconciliation")}</caption>
        <tbody>
          <Compared found={found} />
        </tbody>
      </table>
      <Section title={t("rails.stillOpen")}>
        <table className="w-full text-body">
          <caption className="sr-only">{t("rails.stillOpen")}</caption>
          <tbody>
            <StillOpen found={found} />
          </tbody>
        </table>
      </Section>
    </>
  );
}

type Figure = RailReconciliation["open"]["suspense"];

/** The difference is the statement's closing balance less our balance. Its parts explain it; the rest is unexplained. */
function Compared({ found }: { readonly found: RailReconciliation }) {
  const { statement, ours, difference, explained, unexplained } = found;
  const isClean = unexplained !== undefined && BigInt(unexplained.amount) === 0n;
  return (
    <>
      {statement !== undefined && (
        <Line
          name={t("rails.closing", { day: statement.asOf })}
          more={statement.readAt && <Time at={statement.readAt} isExact />}
          value={<Amount amount={statement.closing} />}
        />
      )}
      <Line name={t("rails.ours")} value={<Amount amount={ours} />} />
      {difference !== undefined && (
        <Line
          name={t("rails.difference")}
          isStrong
          value={<Amount amount={difference} isStrong />}
        />
      )}
      <FigureLine
        name={t("rails.settledNotOnStatement")}
        figure={explained.settledNotOnStatement}
        isPart
      />
      {explained.notOnStatement !== undefined && (
        <FigureLine name={t("rails.notOnStatement")} figure={explained.notOnStatement} isPart />
      )}
      {unexplained !== undefined && (
        <Line
          name={t("rails.unexplained")}
          isStrong
          tone={isClean ? "text-good" : "text-bad"}
          value={<Amount amount={unexplained} isStrong />}
        />
      )}
    </>
  );
}

function StillOpen({ found: { open, ageing } }: { readonly found: RailReconciliation }) {
  const aged = Object.entries(ageing).filter(([, { count }]) => count > 0);
  return (
    <>
      <FigureLine name={t("rails.suspense")} figure={open.suspense} />
      {aged.map(([age, figure]) => (
        <FigureLine key={age} name={t("rails.aged", { age })} figure={figure} isPart />
      ))}
      <Line name={t("rails.unknown")} value={String(open.unknown)} />
      <Line name={t("rails.conflicts")} value={String(open.conflicts)} />
      <Line name={t("rails.marks")} value={String(open.marks)} />
    </>
  );
}

function FigureLine({
  name,
  figure,
  isPart = false,
}: {
  readonly name: string;
  readonly figure: Figure;
  readonly isPart?: boolean;
}) {
  return (
    <Line
      name={name}
      isPart={isPart}
      more={t("rails.lines", { count: figure.count })}
      value={<Amount amount={figure.sum} />}
    />
  );
}

function Line({
  name,
  more,
  value,
  isPart = false,
  isStrong = false,
  tone,
}: {
  readonly name: string;
  readonly more?: ReactNode;
  readonly value: ReactNode;
  /** Marks a sum that explains the figure above it. */
  readonly isPart?: boolean;
  readonly isStrong?: boolean;
  readonly tone?: string;
}) {
  return (
    <tr>
      <th
        scope="row"
        className={classes(
          "border-line border-b py-1.5 text-start",
          isPart && "ps-4",
          isStrong ? "font-semibold" : "font-normal text-soft",
        )}
      >
        {name}
        {more !== undefined && (
          <span className="ms-2 text-caption font-normal text-soft">{more}</span>
        )}
      </th>
      <td className={classes("border-line border-b py-1.5 text-end tabular-nums", tone)}>
        {value}
      </td>
    </tr>
  );
}

function balance({ id, currencies }: RailConnection): ActSpec<"createRailBalance"> {
  return {
    title: t("rails.typeBalance"),
    verb: t("act.save"),
    intro: t("rails.typeBalanceIntro"),
    fields: [
      {
        name: "currency",
        label: "column.currency",
        kind: "choice",
        initial: currencies[0],
        choices: plainChoices(currencies),
      },
      { name: "asOf", label: "rails.asOf", kind: "text", placeholder: "2026-11-21" },
      { name: "booked", label: "column.balance", kind: "amount", placeholder: "0.00" },
    ],
    toCall({ currency = "", asOf = "", booked = "" }) {
      const isNegative = /^[-\u2212]/.test(booked.trim());
      const minor = readAmount(booked.trim().replace(/^[-\u2212]/, ""), decimalsFor(currency));
      if (minor === undefined) throw new FormProblem({ booked: t("form.noAmount") });
      return {
        method: "POST",
        path: ["rails", "connections", id, "balances"],
        body: { currency, asOf, booked: Number(isNegative ? -minor : minor) } as never,
      };
    },
    after: waitingNote,
  };
}
