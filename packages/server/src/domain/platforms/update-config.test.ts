import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { internal, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import type { Actor } from "../../engine/command.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { type Document, documents } from "../customers/documents/document.ts";
import { type Branding, type Platform, platforms } from "../platform.ts";
import { type UpdateConfigInput, updateConfig } from "./update-config.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;
const endpoint = platform.webhookEndpoint ?? "";

type Change = Omit<UpdateConfigInput, "ownHost">;

const image: Document = {
  ...{
    id: idOf("1"),
    holderKind: "PlatformConfig",
    holderId: PLATFORM,
    documentType: "PLATFORM_LOGO",
  },
  ...{ side: null, country: "US", documentNumber: null, issuingAuthority: null },
  ...{ fileName: "l.png", fileId: idOf("2"), fileBytes: 9, mediaType: "image/png" },
  ...{ createdAt: 1, updatedAt: 1, deletedAt: null, supersededBy: null },
};

interface Scene {
  readonly actor?: Actor;
  readonly image?: Partial<Document>;
}

function updated(change: Change, before: Partial<Platform> = {}, scene: Scene = {}) {
  const { actor } = scene;
  const input = { ...change, ownHost: "api.example" };
  const tables = [
    rowsOf(platforms, { ...platform, webhookSinceEventSeq: 3n, updatedAt: 1, ...before }),
    rowsOf(internalAccounts, { ...internal, customerId: null }),
    rowsOf(documents, { ...image, ...scene.image }),
  ];
  const world = worldFor({ command: updateConfig, input, platformId: PLATFORM, tables });
  if (actor !== undefined) world.begin(actor, 5n);
  const after = updateConfig.decide(world, input);
  const opened = [...(world.dirty.get(internalAccounts)?.values() ?? [])];
  return {
    after,
    claimed: world.domainChanges,
    opened: opened.map(({ row }) => (row as typeof internal).currency),
    emitted: world.events.map(({ type }) => type),
    jobs: world.jobs.map(({ kind }) => kind),
  };
}

const NOTHING = { claimed: [], opened: [], emitted: [], jobs: [] };

const TOKEN: Actor = { kind: "token", id: "t" };
const OPERATOR: Actor = { kind: "operator", id: "shell" };

describe("a UMA domain", () => {
  it("is claimed when it is new, and kept", () => {
    const { after, ...rest } = updated({ umaDomain: "new.test" });
    expect(after).toMatchObject({ umaDomain: "new.test", umaDomains: ["p.test", "new.test"] });
    const claimed = [{ kind: "claim", namespace: "sandbox", domain: "new.test" }];
    expect(rest).toEqual({ ...NOTHING, claimed });
  });

  it("that the platform had before stays claimed, and is not claimed again", () => {
    const umaDomains = ["p.test", "old.test"];
    const { after, ...rest } = updated({ umaDomain: "old.test" }, { umaDomains });
    expect(after).toMatchObject({ umaDomain: "old.test", umaDomains });
    expect(rest).toEqual(NOTHING);
  });

  it("is refused when the platform has a hundred, and each of those can be taken back", () => {
    const umaDomains = Array.from({ length: 100 }, (_, n) => `d${n}.test`);
    const refused = expect.objectContaining({ code: "CONFLICT", details: { field: "umaDomain" } });
    expect(() => updated({ umaDomain: "new.test" }, { umaDomains })).toThrow(refused);
    expect(updated({ umaDomain: "d0.test" }, { umaDomains }).after.umaDomain).toBe("d0.test");
    const fewer = { umaDomains: umaDomains.slice(1) };
    expect(updated({ umaDomain: "new.test" }, fewer).after.umaDomains).toHaveLength(100);
  });

  it("of a production platform is changed by the operator alone", () => {
    const production = { environment: "PRODUCTION", umaDomains: ["p.test", "old.test"] } as const;
    for (const umaDomain of ["new.test", "old.test", "api.example"]) {
      const refused = expect.objectContaining({
        code: "FORBIDDEN",
        message: expect.stringContaining(
          `florin platform set --platform PlatformConfig:${PLATFORM}`,
        ),
      });
      expect(() => updated({ umaDomain }, production, { actor: TOKEN })).toThrow(refused);
    }
    expect(updated({ umaDomain: "p.test" }, production, { actor: TOKEN }).after.umaDomain).toBe(
      "p.test",
    );
    const { after, claimed } = updated({ umaDomain: "new.test" }, production, { actor: OPERATOR });
    expect(after.umaDomain).toBe("new.test");
    expect(claimed).toEqual([{ kind: "claim", namespace: "production", domain: "new.test" }]);
  });

  it("that cannot be one is refused, but for one that the platform has already", () => {
    for (const umaDomain of ["api.example", "x.api.example", "127.0.0.1"]) {
      const refused = expect.objectContaining({ code: "INVALID_INPUT" });
      expect(() => updated({ umaDomain })).toThrow(refused);
      const { after } = updated({ umaDomain }, { umaDomains: ["p.test", umaDomain] });
      expect(after.umaDomain).toBe(umaDomain);
    }
  });
});

describe("a webhook endpoint", () => {
  it("that changes gets the events that the previous one did not get, and a TEST", () => {
    const { after, ...rest } = updated({ webhookEndpoint: "https://p.test/other" });
    expect(after).toMatchObject({
      webhookEndpoint: "https://p.test/other",
      webhookSinceEventSeq: 3n,
      webhookSetting: 2n,
      updatedAt: DECIDED_AT,
    });
    expect(rest).toEqual({ ...NOTHING, emitted: ["TEST"] });
  });

  it("that is the first one gets events from now on, beginning with a TEST", () => {
    const { after, ...rest } = updated({ webhookEndpoint: endpoint }, { webhookEndpoint: null });
    expect(after).toMatchObject({ webhookSinceEventSeq: 9n, webhookSetting: 2n });
    expect(rest).toEqual({ ...NOTHING, emitted: ["TEST"] });
  });

  it("that is removed leaves none, and no TEST event is emitted", () => {
    const { after, ...rest } = updated({ webhookEndpoint: null });
    expect(after).toMatchObject({ webhookEndpoint: null, webhookSinceEventSeq: 3n });
    expect(rest).toEqual(NOTHING);
  });

  it("that is set again continues where it stopped", () => {
    const { after, ...rest } = updated({ webhookEndpoint: endpoint });
    expect(after).toMatchObject({ webhookSinceEventSeq: 3n, webhookSetting: 2n });
    expect(rest).toEqual(NOTHING);
  });

  it("stays unchanged when the request does not mention it", () => {
    expect(updated({ umaDomain: "p.test" }).after).toMatchObject({
      webhookEndpoint: endpoint,
      webhookSinceEventSeq: 3n,
      webhookSetting: 1n,
    });
  });
});

describe("the choice about unknown fields", () => {
  it("is kept until it is made again", () => {
    expect(updated({}).after.unknownFields).toBe("REFUSE");
    expect(updated({ unknownFields: "IGNORE" }).after.unknownFields).toBe("IGNORE");
    expect(updated({}, { unknownFields: "IGNORE" }).after.unknownFields).toBe("IGNORE");
  });
});

describe("a currency", () => {
  const [usd, eur] = platform.supportedCurrencies;
  if (usd === undefined || eur === undefined) throw new Error("no currencies");

  it("that is new gets an account of the platform, and its customers are gone through", () => {
    const before = { supportedCurrencies: [usd] };
    const { opened, jobs } = updated({ supportedCurrencies: [usd, eur] }, before);
    expect([opened, jobs]).toEqual([["EUR"], ["extend-customer-currencies"]]);
  });

  it("that is enabled again has its account already", () => {
    const before = { supportedCurrencies: [eur] };
    const { opened, jobs } = updated({ supportedCurrencies: [eur, usd] }, before);
    expect([opened, jobs]).toEqual([[], ["extend-customer-currencies"]]);
  });

  it("that goes, or gets other limits, opens nothing and starts nothing", () => {
    const supportedCurrencies = [{ ...usd, maxAmount: 5 }];
    const { after, ...rest } = updated({ supportedCurrencies });
    expect(after.supportedCurrencies).toEqual(supportedCurrencies);
    expect(rest).toEqual(NOTHING);
  });
});

it("settings of the wallet are changed one by one", () => {
  const before = { embeddedWalletConfig: { appName: "P", otpLength: 6 } };
  const { after } = updated({ embeddedWalletConfig: { otpLength: 8 } }, before);
  expect(after.embeddedWalletConfig).toEqual({ appName: "P", otpLength: 8 });
});

describe("a logo", () => {
  const { id: documentId, fileId } = image;
  const file = { mediaType: "image/png", digest: "d", width: 1, height: 1 } as const;
  const branding: Branding = { name: "P", color: null, logo: { documentId, fileId, ...file } };

  it("is a document of the platform with the file that was read", () => {
    const { after, ...rest } = updated({ branding });
    expect(after.branding).toEqual(branding);
    expect(rest).toEqual(NOTHING);
  });

  it.each<readonly [string, Partial<Document>, string]>([
    ["was replaced since its file was read", { fileId: idOf("3") }, "CONFLICT"],
    ["was deleted", { deletedAt: 1, fileId: idOf("3") }, "REFERENCE_NOT_FOUND"],
    ["is unknown", { id: idOf("4") }, "REFERENCE_NOT_FOUND"],
  ])("is refused when its document %s", (_what, change, code) => {
    const refused = expect.objectContaining({ code });
    expect(() => updated({ branding }, {}, { image: change })).toThrow(refused);
    // What the platform has stays, whatever became of its document.
    expect(updated({}, { branding }, { image: change }).after.branding).toEqual(branding);
    const none = { ...branding, logo: null };
    expect(updated({ branding: none }, {}, { image: change }).after.branding).toEqual(none);
    expect(updated({ branding: null }, { branding }, { image: change }).after.branding).toBeNull();
  });
});
