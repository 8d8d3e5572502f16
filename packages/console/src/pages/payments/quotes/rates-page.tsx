/** The present rates from one currency to the others. */
import type { CurrencyCode } from "@florin/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { usePlatform, useRead } from "../../../api/platform.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { decimalsFor, readAmount } from "../../../text/money.ts";
import { Button } from "../../../ui/button.tsx";
import { TextInput } from "../../../ui/fields.tsx";
import { PageHead } from "../../../ui/page-head.tsx";
import { Empty, Waiting } from "../../../ui/states.tsx";
import { Amount, Time } from "../../../ui/values.tsx";

interface Asked {
  readonly from?: string;
  readonly amount?: string;
}

export function RatesPage() {
  const search: Asked = useSearch({ strict: false });
  const { environment } = usePlatform();
  const from = search.from ?? "USD";
  const amount = search.amount ?? "100.00";
  const minor = readAmount(amount, decimalsFor(from));
  return (
    <>
      <PageHead title={t("rates.title")} />
      {environment === "SANDBOX" && <p className="pb-4 text-body text-soft">{t("rates.madeUp")}</p>}
      <AskForm key={`${from} ${amount}`} from={from} amount={amount} />
      {minor === undefined ? (
        <Empty sentence={t("form.noAmount")} />
      ) : (
        <Rates from={from} minor={Number(minor)} />
      )}
    </>
  );
}

function AskForm({ from, amount }: { readonly from: string; readonly amount: string }) {
  const [currency, setCurrency] = useState(from);
  const [text, setText] = useState(amount);
  const navigate = useNavigate();
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const search = { from: currency.trim().toUpperCase(), amount: text.trim() };
    void navigate({ to: ".", search: search as never });
  };
  return (
    <form onSubmit={ask} className="flex flex-wrap items-end gap-3 pb-4">
      <div className="w-36">
        <TextInput
          label={t("column.amount")}
          value={text}
          onChange={setText}
          inputMode="decimal"
          isRequired
        />
      </div>
      <div className="w-28">
        <TextInput label={t("rates.from")} value={currency} onChange={setCurrency} isRequired />
      </div>
      <Button type="submit" weight="primary">
        {t("rates.calculate")}
      </Button>
    </form>
  );
}

const headLook =
  "border-line border-b px-2 py-2 text-caption font-semibold whitespace-nowrap text-soft";

function Rates({ from, minor }: { readonly from: string; readonly minor: number }) {
  const reading = useRead<"listExchangeRates">({
    method: "GET",
    path: ["exchange-rates"],
    query: { sourceCurrency: from as CurrencyCode, sendingAmount: minor },
  });
  return (
    <Waiting reading={reading} rows={8}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty sentence={t("rates.none")} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <section aria-label={t("rates.title")} tabIndex={0} className="-mx-2 overflow-x-auto">
            <table className="w-full text-body">
              <thead>
                <tr>
                  <th className={`${headLook} text-end`}>{t("quotes.receive")}</th>
                  <th className={`${headLook} text-start max-rail:hidden`}>{t("column.rail")}</th>
                  <th className={`${headLook} text-end`}>{t("column.rate")}</th>
                  <th className={`${headLook} text-end max-rail:hidden`}>{t("column.fees")}</th>
                  <th className={`${headLook} text-end max-rail:hidden`}>{t("column.updated")}</th>
                </tr>
              </thead>
              <tbody>
                {data.map((row) => (
                  <tr
                    key={`${row.destinationCurrency.code} ${row.destinationPaymentRail}`}
                    className="h-9 hover:bg-panel"
                  >
                    <td className="border-line border-b px-2 text-end">
                      <Amount
                        amount={{ amount: row.receivingAmount, currency: row.destinationCurrency }}
                        isStrong
                      />
                      <span className="block pb-1 text-caption text-soft rail:hidden">
                        {wordOf("rail", row.destinationPaymentRail)}
                      </span>
                    </td>
                    <td className="border-line border-b px-2 max-rail:hidden">
                      {wordOf("rail", row.destinationPaymentRail)}
                    </td>
                    <td className="border-line border-b px-2 text-end whitespace-nowrap tabular-nums">
                      {`1 ${row.destinationCurrency.code} = ${row.exchangeRate} ${from}`}
                      <span className="block pb-1 text-caption text-soft rail:hidden">
                        {t("column.fees")}{" "}
                        <Amount amount={{ amount: row.fees.total, currency: row.sourceCurrency }} />
                      </span>
                    </td>
                    <td className="border-line border-b px-2 text-end max-rail:hidden">
                      <Amount amount={{ amount: row.fees.total, currency: row.sourceCurrency }} />
                    </td>
                    <td className="border-line border-b px-2 text-end text-soft max-rail:hidden">
                      <Time at={row.updatedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      }
    </Waiting>
  );
}
