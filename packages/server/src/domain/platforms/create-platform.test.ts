/** What a new platform begins with, how its webhook key is rotated, and which data its currencies ask for. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../test/kit/decided.ts";
import { PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { rotateWebhookKey } from "../events/rotate-webhook-key.ts";
import { NO_NEXT_WEBHOOK_KEY, settledWebhookKeys, webhookKeyIdOf } from "../events/webhook-keys.ts";
import { enabledCurrency, type Platform, platforms, supportedCurrency } from "../platform.ts";
import { providerFieldsOf } from "../provider-fields.ts";
import { tokens } from "../token.ts";
import { createPlatform } from "./create-platform.ts";
import { setReviewers } from "./set-reviewers.ts";

const HOUR_MS = 3_600_000;

function create(environment: "SANDBOX" | "PRODUCTION", there: readonly Platform[] = []) {
  return decided({
    command: createPlatform,
    input: {
      workspaceId: platform.workspaceId,
      name: "Acme",
      environment,
      umaDomain: "pay.acme.example",
      isRegulatedFinancialInstitution: true,
      supportedCurrencies: platform.supportedCurrencies,
      webhookPublicKey: "public",
      webhookPrivateKeySealed: "sealed",
      firstToken: { name: "first", clientId: "client", secretHash: Buffer.from("x") },
    },
    platformId: PLATFORM,
    tables: [rowsOf(platforms, ...there)],
  });
}

describe("a new platform", () => {
  it("is refused where there is one", () => {
    expect(named(create("SANDBOX", [platform]).refusal)).toBe("CONFLICT");
  });

  it.each([
    ["SANDBOX", "WORKSPACE", 2],
    ["PRODUCTION", "OPERATOR", 1],
  ] as const)(
    "of the kind %s has its verifications decided by the %s and claims %i domains",
    (...row) => {
      const [environment, reviewers, domains] = row;
      const { output, world } = create(environment);
      expect(output).toMatchObject({
        id: PLATFORM,
        environment,
        reviewers,
        umaDomain: "pay.acme.example",
        umaDomains: ["pay.acme.example"],
        proxyUmaSubdomain: "pay",
        webhookEndpoint: null,
        webhookKeyId: null,
        branding: null,
        statementTimeZone: "UTC",
        ...NO_NEXT_WEBHOOK_KEY,
      });
      expect(output?.sandboxUmaDomain === null).toBe(environment === "PRODUCTION");
      expect(world.domainChanges.map(({ kind }) => kind)).toEqual(Array(domains).fill("claim"));
      const namespaces = new Set(world.domainChanges.map(({ namespace }) => namespace));
      expect([...namespaces].every((one) => one.includes(environment.toLowerCase()))).toBe(true);
    },
  );

  it("has an account for each currency and a token with all permissions that never expires", () => {
    const { world } = create("SANDBOX");
    const opened = written(world, internalAccounts);
    expect(opened.map(({ currency }) => currency)).toEqual(["USD", "EUR", "USDB"]);
    for (const one of opened) expect(one.customerId).toBeNull();
    expect(written(world, tokens)).toMatchObject([
      {
        permissions: ["VIEW", "TRANSACT", "MANAGE"],
        expiresAt: null,
        createdBy: "operator",
        personId: null,
        lineage: [],
      },
    ]);
    expect(world.handles).toEqual(["token:client"]);
  });
});

const rotating: Platform = {
  ...platform,
  webhookKeyId: "old",
  webhookPublicKey: "old public",
  webhookNextKeyId: "next",
  webhookNextPublicKey: "next public",
  webhookNextKeySealed: "next sealed",
  webhookNextFrom: DECIDED_AT + 1,
};

interface Case {
  readonly platform?: Platform | null;
  readonly overlapHours?: number;
}

const rotate = ({ platform: one = platform, overlapHours = 24 }: Case) =>
  decided({
    command: rotateWebhookKey,
    input: { publicKey: "new public", privateKeySealed: "new sealed", overlapHours },
    platformId: PLATFORM,
    tables: [rowsOf(platforms, ...(one === null ? [] : [one]))],
  });

describe("a rotation of the webhook key", () => {
  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { platform: null }],
      ["CONFLICT", { platform: rotating }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(rotate(scene).refusal)).toBe(expected);
  });

  it("says when the last one ends", () => {
    const until = new Date(DECIDED_AT + 1).toISOString();
    expect(rotate({ platform: rotating }).refusal?.details).toEqual({ until });
  });

  it("names the old key from the first one on", () => {
    const first = { ...platform, webhookPublicKey: "old public" };
    expect(rotate({ platform: first }).output).toMatchObject({
      webhookKeyId: webhookKeyIdOf("old public"),
      webhookPublicKey: "old public",
      webhookNextKeyId: webhookKeyIdOf("new public"),
      webhookNextFrom: DECIDED_AT + 24 * HOUR_MS,
    });
  });

  it("takes over at once without an overlap", () => {
    expect(rotate({ overlapHours: 0 }).output).toMatchObject({
      webhookKeyId: webhookKeyIdOf("new public"),
      webhookPublicKey: "new public",
      webhookPrivateKeySealed: "new sealed",
      ...NO_NEXT_WEBHOOK_KEY,
    });
  });

  it("follows one that has ended", () => {
    const over = { ...rotating, webhookNextFrom: DECIDED_AT };
    expect(rotate({ platform: over }).output).toMatchObject({
      webhookKeyId: "next",
      webhookNextKeyId: webhookKeyIdOf("new public"),
    });
  });

  it.each<[string, Partial<Platform>, number, string]>([
    ["none is under way", NO_NEXT_WEBHOOK_KEY, DECIDED_AT * 2, "old public"],
    ["its end has not come", {}, DECIDED_AT, "old public"],
    ["its end has come", {}, DECIDED_AT + 1, "next public"],
    ["it has no public key", { webhookNextPublicKey: null }, DECIDED_AT * 2, "old public"],
    ["it has no secret", { webhookNextKeySealed: null }, DECIDED_AT * 2, "old public"],
  ])("leaves the key, where %s", (_when, more, at, publicKey) => {
    expect(settledWebhookKeys({ ...rotating, ...more }, at).webhookPublicKey).toBe(publicKey);
  });

  it("has a key id of sixteen digits, another for each key", () => {
    expect(webhookKeyIdOf("a")).toMatch(/^[0-9a-f]{16}$/);
    expect(webhookKeyIdOf("a")).not.toBe(webhookKeyIdOf("b"));
  });
});

describe("the reviewers of a platform", () => {
  const set = (some: readonly Platform[], reviewers: Platform["reviewers"]) =>
    decided({
      command: setReviewers,
      input: { reviewers },
      platformId: PLATFORM,
      tables: [rowsOf(platforms, ...some)],
    });

  it.each(["OPERATOR", "WORKSPACE"] as const)("are set to %s", (reviewers) => {
    expect(set([platform], reviewers).output).toEqual({
      ...platform,
      reviewers,
      updatedAt: DECIDED_AT,
    });
  });

  it("are refused of a platform that is not there", () => {
    expect(named(set([], "OPERATOR").refusal)).toBe("REFERENCE_NOT_FOUND");
  });
});

describe("a currency of a platform", () => {
  const [first, ...others] = platform.supportedCurrencies;
  const incoming: Platform = {
    ...platform,
    supportedCurrencies: [
      ...(first === undefined
        ? []
        : [{ ...first, enabledTransactionTypes: ["INCOMING" as const] }]),
      ...others,
    ],
  };

  it.each([
    ["USD", "INCOMING", true],
    ["USD", "OUTGOING", false],
    ["EUR", "OUTGOING", true],
    ["MXN", "INCOMING", false],
    ["usd", "INCOMING", false],
  ] as const)("%s is moved in %s transactions: %s", (currency, type, isMoved) => {
    const find = () => enabledCurrency(incoming, currency, type).currencyCode;
    if (isMoved) expect(find()).toBe(currency);
    else expect(find).toThrow(`does not move ${currency} in ${type}`);
    expect(supportedCurrency(incoming, currency) !== undefined).toBe(
      ["USD", "EUR"].includes(currency),
    );
  });

  it.each([
    ["AED", ["FULL_NAME", "POSTAL_ADDRESS"], ["FULL_NAME"]],
    ["BRL", ["FULL_NAME", "TAX_ID"], ["FULL_NAME"]],
    ["COP", ["FULL_NAME", "BIRTH_DATE"], ["FULL_NAME"]],
    ["INR", ["FULL_NAME", "BIRTH_DATE", "NATIONALITY"], ["FULL_NAME"]],
    ["NGN", ["FULL_NAME", "BIRTH_DATE"], ["FULL_NAME"]],
    ["PHP", ["FULL_NAME", "BIRTH_DATE", "NATIONALITY"], ["FULL_NAME"]],
    ["USD", [], []],
    ["EUR", [], []],
    ["XXX", [], []],
  ])("%s asks a customer for %j and a counterparty for %j", (currency, own, counterparty) => {
    expect(providerFieldsOf(currency)).toEqual({ customer: own, counterparty });
  });
});
