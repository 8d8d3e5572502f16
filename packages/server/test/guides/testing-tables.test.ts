/** The tables of the testing guide have the outcomes that the sandbox has. */
import { expect, it } from "vitest";
import { checkBeneficiary, suffixIn } from "../../src/domain/accounts/external/sandbox-suffix.ts";
import { kycOutcomeOf } from "../../src/domain/customers/kyc-outcomes.ts";
import { counterparties } from "../../src/domain/uma/counterparties.ts";
import { quoteOutcomes } from "../../src/outside/payments/quote-outcomes.ts";
import { transferOutcomes } from "../../src/outside/payments/transfer-outcomes.ts";
import { present } from "../../src/std/assert.ts";
import { guides } from "../kit/guides/all-guides.ts";

const textOf = (name: string) => present(guides.get(name), name).text;

/** The cells of the rows that begin with three digits. */
const rows = new Map(
  [...textOf("testing").matchAll(/^\| `(\d{3})` \|(.*)\|$/gm)].map(
    ([, suffix = "", cells = ""]) => [suffix, cells.split("|").map((cell) => cell.trim())],
  ),
);

it("have every suffix of a payment", () => {
  const suffixes = new Set([...transferOutcomes.keys(), ...quoteOutcomes.keys()]);
  for (const suffix of suffixes) {
    const [ofTransfer, ofQuote] = present(rows.get(suffix), `a row ${suffix}`);
    const transfer = transferOutcomes.get(suffix);
    expect(ofTransfer, suffix).toContain(transfer?.cause.code ?? "completes");
    const quote = quoteOutcomes.get(suffix);
    if (quote === undefined || quote.kind === "slow") expect(ofQuote).toContain("completes");
    else if (quote.kind === "declined" && quote.refundCause !== undefined)
      expect(ofQuote).toContain(quote.refundCause.code);
    else expect(ofQuote, suffix).toContain(quote.cause.code);
  }
});

it("have every suffix of a name check", () => {
  const checkOf = (suffix: string) =>
    checkBeneficiary("USD_ACCOUNT", { accountNumber: `000123456${suffix}` });
  const special = [...Array(1000).keys()]
    .map((number) => String(number).padStart(3, "0"))
    .filter((suffix) => suffixIn(suffix) === suffix && checkOf(suffix) !== "MATCHED");
  expect(special.length).toBeGreaterThan(4);
  for (const suffix of special) {
    const check = checkOf(suffix);
    const shown = check === "NO_SUCH_ACCOUNT" ? "INVALID_BANK_ACCOUNT" : check;
    expect(rows.get(suffix)?.join(), suffix).toContain(shown);
  }
});

it("have what a name's last characters do", () => {
  const [row = ""] = /^\| `fullName`.*$/m.exec(textOf("testing")) ?? [];
  const shown = [...row.matchAll(/`([A-Z]+)`/g)].map(([, status]) => status);
  expect(shown).toEqual(["001", "002", "003"].map(kycOutcomeOf));
});

it("have every counterparty at the sandbox's UMA domain", () => {
  const named = [...textOf("uma").matchAll(/`\$([a-z.]+)@…`/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(counterparties.map(({ name }) => name).toSorted());
});
