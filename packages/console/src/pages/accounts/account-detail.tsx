import type { InternalAccount } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import { FreezeButton } from "../../act/freeze.tsx";
import { useMay, usePlatform, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { type Fact, Facts, memberFacts, Section } from "../../detail/facts.tsx";
import { ResourceList } from "../../list/resource-list.tsx";
import { accountTypeWord } from "../../text/field-word.ts";
import { t, wordOf } from "../../text/messages.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink, ObjectName } from "../../ui/place-link.tsx";
import type { TabSpec } from "../../ui/tabs.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";
import { HoldsOfAccount } from "../payments/holds/holds-page.tsx";
import { paymentList } from "../payments/payment-list.tsx";
import { fundSpec } from "../platforms/sandbox/fund.ts";
import { entryList } from "../reading/ledger/entry-list.tsx";
import { heldOf } from "./account-list.tsx";
import { adjustmentList, adjustSpec } from "./adjustments.tsx";
import { OwnAccountActs } from "./own-accounts.tsx";
import { Statements } from "./statements.tsx";

export function AccountDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getInternalAccount">({ method: "GET", path: ["internal-accounts", id] });
  return (
    <DetailOf reading={reading}>
      {(account) => (
        <Detail
          kind={t("kind.InternalAccount")}
          isAmount
          lead={<Amount amount={account.balance} />}
          under={<Under account={account} />}
          state={<StatePill state={account.status} />}
          id={account.id}
          acts={<Acts account={account} />}
          json={account}
          path={`/internal-accounts/${account.id}`}
          tabs={tabsOf(account)}
        />
      )}
    </DetailOf>
  );
}

function tabsOf(account: InternalAccount): readonly TabSpec[] {
  return [
    {
      id: "overview",
      title: t("detail.overview"),
      content: <Overview account={account} />,
    },
    {
      id: "entries",
      title: t("ledger.entries"),
      content: (
        // The ledger account has the same uuid as the internal account.
        <ResourceList
          spec={entryList(account.id.replace("InternalAccount:", "LedgerAccount:"))}
          isEmbedded
          isBeside
        />
      ),
    },
    {
      id: "adjustments",
      title: t("adjustments.title"),
      content: <ResourceList spec={adjustmentList(account.id)} isEmbedded isBeside />,
    },
    {
      id: "holds",
      title: t("holds.title"),
      content: <HoldsOfAccount account={account} />,
    },
    {
      id: "statements",
      title: t("statements.title"),
      content: <Statements accountId={account.id} />,
    },
    {
      id: "payments",
      title: t("payments.title"),
      content: (
        <ResourceList spec={paymentList({ accountIdentifier: account.id })} isEmbedded isBeside />
      ),
    },
  ];
}

/** The holder, the kind, and the name of an account beside the default one. */
function Under({ account: { customerId, type, name } }: { readonly account: InternalAccount }) {
  return (
    <>
      {customerId === undefined ? t("payments.platform") : <ObjectName id={customerId} />}
      {` \u00b7 ${wordOf("accountKind", type)}`}
      {name !== undefined && (
        <>
          {" \u00b7 "}
          <OutsideText text={name} />
        </>
      )}
    </>
  );
}

function Overview({ account }: { readonly account: InternalAccount }) {
  const { customerId, frozen, fundingPaymentInstructions } = account;
  return (
    <>
      <Facts
        facts={[
          [t("accounts.available"), <Amount key="balance" amount={account.balance} isStrong />],
          [t("accounts.held"), <Amount key="held" amount={heldOf(account)} />],
          [t("accounts.total"), <Amount key="total" amount={account.totalBalance} />],
          [
            t("column.customer"),
            customerId === undefined ? (
              t("payments.platform")
            ) : (
              <IdLink key="customer" id={customerId} />
            ),
          ],
          frozen !== undefined && [
            t("customers.frozen"),
            <span key="frozen">
              {wordOf("freezeReason", frozen.reason)} <Time at={frozen.since} />
            </span>,
          ],
          [t("column.created"), <Time key="created" at={account.createdAt} isExact />],
        ]}
      />
      {fundingPaymentInstructions.map((instruction) => (
        <Section
          key={JSON.stringify(instruction.accountOrWalletInfo)}
          title={t("accounts.funding", {
            type: accountTypeWord(instruction.accountOrWalletInfo.accountType),
          })}
        >
          <Facts facts={instructionFacts(instruction)} />
        </Section>
      ))}
    </>
  );
}

/** The payment instructions for a payer, with the bank's note. */
function instructionFacts({
  accountOrWalletInfo: { accountType: _, ...info },
  instructionsNotes,
}: InternalAccount["fundingPaymentInstructions"][number]): readonly Fact[] {
  return [
    ...memberFacts(info),
    instructionsNotes !== undefined &&
      instructionsNotes !== null && [
        t("form.note"),
        <OutsideText key="note" text={instructionsNotes} />,
      ],
  ];
}

function Acts({ account }: { readonly account: InternalAccount }) {
  const { environment } = usePlatform();
  const mayFund = useMay("sandbox.use") && environment === "SANDBOX";
  const isFrozen = account.frozen !== undefined;
  const mayFreeze = useMay(isFrozen ? "customers.unfreeze" : "customers.freeze");
  const mayAdjust = useMay("adjustments.create");
  const mayChange = useMay("customers.write");
  if (account.status === "CLOSED") return undefined;
  if (!mayFund && !mayFreeze && !mayAdjust && !mayChange) return undefined;
  return (
    <>
      <OwnAccountActs account={account} />
      {mayFund && <ActButton spec={fundSpec(account)}>{t("sandbox.fund")}</ActButton>}
      {mayAdjust && <ActButton spec={adjustSpec(account)}>{t("adjustments.adjust")}</ActButton>}
      {mayFreeze && (
        <FreezeButton
          noun="internal-accounts"
          id={account.id}
          name={account.id.slice(-6)}
          isFrozen={isFrozen}
        />
      )}
    </>
  );
}
