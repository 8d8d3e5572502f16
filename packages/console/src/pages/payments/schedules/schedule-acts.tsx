/** Acts on a schedule. What pays more waits for another person where the policy says so. */
import type { PaymentSchedule } from "@florin/client";
import { ActButton } from "../../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../../act/act-spec.ts";
import { useMay } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { amountLine, decimalsFor, minorText, readAmount } from "../../../text/money.ts";
import { exactTime } from "../../../text/time.ts";

export function ScheduleActs({ schedule }: { readonly schedule: PaymentSchedule }) {
  const may = useMay("payments.create");
  const { status } = schedule;
  if (!may || status === "ENDED") return undefined;
  return (
    <>
      {status === "ACTIVE" ? (
        <>
          <ActButton spec={runNow(schedule)}>{t("schedules.run")}</ActButton>
          <ActButton spec={skip(schedule)}>{t("schedules.skip")}</ActButton>
          <ActButton spec={pause(schedule)}>{t("schedules.pause")}</ActButton>
        </>
      ) : (
        <ActButton spec={resume(schedule)} weight="primary">
          {t("schedules.resume")}
        </ActButton>
      )}
      <ActButton spec={edit(schedule)}>{t("schedules.edit")}</ActButton>
      <ActButton spec={end(schedule)} weight="danger">
        {t("schedules.end")}
      </ActButton>
    </>
  );
}

const sumOf = ({ template, currency }: PaymentSchedule) =>
  amountLine({ amount: String(template.amount), currency });

const nextOf = ({ nextAt }: PaymentSchedule) => (nextAt === undefined ? "" : exactTime(nextAt));

function runNow(schedule: PaymentSchedule): ActSpec<"runPaymentSchedule"> {
  const { id } = schedule;
  return {
    title: t("schedules.run"),
    verb: t("schedules.pay", { amount: sumOf(schedule) }),
    intro: t("schedules.runIntro", { amount: sumOf(schedule), next: nextOf(schedule) }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["payment-schedules", id, "run"] }),
  };
}

function skip(schedule: PaymentSchedule): ActSpec<"skipPaymentScheduleRun"> {
  return {
    title: t("schedules.skip"),
    verb: t("schedules.skip"),
    intro: t("schedules.skipIntro", { amount: sumOf(schedule), next: nextOf(schedule) }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["payment-schedules", schedule.id, "skip"] }),
  };
}

function pause({ id, name }: PaymentSchedule): ActSpec<"pausePaymentSchedule"> {
  return {
    title: t("schedules.pause"),
    verb: t("schedules.pause"),
    intro: t("schedules.pauseIntro", { name }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["payment-schedules", id, "pause"] }),
  };
}

function resume({ id, name }: PaymentSchedule): ActSpec<"resumePaymentSchedule"> {
  return {
    title: t("schedules.resume"),
    verb: t("schedules.resume"),
    intro: t("schedules.resumeIntro", { name }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["payment-schedules", id, "resume"] }),
  };
}

function end({ id, name }: PaymentSchedule): ActSpec<"endPaymentSchedule"> {
  return {
    title: t("schedules.end"),
    verb: t("schedules.end"),
    intro: t("schedules.endIntro", { name }),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "POST", path: ["payment-schedules", id, "end"] }),
  };
}

function edit({ id, name, template, currency }: PaymentSchedule): ActSpec<"updatePaymentSchedule"> {
  const decimals = decimalsFor(currency);
  return {
    title: t("schedules.edit"),
    verb: t("schedules.save"),
    intro: t("schedules.editIntro"),
    fields: [
      { name: "name", label: "schedules.name", kind: "text", initial: name },
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        initial: minorText(BigInt(template.amount), decimals),
        hint: t("payments.inCurrency", { code: currency }),
        field: "template.amount",
      },
      {
        name: "description",
        label: "payments.description",
        kind: "text",
        isOptional: true,
        initial: template.description,
      },
    ],
    toCall: (values) => {
      const minor = readAmount(values.amount ?? "", decimals);
      if (minor === undefined || minor === 0n || minor > BigInt(Number.MAX_SAFE_INTEGER))
        throw new FormProblem({ amount: t("form.noAmount") });
      const { description: _, ...kept } = template;
      const { description = "" } = values;
      const changed = {
        ...kept,
        ...(description === "" ? {} : { description }),
        amount: Number(minor),
      };
      return {
        method: "PATCH",
        path: ["payment-schedules", id],
        body: { name: values.name ?? name, template: changed },
      };
    },
  };
}
