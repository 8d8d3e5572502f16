/** The queue of verifications to decide, oldest first. A case takes the whole page. */
import { Outlet, useParams } from "@tanstack/react-router";
import type { Call } from "../../../api/operations.ts";
import { BackContext } from "../../../detail/detail.tsx";
import type { ListQuery, ListSpec } from "../../../list/list-spec.ts";
import { ResourceList } from "../../../list/resource-list.tsx";
import { wordOf } from "../../../text/messages.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { ForeignIdsContext, IdText } from "../../../ui/place-link.tsx";
import { Missing, OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { SystemTabs } from "../../platforms/system/system-tabs.tsx";
import { type CasePlace, CasePlaceContext, operatorsCases, ownCases } from "./case-place.ts";

const callOf = (path: CasePlace["queue"]) => (query: ListQuery) =>
  ({ method: "GET", path, query }) as Call<"listVerificationCases">;

const spec: ListSpec<"listVerificationCases"> = {
  name: "verifications",
  title: "cases.title",
  call: callOf(ownCases.queue),
  rowId: ({ id }) => id,
  place: ownCases.pageOf,
  columns: [
    {
      id: "customer",
      title: "column.customer",
      cell: ({ customerName, customerId }) => (
        <span className="font-medium">
          <OutsideText text={customerName === "" ? customerId : customerName} isLine />
        </span>
      ),
    },
    {
      id: "type",
      title: "column.type",
      cell: ({ customerType }) => wordOf("customerType", customerType),
    },
    {
      id: "state",
      title: "column.status",
      cell: ({ verificationStatus }) => <StatePill state={verificationStatus} />,
    },
    {
      id: "taken",
      title: "cases.taken",
      cell: ({ takenBy }) =>
        takenBy === undefined ? <Missing /> : <OutsideText text={takenBy.name} isLine />,
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
    {
      id: "since",
      title: "cases.waiting",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  tabs: [
    { id: "all", title: "tab.all", query: {} },
    { id: "mine", title: "tab.mine", query: { assigned: "MINE" } },
    { id: "free", title: "tab.free", query: { assigned: "NONE" } },
  ],
  filters: [
    {
      name: "customerType",
      label: "column.type",
      kind: "choice",
      choices: stateChoices(["INDIVIDUAL", "BUSINESS"], "customerType"),
    },
  ],
  card: (row) => ({
    lead: (
      <span className="font-medium text-ink">
        <OutsideText text={row.customerName === "" ? row.customerId : row.customerName} isLine />
      </span>
    ),
    under:
      row.takenBy === undefined ? (
        wordOf("customerType", row.customerType)
      ) : (
        <OutsideWord text={row.takenBy.name} />
      ),
    end: <StatePill state={row.verificationStatus} />,
    endUnder: <Time at={row.createdAt} />,
  }),
  empty: "cases.empty",
  curl: "/verifications",
};

/** The queue of all platforms that delegate their verifications to operators. */
const operatorsSpec: ListSpec<"listVerificationCases"> = {
  ...spec,
  name: "system-verifications",
  title: "system.title",
  call: callOf(operatorsCases.queue),
  place: operatorsCases.pageOf,
  columns: spec.columns.flatMap((column) =>
    column.id === "customer"
      ? [
          column,
          {
            id: "platform",
            title: "system.platform",
            cell: ({ platform }) =>
              platform === undefined ? <Missing /> : <OutsideText text={platform.name} isLine />,
          },
        ]
      : [column],
  ),
  filters: [],
  card: (row) => ({
    ...spec.card(row),
    under: (
      <OutsideWord
        text={[row.platform?.name, row.takenBy?.name].filter(Boolean).join(" \u00b7 ")}
      />
    ),
  }),
  empty: "system.noVerifications",
  curl: undefined,
};

export function VerificationsPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  if (id === undefined) return <ResourceList spec={spec} />;
  return (
    <BackContext value="verifications">
      <Outlet />
    </BackContext>
  );
}

export function SystemVerificationsPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  if (id === undefined) return <ResourceList spec={operatorsSpec} above={<SystemTabs />} />;
  return (
    <CasePlaceContext value={operatorsCases}>
      <ForeignIdsContext value={true}>
        <BackContext value={operatorsCases.list}>
          <Outlet />
        </BackContext>
      </ForeignIdsContext>
    </CasePlaceContext>
  );
}
