/** Deletes a customer. When the server refuses, the dialog lists the accounts that block the deletion. */
import type { Customer } from "@florin/client";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Amount } from "../../ui/values.tsx";
import { customerName } from "./customer-list.tsx";

export function deleteCustomer(customer: Customer): ActSpec<"deleteCustomer"> {
  return {
    title: t("customers.delete"),
    verb: t("act.delete"),
    intro: <Intro customerId={customer.id} />,
    isDanger: true,
    typedName: customerName(customer),
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["customers", customer.id] }),
  };
}

function Intro({ customerId }: { readonly customerId: string }) {
  const mayRead = useMay("accounts.read");
  return (
    <>
      <p>{t("customers.deleteIntro")}</p>
      {mayRead && <Holding customerId={customerId} />}
    </>
  );
}

function Holding({ customerId }: { readonly customerId: string }) {
  const reading = useRead<"listCustomerInternalAccounts">({
    method: "GET",
    path: ["customers", "internal-accounts"],
    query: { customerId, limit: 100 },
  });
  return (
    <Waiting reading={reading} rows={1}>
      {({ data }) => {
        const holding = data.filter(({ totalBalance }) => totalBalance.amount > 0);
        if (holding.length === 0) return null;
        return (
          <>
            <p className="pt-3 font-medium text-ink">{t("customers.holding")}</p>
            <ul>
              {holding.map(({ id, totalBalance }) => (
                <li
                  key={id}
                  className="flex items-center justify-between gap-3 border-line border-b py-1.5"
                >
                  <IdLink id={id} />
                  <Amount amount={totalBalance} />
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Waiting>
  );
}
