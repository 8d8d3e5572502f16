import type { Customer } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { type Fact, Facts, Section } from "../../detail/facts.tsx";
import { ResourceList } from "../../list/resource-list.tsx";
import { isUuid } from "../../std/ids.ts";
import { t, wordOf } from "../../text/messages.ts";
import { StatePill } from "../../ui/pill.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { Waiting } from "../../ui/states.tsx";
import type { TabSpec } from "../../ui/tabs.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";
import { externalList } from "../accounts/external-list.tsx";
import { NewExternalAccount } from "../accounts/external-page.tsx";
import { OpenAccount } from "../accounts/own-accounts.tsx";
import { agentList } from "../agents/agent-list.tsx";
import { NewAgent } from "../agents/agents-page.tsx";
import { eventList } from "../events/event-list.tsx";
import { paymentList } from "../payments/payment-list.tsx";
import { CustomerActs } from "./customer-acts.tsx";
import { CustomerState, customerName } from "./customer-list.tsx";
import { DocumentBench } from "./documents/document-bench.tsx";
import { Notes } from "./notes.tsx";
import { OwnersOf } from "./owners.tsx";

export function CustomerDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getCustomer">({ method: "GET", path: ["customers", id] });
  return (
    <DetailOf reading={reading}>
      {(customer) => (
        <Detail
          kind={t("kind.Customer")}
          lead={<OutsideText text={customerName(customer)} />}
          under={wordOf("customerType", customer.customerType)}
          state={<CustomerState customer={customer} />}
          id={customer.id}
          acts={<CustomerActs customer={customer} />}
          json={customer}
          path={`/customers/${customer.id}`}
          tabs={tabsOf(customer)}
        />
      )}
    </DetailOf>
  );
}

function tabsOf(customer: Customer): readonly TabSpec[] {
  const { id } = customer;
  return [
    {
      id: "overview",
      title: t("detail.overview"),
      content: <Overview customer={customer} />,
    },
    {
      id: "payments",
      title: t("payments.title"),
      content: <ResourceList spec={paymentList({ customerId: id })} isEmbedded isBeside />,
    },
    {
      id: "external",
      title: t("external.title"),
      content: (
        <>
          <div className="flex justify-end pb-3">
            <NewExternalAccount customerId={id} />
          </div>
          <ResourceList spec={externalList({ customerId: id })} isEmbedded isBeside />
        </>
      ),
    },
    ...(customer.customerType === "BUSINESS"
      ? [
          {
            id: "owners",
            title: t("customers.owners"),
            content: <OwnersOf customerId={id} />,
          },
        ]
      : []),
    {
      id: "documents",
      title: t("documents.title"),
      content: <DocumentBench of={{ customerId: id }} />,
    },
    {
      id: "agents",
      title: t("agents.title"),
      content: (
        <>
          <div className="flex justify-end pb-3">
            <NewAgent customerId={id} />
          </div>
          <ResourceList spec={agentList({ customerId: id })} isEmbedded isBeside />
        </>
      ),
    },
    {
      id: "notes",
      title: t("notes.title"),
      content: <Notes customerId={id} />,
    },
    {
      id: "events",
      title: t("events.title"),
      content: <ResourceList spec={eventList({ resourceId: id })} isEmbedded isBeside />,
    },
  ];
}

function Overview({ customer }: { readonly customer: Customer }) {
  return (
    <>
      <Facts facts={factsOf(customer)} />
      <Section title={t("accounts.title")} act={<OpenAccount customerId={customer.id} />}>
        <Accounts customerId={customer.id} />
      </Section>
      <Section title={t("customers.verifications")}>
        <Verifications customerId={customer.id} />
      </Section>
    </>
  );
}

function factsOf(customer: Customer): readonly Fact[] {
  const { frozen, email, phoneNumber, region } = customer;
  return [
    !isUuid(customer.platformCustomerId) && [
      t("column.yourId"),
      <OutsideText key="yourId" text={customer.platformCustomerId} />,
    ],
    [t("column.uma"), <OutsideText key="uma" text={customer.umaAddress} />],
    email !== undefined && [t("customers.email"), <OutsideText key="email" text={email} />],
    phoneNumber !== undefined && [
      t("customers.phone"),
      <OutsideText key="phone" text={phoneNumber} />,
    ],
    region !== undefined && [t("column.region"), region],
    [t("column.currencies"), customer.currencies.join(" ")],
    frozen !== undefined && [
      t("customers.frozen"),
      <span key="frozen">
        {wordOf("freezeReason", frozen.reason)} {"\u00b7"} {wordOf("freezeScope", frozen.scope)}{" "}
        {"\u00b7"} <Time at={frozen.since} />
      </span>,
    ],
    [t("column.created"), <Time key="created" at={customer.createdAt} isExact />],
    [t("column.updated"), <Time key="updated" at={customer.updatedAt} isExact />],
  ];
}

function Accounts({ customerId }: { readonly customerId: string }) {
  const reading = useRead<"listCustomerInternalAccounts">({
    method: "GET",
    path: ["customers", "internal-accounts"],
    query: { customerId, limit: 100 },
  });
  return (
    <Waiting reading={reading}>
      {({ data }) => (
        <ul>
          {data.map((account) => (
            <li
              key={account.id}
              className="grid grid-cols-[1fr_1fr_auto] items-center gap-3 border-line border-b py-2"
            >
              <PlaceLink place={`accounts/${account.id}`} className="hover:underline">
                <Amount amount={account.balance} isStrong />
              </PlaceLink>
              <span className="text-soft">
                {account.name === undefined ? (
                  wordOf("accountKind", account.type)
                ) : (
                  <OutsideText text={account.name} />
                )}
              </span>
              <StatePill state={account.status} />
            </li>
          ))}
        </ul>
      )}
    </Waiting>
  );
}

function Verifications({ customerId }: { readonly customerId: string }) {
  const reading = useRead<"listVerifications">({
    method: "GET",
    path: ["verifications"],
    query: { customerId, limit: 10 },
  });
  return (
    <Waiting reading={reading}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-soft">{t("customers.noVerification")}</p>
        ) : (
          <ul>
            {data.map((one) => (
              <li key={one.id} className="border-line border-b py-2">
                <div className="flex items-center justify-between gap-3">
                  <StatePill state={one.verificationStatus} />
                  <Time at={one.updatedAt} />
                </div>
                {one.errors.map((error) => (
                  <p
                    key={`${error.resourceId} ${error.type} ${error.field ?? ""}`}
                    className="pt-1 text-caption text-soft"
                  >
                    <OutsideText text={error.reason} />
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )
      }
    </Waiting>
  );
}
