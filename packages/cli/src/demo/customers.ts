/** The customers of a demo, each with balances and with payees in several countries. */
import { asObject, asText, type JsonObject } from "../json.ts";
import { textOf } from "../trigger/sandbox.ts";
import { type Calls, forEach } from "./calls.ts";
import type { Chance } from "./chance.ts";
import { DOLLARS, endingBy, formOf, payeeBody } from "./payees.ts";
import { originOf, type Someone, someone } from "./people.ts";

export interface Payee {
  readonly id: string;
  readonly currency: string;
  /** Money can be collected from it. */
  readonly isPullable: boolean;
}

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly isCompany: boolean;
  /** Ids of internal accounts by currency. */
  readonly accounts: ReadonlyMap<string, string>;
  /** What payers of its account in dollars write into a payment. */
  readonly reference: string | undefined;
  readonly payees: readonly Payee[];
}

export interface DemoTools {
  readonly calls: Calls;
  readonly chance: Chance;
}

const ONE_COMPANY_IN = 4;
const EURO_COUNTRIES = new Set(["DE", "FR", "ES", "GR", "PL", "CZ", "DK"]);
/** Added to the currencies of a new sandbox. */
export const MORE_CURRENCIES = [
  "GBP",
  "BRL",
  "DKK",
  "EGP",
  "INR",
  "CNY",
  "THB",
  "VND",
  "NGN",
  "KES",
  "PHP",
];

export async function supportCurrencies({ calls }: DemoTools): Promise<void> {
  const { supportedCurrencies } = await calls.get("/config");
  const before = (Array.isArray(supportedCurrencies) ? supportedCurrencies : []).map(
    (each) => asObject(each) ?? {},
  );
  const known = new Set(before.map(({ currencyCode }) => currencyCode));
  const more = MORE_CURRENCIES.filter((code) => !known.has(code)).map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 100_000_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  }));
  if (more.length > 0) await calls.patch("/config", { supportedCurrencies: [...before, ...more] });
}

/** Everything random is drawn before the first call, because calls side by side end in any order. */
export async function makeCustomers(
  { calls, chance }: DemoTools,
  count: number,
): Promise<readonly Customer[]> {
  const plans = Array.from({ length: count }, (_, nth) => planOf(chance, nth));
  const domain = textOf(await calls.get("/config"), "umaDomain");
  const made: Customer[] = [];
  await forEach(plans, async (plan, nth) => {
    // An address of the server's own would be a row of digits and letters.
    const umaAddress = `$${textOf(plan.body, "platformCustomerId")}@${domain}`;
    made[nth] = await makeCustomer(calls, { ...plan, body: { ...plan.body, umaAddress } });
  });
  return made;
}

interface Plan {
  readonly who: Someone;
  readonly body: JsonObject;
  readonly funds: Readonly<Record<string, number>>;
  readonly payees: readonly JsonObject[];
}

function planOf(chance: Chance, nth: number): Plan {
  const isCompany = chance.isOneIn(ONE_COMPANY_IN);
  const who = someone(chance, nth, { isCompany });
  const currencies = currenciesOf(who);
  const most = isCompany ? 80_000_000 : 3_000_000;
  const funds = Object.fromEntries(
    currencies.map((code) => [code, chance.between(most / 8, most) * (code === "MXN" ? 18 : 1)]),
  );
  return {
    who,
    body: bodyOf(chance, { nth, who, currencies }),
    funds,
    payees: payeesOf(chance, { who, nth }),
  };
}

function currenciesOf({ origin }: Someone): readonly string[] {
  if (EURO_COUNTRIES.has(origin.country)) return ["USD", "EUR"];
  return origin.country === "MX" ? ["USD", "MXN"] : ["USD"];
}

function bodyOf(
  chance: Chance,
  {
    nth,
    who,
    currencies,
  }: { readonly nth: number; readonly who: Someone; readonly currencies: readonly string[] },
): JsonObject {
  const { country, city, postalCode } = who.origin;
  const address = { line1: `${chance.between(1, 180)} Market Street`, city, postalCode, country };
  const yourId = `${who.isCompany ? "org" : "usr"}-${String(nth + 1).padStart(4, "0")}-${chance.digits(4)}`;
  const shared = {
    platformCustomerId: yourId,
    currencies,
    region: country,
    email: `${yourId}@demo.example`,
    address,
  };
  if (!who.isCompany) {
    const birthDate = `${chance.between(1950, 2004)}-${two(chance.between(1, 12))}-${two(chance.between(1, 28))}`;
    return {
      customerType: "INDIVIDUAL",
      fullName: who.name,
      birthDate,
      nationality: country,
      ...shared,
    };
  }
  const businessInfo = {
    legalName: who.name,
    country,
    taxId: `${chance.digits(2)}-${chance.digits(7)}`,
    incorporatedOn: `${chance.between(1988, 2024)}-0${chance.between(1, 9)}-15`,
    registrationNumber: `${chance.digits(6)}8`,
  };
  return { customerType: "BUSINESS", businessInfo, ...shared };
}

const two = (value: number) => String(value).padStart(2, "0");

const LAST_ORIGIN = 999;

const formAt = (nth: number) => formOf(originOf(nth).country);

/** Three to six: one at home, one in dollars, the others in countries anywhere. */
function payeesOf(
  chance: Chance,
  { who, nth }: { readonly who: Someone; readonly nth: number },
): readonly JsonObject[] {
  const count = chance.between(3, who.isCompany ? 6 : 4);
  return Array.from({ length: count }, (_, place) => {
    const isOwn = place === 0 && !who.isCompany;
    const from = place === 1 ? nth : chance.between(0, LAST_ORIGIN);
    const isCompany = chance.isOneIn(3) || formAt(from).isForCompanies === true;
    const holder = isOwn ? who : someone(chance, from, { isCompany });
    const form = place === 0 ? DOLLARS : formAt(from);
    return { ...payeeBody(form, holder, { chance, ending: endingBy(chance) }) };
  });
}

async function makeCustomer(calls: Calls, { who, body, funds, payees }: Plan): Promise<Customer> {
  const id = textOf(await calls.post("/customers", body), "id");
  if (who.isCompany) await calls.post("/verifications", { customerId: id });
  const { data } = await calls.get(`/customers/internal-accounts?customerId=${id}&limit=20`);
  const accounts = new Map<string, string>();
  const rows = (Array.isArray(data) ? data : []).map((row) => asObject(row) ?? {});
  for (const account of rows) {
    const code = asText(asObject(asObject(account.balance)?.currency)?.code);
    if (code !== undefined) accounts.set(code, textOf(account, "id"));
  }
  for (const [code, amount] of Object.entries(funds)) {
    const account = accounts.get(code);
    if (account !== undefined)
      await calls.post(`/sandbox/internal-accounts/${account}/fund`, { amount });
  }
  const made: Payee[] = [];
  for (const payee of payees) {
    const account = await calls.post("/customers/external-accounts", { customerId: id, ...payee });
    const { accountType } = asObject(payee.accountInfo) ?? {};
    made.push({
      id: textOf(account, "id"),
      currency: textOf(payee, "currency"),
      isPullable: accountType === "USD_ACCOUNT",
    });
  }
  const reference = referenceOf(rows.find(({ id: own }) => own === accounts.get("USD")));
  return { id, name: who.name, isCompany: who.isCompany, accounts, reference, payees: made };
}

function referenceOf(account: JsonObject | undefined): string | undefined {
  const { fundingPaymentInstructions: all } = account ?? {};
  const first = asObject(Array.isArray(all) ? all[0] : undefined);
  return asText(asObject(first?.accountOrWalletInfo)?.reference);
}
