/** The verifications that wait for a decision, the oldest first. A case takes the whole page. */
import { Outlet, useParams } from "@tanstack/react-router";
import type { Call } from "../../api/operations.ts";
import { BackContext } from "../../detail/detail.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdText } from "../../ui/place-link.tsx";
import { Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";

const spec: ListSpec<"listVerificationCases"> = {
  name: "verifications",
  title: "cases.title",
  call: (query) =>
    ({ method: "GET", path: ["verifications", "queue"], query }) as Call<"listVerificationCases">,
  rowId: ({ id }) => id,
  place: ({ id }) => `verifications/${id}`,
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

export function VerificationsPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  if (id === undefined) return <ResourceList spec={spec} />;
  return (
    <BackContext value="verifications">
      <Outlet />
    </BackContext>
  );
}
