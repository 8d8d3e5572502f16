/** By which words an object is found, which of them need the right to personal data, and what a search text asks for. */
import { describe, expect, it } from "vitest";
import { customer, external, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { businessInfo, owner } from "../../../../test/kit/verification-rows.ts";
import type { TableRow } from "../../../tables/tables.ts";
import { digitsIn, IndexedTerms, idOf } from "./index-rows.ts";
import { toSearchQuery } from "./query.ts";
import { type SearchedKind, searchedKinds } from "./searched-kinds.ts";
import { amountTerm, fold, plainDecimal, termsOf, withoutSign, wordsOf } from "./terms.ts";

const UUID = "018f0000-0000-7000-8000-00000000000a";

describe("a text", () => {
  it.each([
    ["Ana María", "ana maria"],
    ["  ANA  ", "ana"],
    ["Ångström", "angstrom"],
    ["ﬁnance", "finance"],
    ["Straße", "straße"],
    ["ＡＢＣ", "abc"],
    ["Łódź", "łodz"],
    ["", ""],
  ])("%j is folded to %j", (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it.each<[string, readonly string[]]>([
    ["", []],
    ["  ", []],
    ["ana", ["ana"]],
    ["ana  ruiz\tlind", ["ana", "ruiz", "lind"]],
    ["ana ana", ["ana"]],
    ["(ana) ruiz,", ["ana", "ruiz"]],
    ["o'brien", ["o'brien"]],
    ["$ana@p.test", ["$ana@p.test"]],
    ["#7", ["#7"]],
    ["--- !!!", []],
    ["a-1", ["a-1"]],
    ["x".repeat(60), ["x".repeat(48)]],
    ["😀ana", ["ana"]],
  ])("%j has the words %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("has twelve words at most", () => {
    const many = Array.from({ length: 20 }, (_, place) => `w${place}`).join(" ");
    expect(wordsOf(many)).toHaveLength(12);
  });

  it.each([
    ["$ana@p.test", "ana@p.test"],
    ["ana", "ana"],
    ["$$a", "$a"],
    ["", ""],
  ])("%j without its sign is %j", (word, expected) => {
    expect(withoutSign(word)).toBe(expected);
  });
});

describe("an amount", () => {
  it.each([
    ["10", "10"],
    ["10.00", "10"],
    ["10.50", "10.5"],
    ["0010", "10"],
    ["0", "0"],
    ["000", "0"],
    ["0.00", "0"],
    ["0.01", "0.01"],
    ["100", "100"],
    ["1.010", "1.01"],
    ["1.", "1"],
  ])("%s is %s however many zeros are typed", (decimal, plain) => {
    expect(plainDecimal(decimal)).toBe(plain);
    expect(amountTerm(decimal, "USD")).toBe(`#${plain} usd`);
  });
});

describe("a search text", () => {
  it.each<[string, ReturnType<typeof toSearchQuery>]>([
    [`Customer:${UUID}`, { id: UUID, kind: "Customer" }],
    [`  Customer:${UUID} `, { id: UUID, kind: "Customer" }],
    [UUID, { id: UUID, kind: undefined }],
    [UUID.toUpperCase(), { id: UUID, kind: undefined }],
    ["Customer:x", { alternatives: [["customer:x"]] }],
    ["", { alternatives: [] }],
    ["!!!", { alternatives: [] }],
    ["ana", { alternatives: [["ana"]] }],
    ["$ana@p.test", { alternatives: [["ana@p.test"]] }],
    ["Ana Ruiz", { alternatives: [["ana ruiz"], ["ana", "ruiz"]] }],
    ["10.50", { alternatives: [["#10.5 "], ["10.50"]] }],
    ["10 usd", { alternatives: [["#10 usd"], ["10 usd"], ["10", "usd"]] }],
    ["10usd", { alternatives: [["#10 usd"], ["10usd"]] }],
    ["10 us", { alternatives: [["10 us"], ["10", "us"]] }],
    ["10.", { alternatives: [["10"]] }],
    ["12345678901234567", { alternatives: [["12345678901234567"]] }],
  ])("%j asks for its id, its amount or its words", (text, query) => {
    expect(toSearchQuery(text)).toEqual(query);
  });

  it("has six words at most", () => {
    const query = toSearchQuery("a b c d e f g h");
    expect(query).toEqual({ alternatives: [["a b c d e f"], ["a", "b", "c", "d", "e", "f"]] });
  });
});

describe("the terms of texts", () => {
  const texts = (terms: ReturnType<typeof termsOf>) => terms.map(({ text }) => text);

  it("leave out what is absent", () => {
    expect(termsOf({ name: [null, undefined, ""], email: [] })).toEqual([]);
  });

  it("have a name whole, by its words, and by the parts of its words", () => {
    expect(texts(termsOf({ name: ["Ana Ruiz-Lind"] }))).toEqual([
      "ana",
      "ruiz-lind",
      "ruiz",
      "lind",
      "ana ruiz-lind",
    ]);
    expect(texts(termsOf({ name: ["Ruiz-Lind"] }))).toEqual(["ruiz-lind"]);
    expect(texts(termsOf({ description: ["Ana Ruiz"] }))).toEqual(["ana", "ruiz"]);
  });

  it("are each there once, under the first field", () => {
    const terms = termsOf({ name: ["Ana"], email: ["ana"], reference: ["ana"] });
    expect(terms).toEqual([
      { field: "name", text: "ana", isPersonal: true },
      { field: "reference", text: "ana", isPersonal: false },
    ]);
  });

  it.each([
    ["name", true],
    ["description", true],
    ["umaAddress", true],
    ["email", true],
    ["id", false],
    ["bankReference", false],
    ["reference", false],
    ["platformCustomerId", false],
    ["lastFour", false],
    ["platformAccountId", false],
    ["amount", false],
  ] as const)("of the field %s are personal: %s", (field, isPersonal) => {
    expect(termsOf({ [field]: ["x"] })).toEqual([{ field, text: "x", isPersonal }]);
  });
});

function kindOf(name: SearchedKind["kind"]): SearchedKind {
  const found = searchedKinds.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`${name} is not searched`);
  return found;
}

const personal = (name: SearchedKind["kind"], row: TableRow) =>
  kindOf(name)
    .termsOf(row)
    .filter(({ isPersonal }) => isPersonal)
    .map(({ text }) => text);
const open = (name: SearchedKind["kind"], row: TableRow) =>
  kindOf(name)
    .termsOf(row)
    .filter(({ isPersonal }) => !isPersonal)
    .map(({ text }) => text);

describe("an object that is searched", () => {
  const business = { ...customer, fullName: null, customerType: "BUSINESS" as const, businessInfo };

  it("is a customer by the name, and openly by the platform's own id alone", () => {
    expect(open("Customer", customer)).toEqual(["c"]);
    expect(personal("Customer", customer)).toEqual(["ana", "ruiz", "ana ruiz", "c@p.test"]);
    expect(personal("Customer", business)).toContain("lind boats llc");
  });

  it.each([
    [customer, { title: "Ana Ruiz", isTitlePersonal: true, status: "APPROVED" }],
    [business, { title: "Lind Boats LLC", isTitlePersonal: true }],
    [
      { ...business, businessInfo: null },
      { title: "c", isTitlePersonal: false },
    ],
    [{ ...customer, deletedAt: 7 }, { status: "DELETED" }],
  ])("is shown as a customer with its name: %#", (row, hit) => {
    expect(kindOf("Customer").hitOf(row)).toMatchObject(hit);
  });

  it("is an owner by the name and the address", () => {
    const one = owner({}, { middleName: "Eva", email: "mara@mail.test" });
    expect(open("BeneficialOwner", one)).toEqual([]);
    expect(personal("BeneficialOwner", one)).toEqual([
      "mara",
      "eva",
      "lind",
      "mara eva lind",
      "mara@mail.test",
    ]);
    expect(kindOf("BeneficialOwner").hitOf(one)).toMatchObject({
      title: "Mara Eva Lind",
      isTitlePersonal: true,
      subtitle: "UBO, CONTROL_PERSON",
    });
  });

  it("has a phone number with the prefix of its country and without it", () => {
    expect(personal("Customer", { ...customer, phoneNumber: "+13125550142" } as TableRow)).toEqual(
      expect.arrayContaining(["13125550142", "3125550142", "125550142", "25550142", "5550142"]),
    );
    expect(open("Customer", { ...customer, phoneNumber: "+13125550142" } as TableRow)).toEqual([
      "c",
    ]);
  });

  it("is money that came in by the words of its payer as well", () => {
    const source = {
      type: "REALTIME_FUNDING",
      currency: "USD",
      accountHolderName: "Jo Berg",
      remittanceInformation: "Invoice 77",
    } as const;
    expect(personal("Transaction", { ...quoteTransaction, source } as TableRow)).toEqual(
      expect.arrayContaining(["invoice", "77", "berg"]),
    );
  });

  it("is a payment by each of its references", () => {
    const both = { ...quoteTransaction, reference: "FLQ7", details: { reference: "FL80" } };
    expect(open("Transaction", both)).toEqual(["fl80", "flq7", "#10 usd", "#9 eur"]);
    expect(kindOf("Transaction").hitOf(both as TableRow)?.subtitle).toBe("OUTGOING · FL80");
  });

  /** A payment writes a row of the index for each of these, so their bytes are a cost of each payment. */
  it("costs a transfer two terms", () => {
    const row = {
      ...quoteTransaction,
      details: { reference: "FL8000000000004", paymentRail: "ACH" },
      receivedMinor: 1_000n,
      receivedCurrency: "USD",
    };
    const texts = kindOf("Transaction")
      .termsOf(row as TableRow)
      .map(({ text }) => text);
    expect(texts).toEqual(["fl8000000000004", "#10 usd"]);
    expect(texts.join("").length).toBe(22);
  });

  it("is an account by its last four digits, never by more of them", () => {
    expect(open("ExternalAccount", external)).toEqual(["8901"]);
    const key = { ...external, primaryIdentifier: "ana@mail.test" };
    expect(open("ExternalAccount", key)).toEqual([]);
    expect(kindOf("ExternalAccount").hitOf(external)).toMatchObject({
      title: "USD_ACCOUNT",
      isTitlePersonal: false,
      subtitle: "USD_ACCOUNT · USD · …8901",
    });
    expect(
      kindOf("ExternalAccount").hitOf({ ...external, deletedAt: 7 } as TableRow),
    ).toBeUndefined();
  });

  it("is a payment by both of its amounts and by its reference", () => {
    const paid = { ...quoteTransaction, reference: "INV-7", description: "Rent" };
    expect(open("Transaction", paid)).toEqual(["inv-7", "#10 usd", "#9 eur"]);
    expect(personal("Transaction", paid)).toEqual(["rent"]);
    expect(kindOf("Transaction").hitOf(paid)).toMatchObject({
      title: "10.00 USD",
      subtitle: "OUTGOING · INV-7",
      isSubtitlePersonal: false,
    });
    expect(kindOf("Transaction").hitOf({ ...paid, reference: null } as TableRow)).toMatchObject({
      subtitle: "OUTGOING · Rent",
      isSubtitlePersonal: true,
    });
  });
});

describe("the title of a payment", () => {
  const sides = {
    sent: { sentMinor: 1_000n, sentCurrency: "USD" },
    received: { receivedMinor: 900n, receivedCurrency: "EUR" },
  };
  const nothing = { sentMinor: null, receivedMinor: null };

  it.each([
    ["10.00 USD", {}],
    ["9.00 EUR", { sentMinor: null, sentCurrency: null }],
    ["9.00 EUR", { sentMinor: null }],
    ["OUTGOING", { ...nothing }],
    ["OUTGOING", { ...nothing, sentCurrency: null, receivedCurrency: null }],
    ["OUTGOING", { sentCurrency: null }],
  ])("is %s: what was sent, else what was received, else its type", (title, change) => {
    const row = { ...quoteTransaction, ...sides.sent, ...sides.received, ...change };
    expect(kindOf("Transaction").hitOf(row as TableRow)?.title).toBe(title);
    expect(() => kindOf("Transaction").termsOf(row as TableRow)).not.toThrow();
  });
});

describe("the rows of the index", () => {
  const second = { ...customer, id: UUID };
  const rowsOf = (batch: bigint, found: readonly TableRow[]) => {
    const terms = new IndexedTerms();
    for (const row of found) terms.add(kindOf("Customer"), row);
    return terms.rows(batch);
  };
  const rows = rowsOf(-5n, [customer, second]);

  it("have a term once, with the latest object first", () => {
    const ana = rows.find(({ term }) => term === "ana");
    expect(ana).toMatchObject({ kind: "Customer", isPersonal: true, batch: -5n });
    expect(digitsIn(`\\x${ana?.ids.toString("hex")}`).map(idOf)).toEqual([UUID, customer.id]);
  });

  it("keep what is personal apart, each in the order of its terms", () => {
    expect(rows.map(({ isPersonal, term }) => [isPersonal, term])).toEqual([
      [false, "c"],
      [true, "ana"],
      [true, "ana ruiz"],
      [true, "c@p.test"],
      [true, "ruiz"],
    ]);
  });

  it("are none of no objects, and no ids are in an empty cell", () => {
    expect(rowsOf(1n, [])).toEqual([]);
    expect(digitsIn("\\x")).toEqual([]);
    expect(digitsIn("\\x0123")).toEqual([]);
  });
});
