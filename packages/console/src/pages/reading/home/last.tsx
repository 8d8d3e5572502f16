/** The last payments, and the last failed payments. */
import { useRead } from "../../../api/platform.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { partyName } from "../../../ui/party.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideWord, Time } from "../../../ui/values.tsx";
import { PaymentAmount, routeText } from "../../payments/payment-parts.tsx";
import { HomeSection } from "./home-section.tsx";

export function LastPayments() {
  const reading = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { limit: 10, expand: "parties" },
  });
  return (
    <HomeSection title={t("home.lastPayments")} place="payments">
      <Waiting reading={reading} rows={10}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-3 text-body text-soft">{t("payments.empty")}</p>
          ) : (
            <ul>
              {data.map((payment) => (
                <li
                  key={payment.id}
                  className="relative grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 border-line border-b py-2 hover:bg-panel"
                >
                  <div className="min-w-0">
                    <PlaceLink
                      place={`payments/${payment.id}`}
                      className="block after:absolute after:inset-0"
                    >
                      <PaymentAmount payment={payment} isStrong />
                    </PlaceLink>
                    <span className="block truncate text-caption text-soft">
                      <OutsideWord text={routeText(payment)} />
                    </span>
                  </div>
                  <StatePill state={payment.status} />
                  <span className="w-20 text-end text-caption text-soft">
                    <Time at={payment.createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Waiting>
    </HomeSection>
  );
}

export function Problems() {
  const reading = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { status: "FAILED", limit: 5, expand: "parties" },
  });
  return (
    <HomeSection title={t("home.problems")} place="payments" search={{ tab: "failed" }}>
      <Waiting reading={reading} rows={5}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-3 text-body text-soft">{t("home.noProblem")}</p>
          ) : (
            <ul>
              {data.map((payment) => (
                <li
                  key={payment.id}
                  className="relative flex items-center justify-between gap-4 border-line border-b py-2 hover:bg-panel"
                >
                  <div className="min-w-0">
                    <PlaceLink
                      place={`payments/${payment.id}`}
                      className="block after:absolute after:inset-0"
                    >
                      <PaymentAmount payment={payment} isStrong />
                    </PlaceLink>
                    <span className="block truncate text-caption text-soft">
                      {payment.failure === undefined
                        ? wordOf("state", payment.status)
                        : wordOf("failureCode", payment.failure.code)}
                      {" \u00b7 "}
                      <OutsideWord text={partyName(payment.parties?.to)} />
                    </span>
                  </div>
                  <span className="text-caption text-soft">
                    <Time at={payment.updatedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Waiting>
    </HomeSection>
  );
}
