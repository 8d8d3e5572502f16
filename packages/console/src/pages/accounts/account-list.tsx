import type { InternalAccount } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import type { Column, Filter, ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink, IdText, ObjectName } from "../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";

const columns: readonly Column<InternalAccount>[] = [
  {
    id: "available",
    title: "accounts.available",
    isEnd: true,
    cell: ({ balance }) => <Amount amount={balance} isStrong />,
  },
  {
    id: "held",
    title: "accounts.held",
    isEnd: true,
    cell: (row) => <Amount amount={heldOf(row)} />,
  },
  {
    id: "customer",
    title: "column.customer",
    cell: ({ customerId }) =>
      customerId === undefined ? (
        <span className="text-soft">{t("payments.platform")}</span>
      ) : (
        <IdLink id={customerId} />
      ),
  },
  {
    id: "name",
    title: "column.name",
    cell: ({ name }) =>
      name === undefined ? (
        <span className="text-soft">{t("accounts.default")}</span>
      ) : (
        <OutsideText text={name} />
      ),
  },
  { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
  { id: "type", title: "column.type", cell: ({ type }) => wordOf("accountKind", type) },
  { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
  {
    id: "created",
    title: "column.created",
    isEnd: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Money that has left the available balance but is still in the total balance. */
export function heldOf({ balance, totalBalance }: InternalAccount) {
  return { amount: totalBalance.amount - balance.amount, currency: balance.currency };
}

const filters: readonly Filter[] = [
  { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
  {
    name: "type",
    label: "column.type",
    kind: "choice",
    choices: stateChoices(["INTERNAL_FIAT", "INTERNAL_CRYPTO", "EMBEDDED_WALLET"], "accountKind"),
  },
];

const shared = {
  name: "accounts",
  title: "accounts.title",
  columns,
  rowId: ({ id }: InternalAccount) => id,
  place: ({ id }: InternalAccount) => `accounts/${id}`,
  card: (row: InternalAccount) => ({
    lead: <Amount amount={row.balance} isStrong />,
    under:
      row.customerId === undefined ? t("payments.platform") : <ObjectName id={row.customerId} />,
    end: <StatePill state={row.status} />,
    endUnder:
      row.name === undefined ? wordOf("accountKind", row.type) : <OutsideText text={row.name} />,
  }),
  empty: "accounts.empty",
} as const;

export const customerAccounts: ListSpec<"listCustomerInternalAccounts"> = {
  ...shared,
  call: (query) =>
    ({
      method: "GET",
      path: ["customers", "internal-accounts"],
      query,
    }) as Call<"listCustomerInternalAccounts">,
  search: "accounts.search",
  byMetadata: true,
  filters: [
    ...filters,
    { name: "customerId", label: "column.customer", kind: "text", placeholder: "Customer:" },
  ],
  curl: "/customers/internal-accounts",
};

export const platformAccounts: ListSpec<"listPlatformInternalAccounts"> = {
  ...shared,
  call: (query) =>
    ({
      method: "GET",
      path: ["platform", "internal-accounts"],
      query,
    }) as Call<"listPlatformInternalAccounts">,
  byMetadata: true,
  filters,
  curl: "/platform/internal-accounts",
};
