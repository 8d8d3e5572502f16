import { describe, expect, it } from "vitest";
import { checkDigitFaults, freeAccountFault } from "./check-digits.ts";

const complaintAbout = (name: string, value: string) =>
  checkDigitFaults({ [name]: value })[0]?.message;

describe("check digits", () => {
  it.each([
    ["iban", "DE89370400440532013000"],
    ["iban", "GB82WEST12345698765432"],
    ["iban", "NO9386011117947"],
    ["iban", "MT84MALT011000012345MTLCAST001S"],
    ["iban", "AE070331234567890123456"],
    ["iban", "EG380019000500000000263180002"],
    ["iban", "PK36SCBL0000001123456702"],
    ["routingNumber", "021000021"],
    ["routingNumber", "011401533"],
    ["intermediaryRoutingNumber", "026009593"],
    ["clabeNumber", "032180000118359719"],
    ["clabeNumber", "002010077777777771"],
    ["accountNumber", "000123456789"],
    ["accountNumber", "4111111111111112"],
    ["accountNumber", "4111111111111111000"],
    ["bankName", "4111111111111111"],
  ])("fit in the %s %s", (name, value) => {
    expect(complaintAbout(name, value)).toBeUndefined();
  });

  it.each([
    ["iban", "DE89370400440532013001", "has check digits that do not fit: look for a typing error"],
    ["iban", "DE8937040044053201300", "must have 22 characters, as every IBAN of DE"],
    ["iban", "US89370400440532013000", "is no IBAN: US is not a country that has them"],
    ["routingNumber", "021000022", "is no routing number: its check digit does not fit"],
    ["routingNumber", "000000000", "is no routing number: its check digit does not fit"],
    ["clabeNumber", "032180000118359718", "is no CLABE: its check digit does not fit"],
    ...["4111111111111111", "5555 5555 5555 4444", "378282246310005", "6011111111111117"].map(
      (number) => [
        "accountNumber",
        number,
        "looks like the number of a payment card; give the number of the bank account",
      ],
    ),
  ])("do not fit in the %s %s: %s", (name, value, message) => {
    expect(complaintAbout(name, value)).toBe(message);
  });

  it("are reported for all fields at once", () => {
    const fields = checkDigitFaults({ routingNumber: "1", accountNumber: "4111111111111111" });
    expect(fields.map(({ field }) => field)).toEqual([
      "accountInfo.routingNumber",
      "accountInfo.accountNumber",
    ]);
  });

  it.each([
    ["DE89 3704 0044 0532 0130 00", undefined],
    ["de88370400440532013000", "has check digits that do not fit: look for a typing error"],
    ["DE8937040044053201300", "must have 22 characters, as every IBAN of DE"],
    ["US89370400440532013000", undefined],
    ["000123456789", undefined],
  ])("of %s, which may be an IBAN: %s", (text, message) => {
    expect(freeAccountFault(text)).toBe(message);
  });
});
