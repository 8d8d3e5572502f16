import type { ExternalAccount } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import type { Column, ListSpec } from "../../list/list-spec.ts";
import { accountTypeWord } from "../../text/field-word.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink, IdText } from "../../ui/place-link.tsx";
import { Missing, OutsideText } from "../../ui/values.tsx";

type Info = Readonly<Record<string, unknown>>;

/** The holder's name, from the account's details. */
export function holderOf({
  accountInfo,
  beneficiaryVerifiedData,
}: ExternalAccount): string | undefined {
  const { beneficiary } = accountInfo as Info;
  const { fullName, legalName } = (beneficiary ?? {}) as Info;
  const name = fullName ?? legalName ?? beneficiaryVerifiedData?.fullName;
  return typeof name === "string" ? name : undefined;
}

const NUMBERS = [
  "iban",
  "accountNumber",
  "clabeNumber",
  "phoneNumber",
  "address",
  "vpa",
  "pixKey",
  "lightningAddress",
  "invoice",
];

/** The last four characters of the account's number or address. */
export function lastDigits({ accountInfo }: ExternalAccount): string | undefined {
  const info = accountInfo as Info;
  const number = NUMBERS.map((name) => info[name]).find((value) => typeof value === "string");
  return typeof number === "string" ? number.slice(-4) : undefined;
}

const columns: readonly Column<ExternalAccount>[] = [
  {
    id: "holder",
    title: "external.holder",
    cell: (row) => (
      <span className="font-medium">
        <OutsideText text={holderOf(row) ?? accountTypeWord(row.accountInfo.accountType)} isLine />
      </span>
    ),
  },
  { id: "currency", title: "column.currency", cell: ({ currency }) => currency },
  {
    id: "type",
    title: "column.type",
    cell: ({ accountInfo }) => accountTypeWord(accountInfo.accountType),
  },
  {
    id: "number",
    title: "external.number",
    cell: (row) => {
      const digits = lastDigits(row);
      return digits === undefined ? (
        <Missing />
      ) : (
        <span className="font-mono text-code">{`\u2022\u2022${digits}`}</span>
      );
    },
  },
  { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
  {
    id: "check",
    title: "external.check",
    cell: ({ beneficiaryVerificationStatus: state }) =>
      state === undefined ? <Missing /> : <StatePill state={state} />,
  },
  {
    id: "customer",
    title: "column.customer",
    cell: ({ customerId }) => (customerId === null ? <Missing /> : <IdLink id={customerId} />),
  },
  { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
];

/** External accounts of all customers, or of one customer when `fixed` names it. */
export function externalList(
  fixed: Readonly<Record<string, string>> = {},
): ListSpec<"listCustomerExternalAccounts"> {
  return {
    name: "external",
    title: "external.title",
    call: (query) =>
      ({
        method: "GET",
        path: ["customers", "external-accounts"],
        query: { ...query, ...fixed },
      }) as Call<"listCustomerExternalAccounts">,
    rowId: ({ id }) => id,
    place: ({ id }) => `external-accounts/${id}`,
    columns,
    ...(fixed.customerId === undefined ? { search: "external.search" } : {}),
    byMetadata: true,
    filters: [
      { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
      ...(fixed.customerId === undefined
        ? ([
            {
              name: "customerId",
              label: "column.customer",
              kind: "text",
              placeholder: "Customer:",
            },
          ] as const)
        : []),
    ],
    card: (row) => ({
      lead: (
        <span className="font-medium text-ink">
          <OutsideText
            text={holderOf(row) ?? accountTypeWord(row.accountInfo.accountType)}
            isLine
          />
        </span>
      ),
      under: `${accountTypeWord(row.accountInfo.accountType)} \u2022\u2022${lastDigits(row) ?? ""}`,
      end: <StatePill state={row.status} />,
      endUnder: row.currency,
    }),
    empty: "external.empty",
    curl: "/customers/external-accounts",
  };
}
