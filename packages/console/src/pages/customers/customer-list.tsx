import type { Customer } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { isUuid } from "../../std/ids.ts";
import { wordOf } from "../../text/messages.ts";
import { stateChoices, yesNo } from "../../ui/choices.ts";
import { Pill, StatePill } from "../../ui/pill.tsx";
import { IdText } from "../../ui/place-link.tsx";
import { Missing, OutsideText, Time } from "../../ui/values.tsx";

export function customerName(customer: Customer): string {
  if ("businessInfo" in customer && customer.businessInfo?.legalName !== undefined) {
    return customer.businessInfo.legalName;
  }
  if ("fullName" in customer && customer.fullName !== undefined) return customer.fullName;
  return customer.platformCustomerId;
}

export function verificationOf(customer: Customer): string | undefined {
  if ("kybStatus" in customer && customer.kybStatus !== undefined) return customer.kybStatus;
  return "kycStatus" in customer ? customer.kycStatus : undefined;
}

export function CustomerState({ customer }: { readonly customer: Customer }) {
  const state = verificationOf(customer);
  if (customer.frozen !== undefined) return <Pill word={wordOf("state", "FROZEN")} tone="bad" />;
  return state === undefined ? <Missing /> : <StatePill state={state} />;
}

export const customerList: ListSpec<"listCustomers"> = {
  name: "customers",
  title: "customers.title",
  call: (query) => ({ method: "GET", path: ["customers"], query }) as Call<"listCustomers">,
  rowId: ({ id }) => id,
  place: ({ id }) => `customers/${id}`,
  columns: [
    {
      id: "name",
      title: "column.name",
      cell: (row) => (
        <span className="font-medium">
          <OutsideText text={customerName(row)} isLine />
        </span>
      ),
    },
    {
      id: "type",
      title: "column.type",
      cell: ({ customerType }) => wordOf("customerType", customerType),
    },
    { id: "status", title: "column.status", cell: (row) => <CustomerState customer={row} /> },
    {
      id: "yourId",
      title: "column.yourId",
      cell: ({ platformCustomerId }) =>
        isUuid(platformCustomerId) ? (
          <Missing />
        ) : (
          <span className="font-mono text-code text-soft">
            <OutsideText text={platformCustomerId} isLine />
          </span>
        ),
    },
    {
      id: "currencies",
      title: "column.currencies",
      cell: ({ currencies }) => <span className="block truncate">{currencies.join(" ")}</span>,
    },
    {
      id: "frozen",
      title: "customers.frozen",
      isExtra: true,
      cell: ({ frozen }) => (frozen === undefined ? <Missing /> : <Time at={frozen.since} />),
    },
    {
      id: "region",
      title: "column.region",
      isExtra: true,
      cell: ({ region }) => region ?? <Missing />,
    },
    {
      id: "uma",
      title: "column.uma",
      isExtra: true,
      cell: ({ umaAddress }) => <OutsideText text={umaAddress} isLine />,
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  search: "customers.search",
  byMetadata: true,
  filters: [
    { name: "name", label: "column.name", kind: "text" },
    {
      name: "verificationStatus",
      label: "customers.verification",
      kind: "choice",
      choices: stateChoices(["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"]),
    },
    { name: "isFrozen", label: "customers.frozen", kind: "choice", choices: yesNo },
    { name: "hasBalance", label: "customers.hasBalance", kind: "choice", choices: yesNo },
    {
      name: "customerType",
      label: "column.type",
      kind: "choice",
      choices: stateChoices(["INDIVIDUAL", "BUSINESS"], "customerType"),
    },
    { name: "platformCustomerId", label: "column.yourId", kind: "text" },
    { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
    { name: "region", label: "column.region", kind: "text", placeholder: "US" },
    { name: "umaAddress", label: "column.uma", kind: "text", placeholder: "$name@domain" },
    {
      name: "isIncludingDeleted",
      label: "customers.deleted",
      kind: "choice",
      choices: [{ value: "true", label: wordOf("word", "yes") }],
    },
    { name: "createdAfter", label: "column.created", kind: "period" },
  ],
  card: (row) => ({
    lead: (
      <span className="font-medium text-ink">
        <OutsideText text={customerName(row)} isLine />
      </span>
    ),
    under: wordOf("customerType", row.customerType),
    end: <CustomerState customer={row} />,
    endUnder: <Time at={row.createdAt} />,
  }),
  empty: "customers.empty",
  curl: "/customers",
};
