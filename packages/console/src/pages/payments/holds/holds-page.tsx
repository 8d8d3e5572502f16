/** Holds: money of accounts that is set aside for payments that come later. */
import type { Hold, InternalAccount } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { Call } from "../../../api/operations.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import { PartyName, partyName } from "../../../ui/party.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Amount, OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { captureSpec, holdSpec, releaseSpec } from "./hold-acts.tsx";

type HoldColumn = ListSpec<"listHolds">["columns"][number];

const accountColumn: HoldColumn = {
  id: "account",
  title: "column.account",
  cell: ({ parties }) => <PartyName party={parties?.from} />,
};

const columns: readonly HoldColumn[] = [
  {
    id: "held",
    title: "holds.held",
    isEnd: true,
    cell: ({ heldAmount }) => <Amount amount={heldAmount} isStrong />,
  },
  { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
  {
    id: "expires",
    title: "holds.ends",
    isEnd: true,
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
  {
    id: "description",
    title: "payments.description",
    cell: ({ description }) =>
      description === undefined ? null : <OutsideText text={description} isLine />,
  },
  {
    id: "amount",
    title: "holds.ofAmount",
    isEnd: true,
    cell: ({ amount }) => <Amount amount={amount} />,
  },
  {
    id: "created",
    title: "column.created",
    isEnd: true,
    isExtra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

const shared = {
  title: "holds.title",
  rowId: ({ id }: Hold) => id,
  place: ({ id }: Hold) => `holds/${id}`,
  tabs: [
    { id: "open", title: "tab.open", query: { status: "OPEN" } },
    { id: "captured", title: "tab.captured", query: { status: "CAPTURED" } },
    { id: "released", title: "tab.released", query: { status: "RELEASED" } },
    { id: "expired", title: "tab.expired", query: { status: "EXPIRED" } },
    { id: "all", title: "tab.all", query: {} },
  ],
  card: (row: Hold) => ({
    lead: <Amount amount={row.heldAmount} isStrong />,
    under: <OutsideWord text={row.description ?? partyName(row.parties?.from)} />,
    end: <StatePill state={row.status} />,
    endUnder: <Time at={row.expiresAt} />,
  }),
  empty: "holds.empty",
} as const;

const readHolds = (query: object) =>
  ({
    method: "GET",
    path: ["holds"],
    query: { ...query, expand: "parties" },
  }) as Call<"listHolds">;

const [held, status, ...others] = columns as readonly [HoldColumn, HoldColumn, ...HoldColumn[]];

const allHolds: ListSpec<"listHolds"> = {
  ...shared,
  name: "holds",
  call: readHolds,
  columns: [held, status, accountColumn, ...others],
  byMetadata: true,
  filters: [
    {
      name: "internalAccountId",
      label: "column.account",
      kind: "text",
      placeholder: "InternalAccount:",
    },
  ],
  curl: "/holds",
};

const holdsOf = (accountId: string): ListSpec<"listHolds"> => ({
  ...shared,
  name: "holds-of-account",
  call: (query) => readHolds({ ...query, internalAccountId: accountId }),
  columns,
  filters: [],
  curl: `/internal-accounts/${accountId}/holds`,
});

export function HoldsPage() {
  return <ListPage spec={allHolds} place="holds" />;
}

/** The holds on the page of an account. */
export function HoldsOfAccount({ account }: { readonly account: InternalAccount }) {
  const may = useMay("payments.create");
  return (
    <>
      {may && account.type !== "EMBEDDED_WALLET" && (
        <div className="flex justify-end pt-3">
          <ActButton spec={holdSpec(account)}>{t("holds.hold")}</ActButton>
        </div>
      )}
      <ResourceList spec={holdsOf(account.id)} isEmbedded isBeside />
    </>
  );
}

export function HoldDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getHold">({ method: "GET", path: ["holds", id] });
  return (
    <DetailOf reading={reading}>
      {(hold) => (
        <Detail
          kind={t("kind.Hold")}
          isAmount
          lead={<Amount amount={hold.heldAmount} />}
          under={t("holds.heldOf", { whole: amountLine(hold.amount) })}
          state={<StatePill state={hold.status} />}
          id={hold.id}
          acts={<Acts hold={hold} />}
          json={hold}
          path={`/holds/${hold.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview hold={hold} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ hold }: { readonly hold: Hold }) {
  const { description, transactionIds } = hold;
  return (
    <>
      <Facts
        facts={[
          [t("column.account"), <IdLink key="account" id={hold.internalAccountId} />],
          description !== undefined && [
            t("payments.description"),
            <OutsideText key="description" text={description} />,
          ],
          [t("holds.ofAmount"), <Amount key="amount" amount={hold.amount} />],
          [t("holds.captured"), <Amount key="captured" amount={hold.capturedAmount} />],
          [t("holds.held"), <Amount key="held" amount={hold.heldAmount} isStrong />],
          [t("holds.ends"), <Time key="ends" at={hold.expiresAt} isExact />],
          [t("column.created"), <Time key="created" at={hold.createdAt} isExact />],
          [t("column.updated"), <Time key="updated" at={hold.updatedAt} isExact />],
        ]}
      />
      {transactionIds.length > 0 && (
        <Section title={t("holds.payments")}>
          <ul className="flex flex-col gap-1.5 text-form">
            {transactionIds.map((paymentId) => (
              <li key={paymentId}>
                <IdLink id={paymentId} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Acts({ hold }: { readonly hold: Hold }) {
  const may = useMay("payments.create");
  if (hold.status !== "OPEN" || !may) return undefined;
  return (
    <>
      <ActButton spec={captureSpec(hold)} act="capture" weight="primary">
        {t("holds.capture")}
      </ActButton>
      <ActButton spec={releaseSpec(hold)} act="release">
        {t("holds.release")}
      </ActButton>
    </>
  );
}
