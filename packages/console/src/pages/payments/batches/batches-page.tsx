/** Batches of payments: the list, and a batch with its progress, its items, and the file of those that were refused. */
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import type { Call } from "../../../api/operations.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts } from "../../../detail/facts.tsx";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { FileLink } from "../../../ui/file-link.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { type Batch, isScheduled, isUnderWay, nameOf, sumOf } from "./batch.tsx";
import { NewBatch } from "./new-batch.tsx";
import { NotRun } from "./not-run.tsx";
import { Progress } from "./progress.tsx";

const spec: ListSpec<"listPaymentBatches"> = {
  name: "batches",
  title: "batches.title",
  call: (query) =>
    ({ method: "GET", path: ["payment-batches"], query }) as Call<"listPaymentBatches">,
  rowId: ({ id }) => id,
  place: ({ id }) => `batches/${id}`,
  columns: [
    { id: "name", title: "column.name", cell: nameOf },
    { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
    { id: "sum", title: "column.amount", isEnd: true, cell: sumOf },
    { id: "payments", title: "batches.payments", isEnd: true, cell: ({ counts }) => counts.total },
    { id: "refused", title: "batches.refused", isEnd: true, cell: ({ counts }) => counts.refused },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  tabs: [
    { id: "all", title: "tab.all", query: {} },
    { id: "waiting", title: "batches.toRun", query: { status: "PENDING" } },
    { id: "processing", title: "batches.running", query: { status: "PROCESSING" } },
    { id: "completed", title: "batches.completed", query: { status: "COMPLETED" } },
    { id: "cancelled", title: "batches.cancelled", query: { status: "CANCELLED" } },
  ],
  byMetadata: true,
  filters: [],
  isMoving: isUnderWay,
  card: (batch) => ({
    lead: nameOf(batch),
    under: sumOf(batch),
    end: <StatePill state={batch.status} />,
    endUnder: <Time at={batch.createdAt} />,
  }),
  empty: "batches.empty",
  curl: "/payment-batches",
};

export function BatchesPage() {
  const may = useMay("payments.create");
  return <ListPage spec={spec} place="batches" acts={may ? <NewBatch /> : undefined} />;
}

export function BatchDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getPaymentBatch">(
    { method: "GET", path: ["payment-batches", id] },
    { isMoving: (batch) => isUnderWay(batch) || mayStillMove(batch) },
  );
  return (
    <DetailOf reading={reading}>
      {(batch) => (
        <Detail
          kind={t("kind.PaymentBatch")}
          isAmount
          lead={sumOf(batch)}
          under={nameOf(batch)}
          state={<StatePill state={batch.status} />}
          id={batch.id}
          acts={<Acts batch={batch} />}
          json={batch}
          path={`/payment-batches/${batch.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview batch={batch} /> },
            {
              id: "items",
              title: t("batches.items"),
              content: <ResourceList spec={itemList(batch.id)} isEmbedded isBeside />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

/** Payments of the batch are under way. */
const mayStillMove = ({ counts }: Batch) => counts.completed + counts.failed < counts.accepted;

function Overview({ batch }: { readonly batch: Batch }) {
  const { counts, mode, scheduledFor, completedAt, error } = batch;
  return (
    <div className="flex flex-col gap-5">
      {error !== undefined && <NotRun error={error} />}
      {!isScheduled(batch) && <Progress counts={counts} />}
      {counts.refused > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <FileLink
            path={`/payment-batches/${batch.id}/items.csv`}
            query={{ status: "REFUSED" }}
            text={t("batches.saveRefused", { count: counts.refused })}
          />
          <span className="text-caption text-soft">{t("batches.saveHint")}</span>
        </div>
      )}
      <Facts
        facts={[
          [t("batches.payments"), counts.total],
          [t("batches.mode"), wordOf("batchMode", mode)],
          [t("column.created"), <Time key="created" at={batch.createdAt} isExact />],
          scheduledFor !== undefined && [
            t("batches.runsAt"),
            <Time key="scheduled" at={scheduledFor} isExact />,
          ],
          completedAt !== undefined && [
            t("batches.ended"),
            <Time key="ended" at={completedAt} isExact />,
          ],
        ]}
      />
    </div>
  );
}

function itemList(id: string): ListSpec<"listPaymentBatchItems"> {
  return {
    name: "batch-items",
    title: "batches.items",
    call: (query) =>
      ({
        method: "GET",
        path: ["payment-batches", id, "items"],
        query,
      }) as Call<"listPaymentBatchItems">,
    rowId: ({ index }) => String(index),
    columns: [
      {
        id: "reference",
        title: "column.reference",
        cell: ({ reference }) => <OutsideWord text={reference} />,
      },
      { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
      {
        id: "payment",
        title: "kind.Transaction",
        cell: ({ transactionId }) => transactionId && <IdLink id={transactionId} />,
      },
      {
        id: "why",
        title: "batches.why",
        cell: ({ error }) => error && <OutsideText text={error.message} />,
      },
    ],
    tabs: [
      { id: "all", title: "tab.all", query: {} },
      { id: "refused", title: "batches.refused", query: { status: "REFUSED" } },
      { id: "waiting", title: "batches.waiting", query: { status: "WAITING" } },
    ],
    filters: [],
    isMoving: ({ status }) => status === "WAITING",
    card: ({ reference, status, error }) => ({
      lead: <OutsideWord text={reference} />,
      under: error === undefined ? "" : <OutsideText text={error.message} />,
      end: <StatePill state={status} />,
    }),
    empty: "batches.noItems",
  };
}

function Acts({ batch }: { readonly batch: Batch }) {
  const may = useMay("payments.create");
  if (!may || !isUnderWay(batch)) return undefined;
  return (
    <ActButton spec={cancel(batch)} weight="danger">
      {t("batches.cancel")}
    </ActButton>
  );
}

function cancel({ id, counts }: Batch): ActSpec<"cancelPaymentBatch"> {
  return {
    title: t("batches.cancel"),
    verb: t("batches.cancel"),
    intro: t("batches.cancelIntro", { count: counts.waiting }),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "POST", path: ["payment-batches", id, "cancel"] }),
  };
}
