/** Commands of the operator while a server has the embedded database: they work beside it and leave it alone. */
import { chmod, mkdtemp, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { PDF, passportForm } from "../../test/kit/forms.ts";
import { OWNER } from "../../test/kit/made-objects.ts";
import { type App, startApp } from "../app.ts";
import { type Config, readConfig } from "../config.ts";
import { createPlatformFromShell } from "./create-platform.ts";
import { createTokenFromShell } from "./create-token.ts";
import { listPlatformsFromShell } from "./list-platforms.ts";
import { migrateFromShell } from "./migrate.ts";
import { releaseDomainFromShell } from "./release-domain.ts";
import { replayWebhooksFromShell } from "./replay-webhooks.ts";
import { reviewFromShell } from "./review-verification.ts";
import { rotateWebhookKeyFromShell } from "./rotate-webhook-key.ts";
import { setPlatformFromShell } from "./set-platform.ts";
import { listVerificationsFromShell, papersFromShell } from "./show-verifications.ts";
import { verifyFromShell } from "./verify.ts";

let dataDir: string;
let config: Config;
let app: App;

beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), "florin-beside-")));
  await chmod(dataDir, 0o711);
  config = readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent" });
  app = await startApp(config);
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await app?.close();
  await rm(dataDir, { recursive: true, force: true });
});

function printed(): () => string {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => written.mock.calls.map(([text]) => String(text)).join("");
}

const EXAMPLE = {
  name: "beside",
  environment: "sandbox",
  umaDomain: "beside.test",
  regulated: false,
};

const NO_EVENT = "Webhook:018f0000-0000-7000-8000-0000000000ff";

function configOf(clientId: string, clientSecret: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  return fetch(`${app.baseUrl}/2025-10-13/config`, { headers: { authorization } });
}

/** Posts JSON, or a form, with the first token. */
function authorized(): { readonly authorization: string } {
  const { clientId, clientSecret } = app.created ?? {};
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return { authorization: `Basic ${credentials}` };
}

async function post(path: string, body: string | FormData) {
  const type = typeof body === "string" ? { "content-type": "application/json" } : undefined;
  const headers = { ...authorized(), ...type };
  const answer = await fetch(`${app.baseUrl}/2025-10-13${path}`, { method: "POST", headers, body });
  return (await answer.json()) as { id: string; verificationStatus?: string };
}

