import { describe, expect, it } from "vitest";
import { accountExamples } from "./account-examples.ts";
import { checkAccountInfo } from "./account-info.ts";

const nigerian = (changes: object) =>
  checkAccountInfo("NGN", { ...accountExamples.NGN_ACCOUNT, ...changes });

describe("a bank's name that the directory rules", () => {
  it.each([
    ["NGN", { ...accountExamples.NGN_ACCOUNT, bankName: "Access Bank" }],
    ["PHP", { ...accountExamples.PHP_ACCOUNT, bankName: "BPI" }],
    ["ZAR", { ...accountExamples.ZAR_ACCOUNT, bankName: "Capitec Bank" }],
  ])("is taken when the directory has it: %s", (currency, accountInfo) => {
    expect(checkAccountInfo(currency, accountInfo)).toMatchObject({ ok: true, accountInfo });
  });

  it.each(["zenith bank", "Zenith Bank ", "Zenith  Bank", "Zenith Bank Plc", "BDO Unibank"])(
    "is refused when it is merely like one: %j",
    (bankName) => {
      expect(nigerian({ bankName })).toMatchObject({
        ok: false,
        code: "INVALID_BANK_ACCOUNT",
        errors: [{ field: "accountInfo.bankName" }],
      });
    },
  );

  it("is answered with the names that are nearest", () => {
    expect(nigerian({ bankName: "zenit bank" })).toMatchObject({
      errors: [
        {
          message: "must be a bankName that GET /discoveries lists for NG",
          nearest: expect.arrayContaining(["Zenith Bank"]),
        },
      ],
    });
  });

  it("is one fault among others, which make the input invalid", () => {
    const judged = nigerian({ bankName: "Zenit", accountNumber: "12" });
    expect(judged).toMatchObject({ ok: false, code: "INVALID_INPUT" });
    const fields = judged.ok ? [] : judged.errors.map(({ field }) => field);
    expect(fields.sort()).toEqual(["accountInfo.accountNumber", "accountInfo.bankName"]);
  });

  it.each([undefined, "", 7, "x".repeat(256), "a\u0001b"])(
    "is a fault of its field when it is no name at all: %j",
    (bankName) => {
      const judged = nigerian({ bankName });
      expect(judged).toMatchObject({ ok: false, code: "INVALID_INPUT" });
      expect(judged.ok ? [] : judged.errors).toHaveLength(1);
    },
  );

  it("is free where no directory rules", () => {
    const accountInfo = { ...accountExamples.GHS_ACCOUNT, bankName: "A bank of the village" };
    expect(checkAccountInfo("GHS", accountInfo).ok).toBe(true);
  });
});
