/** Payments that are made later, once or by a rule: the list, one schedule with its next dates, and its runs. */
import type { PaymentSchedule } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import type { Call } from "../../../api/operations.ts";
import { useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { PartyLines, PartyName, partyName } from "../../../ui/party.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { Amount, Missing, OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { NewSchedule } from "./new-schedule.tsx";
import { ruleNotes, ruleWords } from "./rule-words.ts";
import { ScheduleActs } from "./schedule-acts.tsx";

function amountOf({ template, currency }: PaymentSchedule) {
  return { amount: String(template.amount), currency };
}

function Next({ schedule: { nextAt } }: { readonly schedule: PaymentSchedule }) {
  return nextAt === undefined ? <Missing /> : <Time at={nextAt} />;
}

function LastState({ schedule: { lastRun } }: { readonly schedule: PaymentSchedule }) {
  return lastRun === undefined ? <Missing /> : <StatePill state={lastRun.status} />;
}

const spec: ListSpec<"listPaymentSchedules"> = {
  name: "schedules",
  title: "schedules.title",
  call: (query) =>
    ({
      method: "GET",
      path: ["payment-schedules"],
      query: { ...query, expand: "parties" },
    }) as Call<"listPaymentSchedules">,
  rowId: ({ id }) => id,
  place: ({ id }) => `schedules/${id}`,
  columns: [
    { id: "name", title: "schedules.name", cell: ({ name }) => <OutsideText text={name} isLine /> },
    {
      id: "amount",
      title: "column.amount",
      isEnd: true,
      cell: (row) => <Amount amount={amountOf(row)} isStrong />,
    },
    { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
    { id: "to", title: "column.to", cell: ({ parties }) => <PartyName party={parties?.to} /> },
    {
      id: "rule",
      title: "schedules.rule",
      cell: ({ rule }) => <OutsideText text={ruleWords(rule)} isLine />,
    },
    { id: "next", title: "schedules.next", isEnd: true, cell: (row) => <Next schedule={row} /> },
    { id: "last", title: "schedules.last", cell: (row) => <LastState schedule={row} /> },
    {
      id: "from",
      title: "column.from",
      isExtra: true,
      cell: ({ parties }) => <PartyName party={parties?.from} />,
    },
    {
      id: "runs",
      title: "schedules.runs",
      isEnd: true,
      isExtra: true,
      cell: ({ runs }) => <span className="tabular-nums">{runs}</span>,
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      isExtra: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  tabs: [
    { id: "active", title: "schedules.active", query: { status: "ACTIVE" } },
    { id: "paused", title: "schedules.paused", query: { status: "PAUSED" } },
    { id: "ended", title: "schedules.ended", query: { status: "ENDED" } },
    { id: "all", title: "tab.all", query: {} },
  ],
  filters: [],
  card: (row) => ({
    lead: <OutsideWord text={row.name} />,
    under: `${ruleWords(row.rule)} \u00b7 ${partyName(row.parties?.to)}`,
    end: <Amount amount={amountOf(row)} isStrong />,
    endUnder: row.status === "ACTIVE" ? <Next schedule={row} /> : <StatePill state={row.status} />,
  }),
  empty: "schedules.empty",
  curl: "/payment-schedules",
};

export function SchedulesPage() {
  return <ListPage spec={spec} place="schedules" acts={<NewSchedule />} />;
}

export function ScheduleDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getPaymentSchedule">({
    method: "GET",
    path: ["payment-schedules", id],
    query: { expand: "parties" },
  });
  return (
    <DetailOf reading={reading}>
      {(schedule) => (
        <Detail
          kind={t("kind.PaymentSchedule")}
          isAmount
          lead={<Amount amount={amountOf(schedule)} />}
          under={<OutsideText text={schedule.name} />}
          state={<StatePill state={schedule.status} />}
          id={schedule.id}
          acts={<ScheduleActs schedule={schedule} />}
          json={schedule}
          path={`/payment-schedules/${schedule.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview schedule={schedule} />,
            },
            {
              id: "runs",
              title: t("schedules.runs"),
              content: <ResourceList spec={runList(schedule)} isEmbedded isBeside />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ schedule }: { readonly schedule: PaymentSchedule }) {
  const { parties, rule, retry, lastRun, template, createdAt, updatedAt } = schedule;
  const { description, remittanceInformation, destination } = template;
  const { paymentRail } = destination;
  return (
    <>
      <div className="pb-3 text-body">
        <p className="font-medium">{ruleWords(rule)}</p>
        {ruleNotes(rule).map((note) => (
          <p key={note} className="text-soft">
            {note}
          </p>
        ))}
      </div>
      <Facts
        facts={[
          [t("column.from"), <PartyLines key="from" party={parties?.from} />],
          [t("column.to"), <PartyLines key="to" party={parties?.to} />],
          paymentRail !== undefined && [t("column.rail"), wordOf("rail", paymentRail)],
          description !== undefined && [
            t("payments.description"),
            <OutsideText key="description" text={description} />,
          ],
          remittanceInformation !== undefined && [
            t("schedules.remittance"),
            <OutsideText key="remittance" text={remittanceInformation} />,
          ],
          [
            t("schedules.retry"),
            retry === undefined || retry.times === 0
              ? t("schedules.retry.NONE")
              : t("schedules.tries", { count: retry.times, minutes: retry.everyMinutes }),
          ],
          [t("schedules.runs"), String(schedule.runs)],
          [t("column.created"), <Time key="created" at={createdAt} isExact />],
          [t("column.updated"), <Time key="updated" at={updatedAt} isExact />],
        ]}
      />
      {lastRun !== undefined && <LastRun run={lastRun} />}
      {schedule.status !== "ENDED" && <NextDates schedule={schedule} />}
    </>
  );
}

function LastRun({ run }: { readonly run: NonNullable<PaymentSchedule["lastRun"]> }) {
  const { dueAt, status, transactionId, error, retryAt } = run;
  return (
    <Section title={t("schedules.last")} act={<StatePill state={status} />}>
      <Facts
        facts={[
          [t("schedules.due"), <Time key="due" at={dueAt} isExact />],
          transactionId !== undefined && [
            t("kind.Transaction"),
            <IdLink key="payment" id={transactionId} />,
          ],
          error !== undefined && [
            t("column.reason"),
            <OutsideText key="reason" text={wordOf("refusal", error.code)} />,
          ],
          retryAt !== undefined && [t("schedules.retryAt"), <Time key="retry" at={retryAt} />],
        ]}
      />
    </Section>
  );
}

const DATES = 12;

function NextDates({ schedule: { id, status, rule } }: { readonly schedule: PaymentSchedule }) {
  const reading = useRead<"previewPaymentSchedule">({
    method: "GET",
    path: ["payment-schedules", id, "preview"],
    query: { count: DATES },
  });
  return (
    <Section
      title={t(status === "PAUSED" ? "schedules.datesIfResumed" : "schedules.dates")}
      act={<span className="text-caption text-soft">{rule.timeZone}</span>}
    >
      <Waiting reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-soft">{t("schedules.noDates")}</p>
          ) : (
            <ol className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-x-6 text-body">
              {data.map(({ dueAt, localTime }) => (
                <li key={dueAt} className="flex justify-between border-line border-b py-1.5">
                  <Time at={dueAt} isExact />
                  <span className="text-soft tabular-nums">{localTime?.slice(11)}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Waiting>
    </Section>
  );
}

function runList({ id }: PaymentSchedule): ListSpec<"listPaymentScheduleRuns"> {
  return {
    name: "schedule-runs",
    title: "schedules.runs",
    call: (query) =>
      ({
        method: "GET",
        path: ["payment-schedules", id, "runs"],
        query,
      }) as Call<"listPaymentScheduleRuns">,
    rowId: (run) => run.id,
    place: ({ transactionId }) =>
      transactionId === undefined ? `schedules/${id}` : `payments/${transactionId}`,
    columns: [
      { id: "due", title: "schedules.due", cell: ({ dueAt }) => <Time at={dueAt} /> },
      { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
      {
        id: "why",
        title: "column.reason",
        cell: ({ error }) =>
          error === undefined ? (
            <Missing />
          ) : (
            <OutsideText text={wordOf("refusal", error.code)} isLine />
          ),
      },
      {
        id: "trigger",
        title: "schedules.trigger",
        cell: ({ trigger }) => wordOf("schedules.trigger", trigger),
      },
    ],
    filters: [],
    card: (run) => ({
      lead: <Time at={run.dueAt} />,
      under:
        run.error === undefined
          ? wordOf("schedules.trigger", run.trigger)
          : wordOf("refusal", run.error.code),
      end: <StatePill state={run.status} />,
    }),
    empty: "schedules.noRuns",
  };
}
