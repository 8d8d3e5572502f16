import type { ExternalAccount } from "@florin/client";
import { useNavigate, useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, usePlatform, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, memberFacts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import { ResourceList } from "../../list/resource-list.tsx";
import { accountTypeWord } from "../../text/field-word.ts";
import { t } from "../../text/messages.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { OutsideText } from "../../ui/values.tsx";
import { paymentList } from "../payments/payment-list.tsx";
import { createExternal } from "./external-create.ts";
import { externalList, holderOf } from "./external-list.tsx";

const spec = externalList();

export function ExternalAccountsPage() {
  return <ListPage spec={spec} place="external-accounts" acts={<NewExternalAccount />} />;
}

/** Creates an external account of one customer, or of the owner that is chosen in the form. */
export function NewExternalAccount({ customerId }: { readonly customerId?: string }) {
  const may = useMay("external-accounts.write");
  const { environment, slug } = usePlatform();
  const navigate = useNavigate();
  if (!may) return undefined;
  const create = createExternal({
    customerId,
    isSandbox: environment === "SANDBOX",
    onDone: (id) => void navigate({ to: `/p/${slug}/external-accounts/${id}` }),
  });
  return (
    <ActButton spec={create} act="new" weight={customerId === undefined ? "primary" : "plain"}>
      {t("external.new")}
    </ActButton>
  );
}

export function ExternalAccountDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const mayWrite = useMay("external-accounts.write");
  const reading = useRead<"getCustomerExternalAccount">({
    method: "GET",
    path: ["customers", "external-accounts", id],
  });
  return (
    <DetailOf reading={reading}>
      {(account) => (
        <Detail
          kind={t("kind.ExternalAccount")}
          lead={
            <OutsideText
              text={holderOf(account) ?? accountTypeWord(account.accountInfo.accountType)}
            />
          }
          under={`${account.currency} \u00b7 ${accountTypeWord(account.accountInfo.accountType)}`}
          state={<StatePill state={account.status} />}
          id={account.id}
          acts={
            mayWrite ? (
              <ActButton spec={remove(account)} weight="danger">
                {t("act.delete")}
              </ActButton>
            ) : undefined
          }
          json={account}
          path={`/customers/external-accounts/${account.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview account={account} />,
            },
            {
              id: "payments",
              title: t("payments.title"),
              content: (
                <ResourceList
                  spec={paymentList({ accountIdentifier: account.id })}
                  isEmbedded
                  isBeside
                />
              ),
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ account }: { readonly account: ExternalAccount }) {
  const { customerId, beneficiaryVerificationStatus: check } = account;
  return (
    <>
      <Facts
        facts={[
          customerId !== null && [t("column.customer"), <IdLink key="customer" id={customerId} />],
          check !== undefined && [t("external.check"), <StatePill key="check" state={check} />],
        ]}
      />
      <Section title={t("external.details")}>
        <Facts facts={memberFacts(account.accountInfo)} />
      </Section>
    </>
  );
}

function remove(account: ExternalAccount): ActSpec<"deleteCustomerExternalAccount"> {
  return {
    title: t("external.delete"),
    verb: t("act.delete"),
    intro: t("external.deleteIntro"),
    isDanger: true,
    typedName: holderOf(account) ?? accountTypeWord(account.accountInfo.accountType),
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["customers", "external-accounts", account.id] }),
  };
}
