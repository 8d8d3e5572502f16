import { describe, expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { type Platform, platforms } from "../../platform.ts";
import { releaseUmaDomain } from "./release-uma-domain.ts";

function released(domain: string, before: Partial<Platform> = {}) {
  const input = { domain };
  const tables = [rowsOf(platforms, { ...platform, ...before })];
  const world = worldFor({ command: releaseUmaDomain, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => releaseUmaDomain.decide(world, input));
  const { umaDomain, umaDomains, sandboxUmaDomain } = world.get(platforms.ref(PLATFORM));
  return {
    refusal: refusal?.code,
    platform: { umaDomain, umaDomains, sandboxUmaDomain },
    changes: world.domainChanges.map(({ kind, domain: changed }) => [kind, changed]),
    jobs: world.jobs.map(({ kind, payload }) => [kind, payload]),
  };
}

const moved = { umaDomain: "new.test", umaDomains: ["p.test", "old.test", "new.test"] };

describe("a domain that is released", () => {
  it("leaves the platform's row and its claim, and its invitations to a job", () => {
    expect(released("old.test", moved)).toEqual({
      refusal: undefined,
      platform: {
        ...moved,
        umaDomains: ["p.test", "new.test"],
        sandboxUmaDomain: "sandbox.p.test",
      },
      changes: [["release", "old.test"]],
      jobs: [["cancel-invitations-at", { domain: "old.test", after: null }]],
    });
  });

  it("takes the counterparties' domain with it when that was named after it", () => {
    const { platform: after, changes } = released("p.test", moved);
    expect(after).toMatchObject({
      umaDomains: ["old.test", "new.test"],
      sandboxUmaDomain: "sandbox.new.test",
    });
    expect(changes).toEqual([
      ["release", "p.test"],
      ["release", "sandbox.p.test"],
      ["claim", "sandbox.new.test"],
    ]);
  });

  it("keeps domains that an older version let the platform claim", () => {
    const umaDomains = ["p.test", "sandbox.p.test", "new.test", "sandbox.new.test"];
    const { platform: after, changes } = released("p.test", { umaDomain: "new.test", umaDomains });
    expect(after).toMatchObject({
      umaDomains: umaDomains.slice(1),
      sandboxUmaDomain: "sandbox.new.test",
    });
    expect(changes).toEqual([["release", "p.test"]]);
  });

  it("is in production only itself", () => {
    const production = { environment: "PRODUCTION", sandboxUmaDomain: null } as const;
    const { platform: after, changes } = released("p.test", { ...moved, ...production });
    expect(after.sandboxUmaDomain).toBeNull();
    expect(changes).toEqual([["release", "p.test"]]);
  });

  it.each([
    ["new.test", "CONFLICT"],
    ["sandbox.p.test", "CONFLICT"],
    ["other.test", "REFERENCE_NOT_FOUND"],
    ["x.old.test", "REFERENCE_NOT_FOUND"],
  ])("is not %s: %s", (domain, code) => {
    const before = { ...moved, sandboxUmaDomain: platform.sandboxUmaDomain };
    expect(released(domain, moved)).toEqual({
      refusal: code,
      platform: before,
      changes: [],
      jobs: [],
    });
  });
});
