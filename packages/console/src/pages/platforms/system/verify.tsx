/** Checks of the books: shows the last one and starts a new one. */
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import type { VerifyRun } from "../../../api/system-operations.ts";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t } from "../../../text/messages.ts";
import { Pill, StatePill } from "../../../ui/pill.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";

export const useVerifyRuns = () =>
  useRead<"listVerifyRuns">(
    { method: "GET", path: ["system", "verify"] },
    { isMoving: ({ data }) => data[0]?.state === "RUNNING" },
  );

/** `isBrief` shows only the state and the end time of the last check, for use above other content. */
export function VerifySection({ isBrief = false }: { readonly isBrief?: boolean }) {
  const may = useMay("system.write");
  const reading = useVerifyRuns();
  const last = reading.data?.data[0];
  const act =
    !may || reading.data === undefined ? undefined : last?.state === "RUNNING" ? (
      <ActButton spec={cancel(last)}>{t("system.verifyCancel")}</ActButton>
    ) : (
      <ActButton spec={start}>{t("system.verifyNow")}</ActButton>
    );
  return (
    <Section title={t("system.verify")} act={act}>
      <Waiting reading={reading} rows={4}>
        {({ data: [run] }) =>
          run === undefined ? (
            <p className="text-body text-soft">{t("system.verifyNever")}</p>
          ) : (
            <Run run={run} isBrief={isBrief} />
          )
        }
      </Waiting>
    </Section>
  );
}

function Run({ run, isBrief }: { readonly run: VerifyRun; readonly isBrief: boolean }) {
  const { state, ok, done, total, counts, problemCount, problems, failure, endedAt } = run;
  return (
    <div role="status">
      <Facts
        facts={[
          [
            t("column.status"),
            ok === undefined ? (
              <StatePill key="state" state={state} />
            ) : (
              <Pill
                key="state"
                tone={ok ? "good" : "bad"}
                word={ok ? t("system.verifyGood") : t("system.verifyBad", { count: problemCount })}
              />
            ),
          ],
          [t("system.progress"), t("system.progressOf", { done, total: Math.max(done, total) })],
          !isBrief && [t("system.checked"), t("system.checkedCounts", { ...counts })],
          !isBrief && [t("system.startedBy"), <OutsideText key="by" text={run.requestedBy} />],
          !isBrief && [t("column.started"), <Time key="start" at={run.startedAt} isExact />],
          endedAt !== undefined && [t("column.ended"), <Time key="end" at={endedAt} isExact />],
          failure !== undefined && [t("column.reason"), <OutsideText key="why" text={failure} />],
          ...problems.map(
            ({ platformId, table, row }, index) =>
              [
                t("system.problem", { number: index + 1 }),
                <OutsideText key={`${table}-${row}`} text={`${platformId}, ${table}, ${row}`} />,
              ] as const,
          ),
        ]}
      />
    </div>
  );
}

const start: ActSpec<"startVerify"> = {
  title: t("system.verifyNow"),
  verb: t("system.verifyNow"),
  intro: t("system.verifyIntro"),
  fields: [],
  toCall: () => ({ method: "POST", path: ["system", "verify"] }),
};

function cancel({ id }: VerifyRun): ActSpec<"cancelVerify"> {
  return {
    title: t("system.verifyCancel"),
    verb: t("system.verifyCancel"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["system", "verify", id, "cancel"] }),
  };
}
