import { describe, expect, it } from "vitest";
import type { FeeRule } from "../../prices/price-rules/price-rules.ts";
import {
  type ConnectionControl,
  GUARDED_CONTROL,
  NO_CONTROL,
  type RailConnection,
} from "../../rails/connections/rail-connection.ts";
import type { RailRoute } from "../../rails/routes/rail-route.ts";
import {
  loosenedConnection,
  loosenedControl,
  loosenedFees,
  loosenedLimits,
  loosenedRoute,
  loosenedSpreads,
} from "./loosened.ts";

describe("control", () => {
  const from = (before: Partial<ConnectionControl>, after: Partial<ConnectionControl>) =>
    loosenedControl({ ...GUARDED_CONTROL, ...before }, { ...GUARDED_CONTROL, ...before, ...after });

  it.each([
    ["four eyes are given up", {}, { approval: "NONE" }, ["approval"]],
    ["four eyes are asked for", { approval: "NONE" }, { approval: "FOUR_EYES" }, []],
    ["a ceiling is raised", { payoutCeiling: "9" }, { payoutCeiling: "10" }, ["payoutCeiling"]],
    ["a ceiling is lowered", { payoutCeiling: "10" }, { payoutCeiling: "9" }, []],
    ["a ceiling is given up", { creditCeiling: "9" }, { creditCeiling: null }, ["creditCeiling"]],
    ["a ceiling is set", { creditCeiling: null }, { creditCeiling: "9" }, []],
    ["importers are given up", { importers: ["a"] }, { importers: null }, ["importers"]],
    ["an importer is added", { importers: ["a"] }, { importers: ["a", "b"] }, ["importers"]],
    ["an importer is replaced", { importers: ["a"] }, { importers: ["b"] }, ["importers"]],
    ["an importer is removed", { importers: ["a", "b"] }, { importers: ["b"] }, []],
    ["importers are listed", { importers: null }, { importers: ["b"] }, []],
    ["returns are taken later", {}, { returnDays: 11 }, ["returnDays"]],
    ["the usual days are named", {}, { returnDays: 10 }, []],
    ["returns are taken less late", { returnDays: 9 }, { returnDays: 8 }, []],
    ["nothing is changed", {}, {}, []],
    ["a member of a later version is changed", {}, { later: 3 }, ["later"]],
  ] as const)("%s", (_what, before, after, names) => {
    const loosened = from(
      before as Partial<ConnectionControl>,
      after as unknown as Partial<ConnectionControl>,
    );
    expect(loosened).toEqual(names.map((name) => `control.${name}`));
  });
});

describe("a connection", () => {
  const active = {
    name: "bank",
    status: "ACTIVE",
    account: { iban: "DE1" },
    settings: { baseUrl: "https://bank.example", timeoutMs: 1_000, holdDays: 3 },
    secretFacts: { signingSecret: { setAt: "1", fingerprint: "a" } },
    control: GUARDED_CONTROL,
    funding: { mode: "NONE" },
  } as unknown as RailConnection;
  const after = (change: object) =>
    loosenedConnection(active, { ...active, ...change } as unknown as RailConnection);

  it("is looser with another host, account, secret, funding or a shorter hold", () => {
    const settings = active.settings;
    expect(after({ settings: { ...settings, baseUrl: "https://evil.example" } })).toEqual([
      "settings.baseUrl",
    ]);
    expect(after({ settings: { ...settings, holdDays: 2 } })).toEqual(["settings.holdDays"]);
    expect(after({ account: { iban: "DE2" } })).toEqual(["account"]);
    expect(after({ funding: { mode: "REFERENCE" } })).toEqual(["funding"]);
    const secretFacts = { ...active.secretFacts, callbackSecret: { setAt: "2", fingerprint: "b" } };
    expect(after({ secretFacts })).toEqual(["secrets.callbackSecret"]);
    expect(after({ control: NO_CONTROL })).toEqual([
      "control.approval",
      "control.payoutCeiling",
      "control.creditCeiling",
    ]);
  });

  it("is not with another name or timeout, a longer hold, or without an old secret", () => {
    const settings = { ...active.settings, timeoutMs: 9, holdDays: 4 };
    expect(after({ name: "other", settings })).toEqual([]);
    const old = { setAt: "1", fingerprint: "c" };
    const before = {
      ...active,
      secretFacts: { ...active.secretFacts, previousSigningSecret: old },
    } as unknown as RailConnection;
    expect(loosenedConnection(before, active)).toEqual([]);
  });

  it("in SETUP has no more than its control to loosen", () => {
    const setup = { ...active, status: "SETUP" } as RailConnection;
    const moved = { ...setup, settings: { baseUrl: "https://evil.example" } };
    expect(loosenedConnection(setup, moved)).toEqual([]);
    expect(loosenedConnection(setup, { ...moved, control: NO_CONTROL })).toHaveLength(3);
  });
});

