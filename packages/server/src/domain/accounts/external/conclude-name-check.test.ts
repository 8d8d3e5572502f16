import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { external, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { concludeNameCheck } from "./conclude-name-check.ts";
import { type ExternalAccount, externalAccounts } from "./external-account.ts";

const input = { accountId: external.id, jobId: PLATFORM };

function concluded(change: Partial<ExternalAccount>) {
  const accountInfo = { ...external.accountInfo, beneficiary: { legalName: "Blue Ridge LLC" } };
  const before = { ...external, accountInfo, updatedAt: DECIDED_AT - 60_000, ...change };
  const tables = [rowsOf(externalAccounts, before)];
  const world = worldFor({ command: concludeNameCheck, input, platformId: PLATFORM, tables });
  concludeNameCheck.decide(world, input);
  expect(world.cancelledJobs).toEqual([input.jobId]);
  const after = world.get(externalAccounts.ref(external.id));
  return after === before ? "untouched" : after;
}

describe("a name check that was pending", () => {
  it("ends with the name that was given", () => {
    expect(concluded({ beneficiaryVerificationStatus: "PENDING" })).toMatchObject({
      beneficiaryVerificationStatus: "MATCHED",
      beneficiaryVerifiedFullName: "Blue Ridge LLC",
      updatedAt: DECIDED_AT,
    });
  });

  it.each<readonly [string, Partial<ExternalAccount>]>([
    [
      "was deleted in the meantime",
      { beneficiaryVerificationStatus: "PENDING", deletedAt: DECIDED_AT - 1 },
    ],
    ["was checked already", { beneficiaryVerificationStatus: "NOT_MATCHED" }],
    ["is not checked at all", { beneficiaryVerificationStatus: null }],
  ])("changes nothing about an account that %s", (_why, change) => {
    expect(concluded(change)).toBe("untouched");
  });
});