describe("beside a running server", () => {
  it("a platform is made that the server serves at once", async () => {
    const output = printed();
    await createPlatformFromShell(config, EXAMPLE);
    const [, clientId = ""] = /clientId\s+(\S+)/.exec(output()) ?? [];
    const [, clientSecret = ""] = /clientSecret\s+(\S+)/.exec(output()) ?? [];
    const answer = await configOf(clientId, clientSecret);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ umaDomain: "beside.test" });
    expect(output()).toMatch(/^sandbox UMA +sandbox\.beside\.test$/m);
  });

  it("a platform is made in a workspace that is there, and its reviewers are set", async () => {
    const output = printed();
    const workspace = `Workspace:${app.created?.workspaceId}`;
    const wish = { ...EXAMPLE, umaDomain: "second.test", workspace };
    await createPlatformFromShell(config, wish);
    expect(output()).toContain(workspace);
    const [, platform = ""] = /^id +(\S+)$/m.exec(output()) ?? [];
    await setPlatformFromShell(config, { platform, reviewers: "operator" });
    expect(output()).toMatch(/^reviewers +OPERATOR$/m);
    for (const options of [{ platform }, { platform, reviewers: "nobody" }])
      await expect(setPlatformFromShell(config, options)).rejects.toThrow(/--reviewers/);
    const unknown = { ...wish, workspace: "Workspace:018f0000-0000-7000-8000-0000000000ff" };
    await expect(createPlatformFromShell(config, unknown)).rejects.toThrow(/no workspace/);
  });

  it("a platform gets another domain, which the server knows at once, and gives the former one back", async () => {
    const output = printed();
    const platform = `PlatformConfig:${app.created?.platformId}`;
    const ofPlatform = async () => {
      const { clientId = "", clientSecret = "" } = app.created ?? {};
      return (await (await configOf(clientId, clientSecret)).json()).umaDomain;
    };
    await setPlatformFromShell(config, { platform, umaDomain: "moved.test" });
    expect(await ofPlatform()).toBe("moved.test");
    await releaseDomainFromShell(config, { platform, domain: "florin.test", confirm: false });
    expect(output()).toBe(
      "UMA domain  moved.test\nReleased florin.test. The sandbox's counterparties live at sandbox.moved.test now.\n",
    );
    const released = releaseDomainFromShell(config, {
      platform,
      domain: "florin.test",
      confirm: true,
    });
    await expect(released).rejects.toThrow(`${platform} does not have the UMA domain florin.test`);
    await setPlatformFromShell(config, { platform, umaDomain: "florin.test" });
    expect(await ofPlatform()).toBe("florin.test");
    const nobody = "00000000-0000-7000-8000-0000000000ff";
    for (const [options, complaint] of [
      [{ platform: "nobody", umaDomain: "x.test" }, "--platform must be an id"],
      [{ platform: nobody, umaDomain: "x.test" }, "no platform has the id"],
      [{ platform, umaDomain: "x" }, "umaDomain: must be a domain name"],
      [{ platform, umaDomain: "beside.test" }, "domain is taken"],
      [{ platform, umaDomain: "pay.beside.test" }, "above or below a domain of another platform"],
    ] as const) {
      await expect(setPlatformFromShell(config, options)).rejects.toThrow(complaint);
    }
  });

  it("the platforms are listed, and one gets a token that the server takes at once", async () => {
    const output = printed();
    await listPlatformsFromShell(config);
    const platform = `PlatformConfig:${app.created?.platformId}`;
    const lines = output().split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${platform}  SANDBOX  florin\\.test  since \\S+Z  "sandbox"$`),
      ),
    );
    expect(lines.some((line) => line.includes("  beside.test  "))).toBe(true);
    const options = { platform, name: "after the loss", permissions: "view, manage" };
    await createTokenFromShell(config, options);
    const said = (field: string) => new RegExp(`^${field} +(\\S+)$`, "m").exec(output())?.[1] ?? "";
    expect(said("permissions")).toBe("VIEW,MANAGE");
    expect((await configOf(said("clientId"), said("clientSecret"))).status).toBe(200);
    for (const [wrong, complaint] of [
      [{ permissions: "view,pay" }, "--permissions must be one or more of VIEW, TRANSACT, MANAGE"],
      [{ permissions: "" }, "--permissions must be"],
      [{ name: " " }, "--name must not be empty"],
      [{ platform: NO_EVENT }, "--platform must be an id like PlatformConfig:<uuid>"],
      [{ platform: NO_EVENT.replace("Webhook", "PlatformConfig") }, "no platform has the id"],
    ] as const) {
      await expect(createTokenFromShell(config, { ...options, ...wrong })).rejects.toThrow(
        complaint,
      );
    }
  });

  it("the books are checked, and the server goes on with the same PostgreSQL", async () => {
    const output = printed();
    const before = await app.store.database.reads.cells(POSTMASTER, []);
    expect(await verifyFromShell(config)).toBe(true);
    expect(output()).toMatch(/adds up|ok/i);
    expect(await app.store.database.reads.cells(POSTMASTER, [])).toEqual(before);
    const healthy = await fetch(`${app.baseUrl}/readyz`);
    expect(healthy.status).toBe(200);
  });

  it("events that were given up are replayed, of a platform that is there", async () => {
    const output = printed();
    const { platformId = "" } = app.created ?? {};
    await replayWebhooksFromShell(config, { platform: platformId, limit: "10" });
    expect(output()).toMatch(
      /^Due again: 0 events\.\nThey wait until the platform has an endpoint/,
    );
    const platform = `PlatformConfig:${platformId}`;
    for (const [options, complaint] of [
      [{ platform: "nobody" }, "--platform must be an id"],
      [{ platform: "00000000-0000-7000-8000-0000000000ff" }, "no platform has the id"],
      [{ platform, event: "Webhook:1" }, "--event must be an id"],
      [{ platform, event: NO_EVENT }, `the platform has no event ${NO_EVENT} that was given up`],
      [{ platform, since: "yesterday" }, "--since must be a moment"],
      [{ platform, limit: "0" }, "--limit must be a whole number"],
      [{ platform, limit: "100001" }, "--limit must be a whole number"],
    ] as const) {
      const refused = replayWebhooksFromShell(config, { limit: "10", ...options });
      await expect(refused).rejects.toThrow(complaint);
    }
  });

  it("the key of a platform's webhooks is rotated, once at a time", async () => {
    const keyOf = async () => {
      const headers = authorized();
      const answer = await fetch(`${app.baseUrl}/2025-10-13/webhooks/public-key`, { headers });
      return (await answer.json()) as { publicKey: string; next?: { publicKey: string } };
    };
    const before = await keyOf();
    const platform = `PlatformConfig:${app.created?.platformId}`;
    const output = printed();
    await expect(
      rotateWebhookKeyFromShell(config, { platform, overlapHours: "169" }),
    ).rejects.toThrow("--overlap-hours must be a whole number from 0 to 168");
    await rotateWebhookKeyFromShell(config, { platform, overlapHours: "24" });
    const told = JSON.parse(output());
    expect(told.publicKey).toBe(before.publicKey);
    expect(told.next.publicKey).not.toBe(before.publicKey);
    expect(await keyOf()).toEqual(told);
    await expect(
      rotateWebhookKeyFromShell(config, { platform, overlapHours: "0" }),
    ).rejects.toThrow("The last rotation of this key ends at");
    expect(await keyOf()).toEqual(told);
  });

  it("a verification is listed, its papers are written to files, and it is decided", async () => {
    const platform = `PlatformConfig:${app.created?.platformId}`;
    const output = printed();
    const outputSince = () => output().slice(seen);
    let seen = 0;
    await listVerificationsFromShell(config, { platform });
    expect(output()).toBe("None is open.\n");
    const { id: customerId } = await post("/customers", JSON.stringify(UNDECIDED));
    const owner = JSON.stringify({ ...OWNER, customerId });
    const { id: ownerId } = await post("/beneficial-owners", owner);
    const { id: paper } = await post("/documents", passportForm(ownerId));
    const { id: withdrawn } = await post("/documents", passportForm(ownerId));
    const there = `${app.baseUrl}/2025-10-13/documents/${withdrawn}`;
    expect((await fetch(there, { method: "DELETE", headers: authorized() })).status).toBe(204);
    const asked = JSON.stringify({ customerId });
    const { id: verification, verificationStatus } = await post("/verifications", asked);
    expect(verificationStatus).toBe("IN_PROGRESS");

    seen = output().length;
    await listVerificationsFromShell(config, { platform });
    expect(outputSince()).toMatch(
      new RegExp(`^${verification}  ${customerId}  IN_PROGRESS  since \\S+Z  "Lind Boats LLC"\n$`),
    );
    const to = join(dataDir, "papers");
    const papers = () => papersFromShell(config, { platform, verification, to });
    seen = output().length;
    await papers();
    const path = join(to, `${paper.replace(":", "-")}.pdf`);
    expect(outputSince()).toBe(`${path}  PASSPORT  US  ""  ""  of ${ownerId}\n`);
    expect(await readFile(path)).toEqual(PDF);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(papers()).rejects.toThrow("--to: EEXIST");
    const foreign = verification.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    await expect(papersFromShell(config, { platform, verification: foreign, to })).rejects.toThrow(
      `the platform has no verification ${foreign}`,
    );

    seen = output().length;
    const unknown = platform.replace("PlatformConfig", "Verification");
    await expect(
      reviewFromShell(config, { platform, verification: unknown, outcome: "rejected", by: "Ana" }),
    ).rejects.toThrow("The platform has no such verification.");
    const decision = { platform, verification, outcome: "rejected", by: " Ana Ruiz " };
    for (const [wrong, complaint] of [
      [{ outcome: "maybe" }, "--outcome must be approved or rejected"],
      [{ by: " " }, "--by must not be empty"],
      [{ by: "x".repeat(101) }, "--by must have at most 100 characters"],
      [{ by: "Ana\nRuiz" }, "--by must be one line"],
      [{ note: "x".repeat(501) }, "--note must have at most 500 characters"],
    ] as const) {
      await expect(reviewFromShell(config, { ...decision, ...wrong })).rejects.toThrow(complaint);
    }
    await reviewFromShell(config, { ...decision, note: "no such address" });
    expect(outputSince()).toBe(`${verification} is REJECTED\n`);
    expect(await app.store.database.reads.cells(DECISIONS, [])).toEqual([
      ["Ana Ruiz", "no such address", "operator:Ana Ruiz"],
    ]);
  });

  it("a server of another version is left unchanged", async () => {
    const { withClient } = app.store.database;
    await withClient((client) =>
      client.query("update schema_migrations set checksum = 'other' || checksum"),
    );
    await expect(verifyFromShell(config)).rejects.toThrow(/lacks migration 0001.*another version/);
    await withClient((client) =>
      client.query("update schema_migrations set checksum = substr(checksum, 6)"),
    );
    await withClient((client) =>
      client.query(
        "insert into schema_migrations (version, name, checksum) values (9999, 'x', 'x')",
      ),
    );
    await expect(verifyFromShell(config)).rejects.toThrow("newer than this program");
    await withClient((client) =>
      client.query("delete from schema_migrations where version = 9999"),
    );
    printed();
    expect(await verifyFromShell(config)).toBe(true);
  });

  it("neither a second server nor a migration is begun", async () => {
    await expect(startApp(config)).rejects.toThrow("another Florin server");
    await expect(migrateFromShell(config)).rejects.toThrow("another Florin server");
  });
});

/** A business that stays under way. */
const UNDECIDED = {
  customerType: "BUSINESS",
  businessInfo: {
    legalName: "Lind Boats LLC",
    country: "US",
    taxId: "1",
    incorporatedOn: "2015-06-01",
    registrationNumber: "7700001",
  },
};

const DECISIONS = {
  name: "decisions",
  text:
    "select v.decided_by, v.decision_note, c.actor from verifications v, command_log c " +
    "where v.decided_by is not null and c.name = 'review-verification'",
} as const;

const POSTMASTER = {
  name: "postmaster",
  text: "select pg_postmaster_start_time()::text",
} as const;
