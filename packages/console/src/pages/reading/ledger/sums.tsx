/** The sums of the accounts of each kind, by currency. The total of each currency must be zero, and is shown. */
import type { AnswerOf } from "../../../api/operations.ts";
import { useRead } from "../../../api/platform.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { Waiting } from "../../../ui/states.tsx";
import { Amount } from "../../../ui/values.tsx";

type Balances = AnswerOf<"getLedgerBalances">["balances"];

export function Sums() {
  const reading = useRead<"getLedgerBalances">({ method: "GET", path: ["ledger", "balances"] });
  return (
    <details className="mb-4 rounded-panel border border-line">
      <summary className="cursor-pointer px-3 py-2 text-body font-medium">
        {t("ledger.sums")}
      </summary>
      <div className="border-line border-t px-3 py-2">
        <Waiting reading={reading} rows={4}>
          {({ balances, commandSeq }) => <Table balances={balances} commandSeq={commandSeq} />}
        </Waiting>
      </div>
    </details>
  );
}

function Table({
  balances,
  commandSeq,
}: {
  readonly balances: Balances;
  readonly commandSeq: number;
}) {
  const currencies = [...new Set(balances.map(({ balance }) => balance.currency))].sort();
  return (
    <>
      <div className="grid gap-x-8 gap-y-4 rail:grid-cols-2 wide:grid-cols-3">
        {currencies.map((currency) => {
          const rows = balances.filter(({ balance }) => balance.currency === currency);
          const sum = rows.reduce((total, { balance }) => total + BigInt(balance.amount), 0n);
          return (
            <dl key={currency} className="text-body">
              {rows.map(({ kind, balance }) => (
                <div key={kind} className="flex justify-between gap-4 border-line border-b py-1">
                  <dt className="text-soft">{wordOf("ledgerKind", kind)}</dt>
                  <dd>
                    <Amount amount={balance} />
                  </dd>
                </div>
              ))}
              <div className="flex justify-between gap-4 py-1 font-semibold">
                <dt>{t("ledger.sum")}</dt>
                <dd>
                  <Amount amount={{ amount: sum.toString(), currency }} isStrong />
                </dd>
              </div>
            </dl>
          );
        })}
      </div>
      <p className="pt-2 text-caption text-soft">{t("ledger.asOf", { seq: commandSeq })}</p>
    </>
  );
}
