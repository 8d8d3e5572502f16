import { useParams } from "@tanstack/react-router";
import { useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts } from "../../../detail/facts.tsx";
import { ListPage } from "../../../detail/list-page.tsx";
import { ResourceList } from "../../../list/resource-list.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { IdLink } from "../../../ui/place-link.tsx";
import { Amount, Time } from "../../../ui/values.tsx";
import { entryList } from "./entry-list.tsx";
import { ledgerList } from "./ledger-list.tsx";
import { Prove } from "./proof/prove.tsx";
import { Sums } from "./sums.tsx";

export function LedgerPage() {
  return <ListPage spec={ledgerList} place="ledger" above={<Sums />} />;
}

/** Finds the account by its id in the list of accounts, because there is no operation for one account. */
export function LedgerAccountDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"listLedgerEntries">({
    method: "GET",
    path: ["ledger", "accounts", id, "entries"],
    query: { limit: 1 },
  });
  return (
    <DetailOf reading={reading}>
      {({ data: [latest] }) => (
        <Detail
          kind={t("kind.LedgerAccount")}
          lead={
            latest === undefined ? t("ledger.noEntry") : <Amount amount={latest.balanceAfter} />
          }
          id={id}
          json={latest ?? {}}
          path={`/ledger/accounts/${id}/entries`}
          tabs={[
            {
              id: "entries",
              title: t("ledger.entries"),
              content: <ResourceList spec={entryList(id)} isEmbedded isBeside />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

export function PostingDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getPosting">({ method: "GET", path: ["ledger", "postings", id] });
  return (
    <DetailOf reading={reading}>
      {(posting) => (
        <Detail
          kind={t("kind.Posting")}
          lead={<span className="font-mono text-section">{posting.reason}</span>}
          under={wordOf("posting", posting.reason)}
          id={posting.id}
          acts={<Prove seqs={[posting.commandSeq]} />}
          json={posting}
          path={`/ledger/postings/${posting.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: (
                <>
                  <Facts
                    facts={[
                      [t("column.time"), <Time key="time" at={posting.at} isExact />],
                      [t("ledger.command"), String(posting.commandSeq)],
                      posting.transactionId !== undefined && [
                        t("kind.Transaction"),
                        <IdLink key="payment" id={posting.transactionId} />,
                      ],
                    ]}
                  />
                  <h2 className="pt-5 pb-1 text-form font-semibold">{t("postings.legs")}</h2>
                  <ul>
                    {posting.legs.map((leg) => (
                      <li
                        key={leg.line}
                        className="flex items-center justify-between gap-3 border-line border-b py-2"
                      >
                        <IdLink id={leg.accountId} />
                        <Amount amount={leg.amount} isStrong />
                      </li>
                    ))}
                  </ul>
                  <p className="pt-2 text-caption text-soft">{t("postings.zero")}</p>
                </>
              ),
            },
          ]}
        />
      )}
    </DetailOf>
  );
}