describe("a route", () => {
  const route: RailRoute = {
    id: "r",
    name: "dollars",
    priority: 100,
    direction: "OUT",
    currency: "USD",
    accountTypes: ["USD_ACCOUNT"],
    paymentRails: ["ACH"],
    minMinor: 10n,
    maxMinor: 1_000n,
    connectionId: "c",
    enabled: true,
    fallbackAfterSeconds: null,
    createdAt: 1,
    updatedAt: 1,
    deletedAt: null,
  };

  it.each([
    [{ name: "cents", updatedAt: 2 }, []],
    [{ priority: 99 }, ["priority"]],
    [{ priority: 101 }, []],
    [{ minMinor: 9n }, ["minMinor"]],
    [{ minMinor: null }, ["minMinor"]],
    [{ minMinor: 11n }, []],
    [{ maxMinor: 1_001n }, ["maxMinor"]],
    [{ maxMinor: null }, ["maxMinor"]],
    [{ maxMinor: 999n }, []],
    [{ accountTypes: null }, ["accountTypes"]],
    [{ accountTypes: ["UMA_ADDRESS"] }, ["accountTypes"]],
    [{ paymentRails: ["ACH", "WIRE"] }, ["paymentRails"]],
    [{ paymentRails: [] }, []],
    [{ connectionId: "d" }, ["connectionId"]],
    [{ enabled: false, connectionId: "d" }, []],
    [{ deletedAt: 2 }, []],
  ])("changed by %o", (change, names) => {
    expect(loosenedRoute(route, { ...route, ...change })).toEqual(names);
  });

  it("for any account that gets UMA addresses carries payments that it did not", () => {
    const any = { ...route, accountTypes: null };
    const uma = { ...route, accountTypes: ["UMA_ADDRESS"] };
    expect(loosenedRoute(any, uma)).toEqual(["accountTypes"]);
    expect(loosenedRoute(any, route)).toEqual([]);
    expect(loosenedRoute(uma, uma)).toEqual([]);
  });

  it("that is new, or was disabled, lets payments through", () => {
    expect(loosenedRoute(undefined, route)).toEqual(["enabled"]);
    expect(loosenedRoute({ ...route, enabled: false }, route)).toEqual(["enabled"]);
    expect(loosenedRoute(undefined, { ...route, enabled: false })).toEqual([]);
  });
});

describe("fees and spreads", () => {
  const rule = (from: string, to: string, more: Partial<FeeRule> = {}): FeeRule => ({
    from,
    to,
    accountType: null,
    paymentRail: null,
    fixed: "10",
    bps: 50,
    least: null,
    most: null,
    ...more,
  });
  const all = rule("*", "*");

  it.each([
    ["first rules", [], [all], []],
    ["the same", [all], [all], []],
    ["a rule taken away", [all], [], ["* *"]],
    ["a lower fixed fee", [all], [rule("*", "*", { fixed: "9" })], ["* *"]],
    ["a lower share", [all], [rule("*", "*", { bps: 49 })], ["* *"]],
    ["a higher fee", [all], [rule("*", "*", { fixed: "11", bps: 60 })], []],
    ["an upper bound", [all], [rule("*", "*", { most: "100" })], ["* *"]],
    ["a lower bound", [all], [rule("*", "*", { least: "5" })], []],
    ["an exception below", [all], [all, rule("USD", "EUR", { bps: 1 })], ["USD EUR"]],
    ["an exception above", [all], [all, rule("USD", "EUR", { bps: 90 })], []],
    [
      "an exception for one rail",
      [rule("USD", "*")],
      [rule("USD", "*"), rule("*", "EUR", { paymentRail: "SEPA", fixed: "0" })],
      ["* EUR SEPA"],
    ],
    [
      "an exception elsewhere",
      [rule("USD", "EUR")],
      [rule("USD", "EUR"), rule("USD", "MXN", { fixed: "0" })],
      [],
    ],
  ] as const)("%s", (_what, before, after, places) => {
    expect(loosenedFees(before, after)).toEqual(places);
  });

  it("of spreads are compared by their share", () => {
    const at = (bps: number) => [{ from: "USD", to: "*", bps }];
    expect(loosenedSpreads(at(50), at(49))).toEqual(["USD *"]);
    expect(loosenedSpreads(at(50), at(51))).toEqual([]);
    const one = { from: "*", to: "EUR", bps: 1 };
    expect(loosenedSpreads(at(50), [...at(50), one])).toEqual(["* EUR"]);
  });
});

describe("limits of positions", () => {
  const limit = (maxLong: bigint | null, maxShort: bigint | null = 5n) => [
    { currency: "USD", maxLong, maxShort },
  ];
  it.each([
    [limit(5n), limit(6n), ["USD"]],
    [limit(5n), limit(4n), []],
    [limit(5n), limit(null), ["USD"]],
    [limit(null), limit(5n), []],
    [limit(5n), [], ["USD"]],
    [[], limit(5n), []],
    [limit(5n, 5n), limit(5n, 6n), ["USD"]],
  ])("from %o to %o", (before, after, currencies) => {
    expect(loosenedLimits(before, after)).toEqual(currencies);
  });
});
