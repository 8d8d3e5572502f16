/** Faults inside `accountInfo` and beside it, which two different checks find, in one answer. */
import { describe, expect, it } from "vitest";
import { accountExamples } from "../../../src/domain/accounts/external/account-examples.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory } from "../../kit/story.ts";

const CUSTOMERS = "/customers/external-accounts";
const PLATFORM = "/platform/external-accounts";

const server = await sharedServer();

/** The fields at fault, in the order of the answer. */
const faultsOf = (answer: {
  readonly json: { readonly details: { readonly errors: { field: string }[] } };
}) => answer.json.details.errors.map(({ field }) => field);

describe("an account whose form is wrong inside and outside", () => {
  it("is refused with every bad field at once, each named once", async () => {
    const story = await openStory(server);
    const both = await story.call("POST", CUSTOMERS, {
      currency: "XXX",
      platformAccountId: "",
      customerId: 7,
      accountInfo: {
        ...accountExamples.USD_ACCOUNT,
        routingNumber: "1",
        beneficiary: { beneficiaryType: "BUSINESS" },
      },
    });
    expect([both.status, both.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(faultsOf(both)).toEqual([
      "platformAccountId",
      "customerId",
      "currency",
      "accountInfo.beneficiary.legalName",
      "accountInfo.routingNumber",
    ]);

    for (const [body, faults] of [
      [{}, ["currency", "accountInfo"]],
      [{ currency: 5, accountInfo: "x" }, ["currency", "accountInfo"]],
      [{ currency: "", accountInfo: {} }, ["currency", "accountInfo.accountType"]],
      [{ accountInfo: { accountType: "NO_SUCH" } }, ["currency", "accountInfo.accountType"]],
      [
        { currency: "USD", platformAccountId: " ", accountInfo: accountExamples.USD_ACCOUNT },
        ["platformAccountId"],
      ],
      [
        { currency: 1e2, platformAccountId: [], accountInfo: null },
        ["currency", "accountInfo", "platformAccountId"],
      ],
    ] as const) {
      for (const path of [CUSTOMERS, PLATFORM]) {
        const answer = await story.call("POST", path, body);
        expect([path, answer.json.code, faultsOf(answer)]).toEqual([path, "INVALID_INPUT", faults]);
      }
    }
  });

  it("keeps the code of the currency when nothing else is wrong", async () => {
    const story = await openStory(server);
    const wrong = { currency: "XXX", accountInfo: accountExamples.USD_ACCOUNT };
    const answer = await story.call("POST", CUSTOMERS, wrong);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CURRENCY"]);
    const more = await story.call("POST", CUSTOMERS, { ...wrong, defaultUmaDepositAccount: "no" });
    expect([more.json.code, faultsOf(more)]).toEqual([
      "INVALID_INPUT",
      ["defaultUmaDepositAccount", "currency"],
    ]);
  });
});
