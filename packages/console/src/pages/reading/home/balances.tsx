import type { CurrencyBalance } from "../../../api/overview.ts";
import { t } from "../../../text/messages.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { Amount } from "../../../ui/values.tsx";

const hasMoney = ({ available, held }: CurrencyBalance["platform"]) =>
  available !== "0" || held !== "0";

/** The balances of customers and of the platform in each currency. Currencies without money are left out. */
export function Balances({ balances }: { readonly balances: readonly CurrencyBalance[] }) {
  const filled = balances.filter(
    ({ customers, platform }) => hasMoney(customers) || hasMoney(platform),
  );
  if (filled.length === 0) return <p className="text-body text-soft">{t("home.noBalance")}</p>;
  return (
    <section aria-labelledby="balances">
      <h2 id="balances" className="sr-only">
        {t("home.balances")}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-8 gap-y-5">
        {filled.map((one) => (
          <li
            key={one.currency}
            className="flex min-w-0 flex-col gap-2 border-line border-s-2 ps-3"
          >
            <h3 className="sr-only">{one.currency}</h3>
            <Holding of="customers" balance={one} isLead />
            {hasMoney(one.platform) && <Holding of="platform" balance={one} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Holding({
  of,
  balance,
  isLead = false,
}: {
  readonly of: "customers" | "platform";
  readonly balance: CurrencyBalance;
  readonly isLead?: boolean;
}) {
  const { currency } = balance;
  const { available, held } = balance[of];
  return (
    <div className="relative">
      <PlaceLink
        place="accounts"
        search={{ currency, ...(of === "platform" ? { owner: "platform" } : {}) }}
        className={`after:absolute after:inset-0 hover:underline ${isLead ? "text-section" : "text-body"}`}
      >
        <Amount amount={{ amount: available, currency }} isStrong={isLead} />
      </PlaceLink>
      <p className="text-caption text-soft">
        {t(of === "customers" ? "home.ofCustomers" : "home.ofPlatform")}
        {held !== "0" && (
          <>
            {" \u00b7 "}
            {t("home.held")} <Amount amount={{ amount: held, currency }} />
          </>
        )}
      </p>
    </div>
  );
}
