/** What a workspace sets about sign-in at issuers, the test before it can be required, and the page that finds issuers. */
import { describe, expect, it } from "vitest";
import { openBrowser, registrationOf, signIn, stepUp } from "../../kit/console.ts";
import { begin, setSso, walk } from "../../kit/console-sso.ts";
import type { SignInIssuer } from "../../kit/sign-in-issuer.ts";
import { emailOf, ssoStory } from "../../kit/sso-story.ts";

const sso = ssoStory();

describe("a sign-in that is required", () => {
  async function require() {
    await stepUp(sso.owner);
    const { json } = await sso.owner.call("GET", "/workspace/sso");
    return sso.owner.call("PUT", "/workspace/sso", {
      names: json.names,
      isRequired: true,
      issuers: json.issuers.map(({ testedAt: _, ...one }: Record<string, unknown>) => one),
    });
  }

  const testIt = () =>
    walk(sso.owner, { for: "test", issuer: sso.issuerId, to: "/console/p/acme-pay/settings" });

  it("must have been tested before, by an owner", async () => {
    const tester = await sso.person(["ADMIN"]);
    expect(await require()).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { field: "isRequired" } },
    });
    const byAdmin = await begin(tester.browser, { for: "test", issuer: sso.issuerId });
    expect(byAdmin.url).toBe("/console/sign-in?sso=EXPIRED");
    expect((await testIt()).to).toBe("/console/p/acme-pay/settings?sso=TESTED");
    expect(await sso.rowsOf("person_identities")).toEqual([]);
    const shown = await sso.owner.call("GET", "/workspace/sso");
    expect(shown.json.issuers[0].testedAt).toEqual(expect.any(String));
    expect((await require()).json.isRequired).toBe(true);
  });

  it("tells the owner who tests why it failed", async () => {
    await sso.person();
    const { subject } = sso.issuer;
    sso.issuer.subject = { sub: "x", email: "x@example.com" };
    expect((await testIt()).to).toMatch(/\?sso=NO_VERIFIED_ADDRESS$/);
    sso.issuer.subject = { sub: "x", email: "x@example.com", email_verified: true };
    expect((await testIt()).to).toMatch(/\?sso=NO_PERSON$/);
    sso.issuer.subject = subject;
    sso.issuer.claims = (claims) => ({ ...claims, aud: "other" });
    expect((await testIt()).to).toMatch(/\?sso=NOT_PROVEN$/);
    sso.issuer.claims = (claims) => claims;
    sso.issuer.answerInstead = (path, response) => {
      if (path !== "/token") return false;
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error":"invalid_client"}');
      return true;
    };
    expect((await testIt()).to).toMatch(/\?sso=ISSUER_REFUSED$/);
    expect(
      (await sso.owner.call("GET", "/workspace/sso")).json.issuers[0].testedAt,
    ).toBeUndefined();
  });

  it("turns passkeys off for all but owners, also those of an invitation", async () => {
    const { browser, email } = await sso.person();
    await testIt();
    await stepUp(sso.owner);
    const invited = await sso.owner.call("POST", "/workspace/invites", {
      email: "finn@example.com",
      name: "Finn",
      roles: [{ platformId: null, roles: ["SUPPORT"] }],
    });
    await require();
    const refused = { status: 403, json: { details: { reason: "SSO_REQUIRED" } } };
    expect(await signIn(browser)).toMatchObject(refused);
    const [, code] = invited.json.url.split("#");
    const guest = openBrowser(sso.server);
    const path = `/invites/${code}/accept`;
    const options = await guest.call("POST", path, { email: "finn@example.com" });
    const passkey = registrationOf(guest, options.json);
    expect(await guest.call("POST", path, { email: "finn@example.com", passkey })).toMatchObject(
      refused,
    );
    expect((await signIn(sso.owner)).status).toBe(200);
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console");
    expect(await emailOf(browser)).toBe(email);
  });

  it("lets a person who lost their passkeys make a new one by a re-enrolment", async () => {
    const { id, email } = await sso.person(["APPROVER"]);
    await testIt();
    expect((await require()).json.isRequired).toBe(true);
    const issued = await sso.owner.call("POST", `/workspace/people/${id}/re-enrol`, {});
    const [, code] = issued.json.url.split("#");
    const guest = openBrowser(sso.server);
    const path = `/re-enrolments/${code}/accept`;
    const options = await guest.call("POST", path, { email });
    const passkey = registrationOf(guest, options.json);
    expect((await guest.call("POST", path, { email, passkey })).status).toBe(200);
    expect((await guest.call("GET", "/me")).json.approvesFrom).toEqual(expect.any(String));
    expect((await signIn(guest)).status).toBe(403);
  });

  it("is tested again after a change of the client, its secret or the address", async () => {
    await sso.person();
    const changes = [
      { clientId: "another" },
      { clientSecret: "another" },
      { issuer: "https://other.example", clientSecret: "another" },
    ];
    for (const change of changes) {
      expect((await testIt()).to).toMatch(/\?sso=TESTED$/);
      await stepUp(sso.owner);
      const same = {
        id: sso.issuerId,
        name: "A",
        issuer: sso.issuer.issuer,
        clientId: sso.issuer.clientId,
      };
      const put = (more: object, isRequired = false) =>
        sso.owner.call("PUT", "/workspace/sso", {
          names: [sso.name],
          isRequired,
          issuers: [{ ...same, ...more }],
        });
      expect((await put({}, true)).status).toBe(200);
      expect((await put(change, true)).status).toBe(409);
      expect((await put(change)).json.issuers[0].testedAt).toBeUndefined();
      await put({ clientSecret: sso.issuer.clientSecret });
    }
  });
});

describe("what is set", () => {
  const wanted = (more: object = {}) => ({
    name: "A",
    issuer: "https://login.example",
    clientId: "c",
    clientSecret: "s",
    ...more,
  });
  const put = async (body: object) => {
    await stepUp(sso.owner);
    return sso.owner.call("PUT", "/workspace/sso", {
      names: [sso.name],
      isRequired: false,
      ...body,
    });
  };

  it("is shown without the secret, which is in no row and no entry in clear", async () => {
    const shown = await sso.owner.call("GET", "/workspace/sso");
    expect(shown.json).toMatchObject({
      names: [sso.name],
      isRequired: false,
      issuers: [
        {
          id: sso.issuerId,
          issuer: sso.issuer.issuer,
          clientId: sso.issuer.clientId,
          autoJoin: null,
        },
      ],
      redirectUri: expect.stringMatching(
        /^http:\/\/localhost:\d+\/console\/sso\/callback\/[0-9a-f-]{36}$/,
      ),
    });
    await put({
      issuers: [
        {
          id: sso.issuerId,
          name: "B",
          issuer: sso.issuer.issuer,
          clientId: "c",
          clientSecret: "canary-1",
        },
      ],
    });
    const dump = await sso.server.app.store.database.withClient(async (client) => {
      const found: unknown[] = [];
      for (const table of ["sso_issuers", "audit_entries", "command_log", "request_logs"])
        found.push((await client.query(`select t::text as row from ${table} t`)).rows);
      return JSON.stringify(found);
    });
    expect(dump).toContain("florin-console");
    expect(dump).not.toContain("canary-1");
    expect(dump).not.toContain(sso.issuer.clientSecret);
    const entries = await sso.owner.call("GET", "/workspace/audit?act=change-sso");
    expect(entries.json.data[0].changes).toContainEqual({
      field: "clientSecretSealed",
      before: "(changed)",
      after: "(changed)",
    });
  });

  it.each([
    ["an address of the inner network", { issuers: [wanted({ issuer: "https://10.0.0.1" })] }],
    ["an address without TLS", { issuers: [wanted({ issuer: "http://login.example" })] }],
    ["an address with a query", { issuers: [wanted({ issuer: "https://login.example?a=b" })] }],
    ["one issuer twice", { issuers: [wanted(), wanted()] }],
    ["a new issuer without a secret", { issuers: [wanted({ clientSecret: undefined })] }],
    [
      "a role above a viewer",
      { issuers: [wanted({ autoJoin: { domain: "a.example", role: "ADMIN" } })] },
    ],
    [
      "a domain of one label",
      { issuers: [wanted({ autoJoin: { domain: "com", role: "VIEWER" } })] },
    ],
    ["a name in capitals", { names: ["ACME"], issuers: [] }],
    [
      "eleven issuers",
      { issuers: Array.from({ length: 11 }, (_, n) => wanted({ issuer: `https://${n}.example` })) },
    ],
    [
      "an id of another kind",
      { issuers: [wanted({ id: "Person:019a4f00-0000-7000-8000-000000000099" })] },
    ],
    [
      "an unknown id",
      { issuers: [wanted({ id: "SsoIssuer:019a4f00-0000-7000-8000-000000000099" })] },
    ],
  ])("takes no %s", async (_what, body) => {
    const before = (await sso.owner.call("GET", "/workspace/sso")).json;
    expect(await put(body)).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect((await sso.owner.call("GET", "/workspace/sso")).json).toEqual(before);
  });

  it("keeps a secret for the address that it was given for", async () => {
    const moved = { id: sso.issuerId, name: "A", issuer: "https://evil.example", clientId: "c" };
    expect(await put({ issuers: [moved] })).toMatchObject({
      status: 400,
      json: { details: { field: "issuers.0.clientSecret" } },
    });
  });

  it("answers another workspace's issuer like an unknown one", async () => {
    const other = await sso.otherOwner("other");
    await stepUp(other);
    const body = (id: string) => ({
      names: [],
      isRequired: false,
      issuers: [wanted({ id })],
    });
    const foreign = await other.call("PUT", "/workspace/sso", body(sso.issuerId));
    const unknown = await other.call(
      "PUT",
      "/workspace/sso",
      body("SsoIssuer:019a4f00-0000-7000-8000-000000000099"),
    );
    expect(foreign.status).toBe(400);
    expect(foreign.json.details).toEqual(unknown.json.details);
    const person = (await other.call("GET", "/session")).json.person.id;
    const ended = await sso.owner.call("DELETE", `/workspace/people/${person}/identities`);
    expect(ended).toMatchObject({ status: 404, json: { code: "REFERENCE_NOT_FOUND" } });
  });

  it("gives a name to one workspace, for good", async () => {
    const other = await sso.otherOwner("third");
    await put({ names: [], issuers: [] });
    await stepUp(other);
    const taken = await other.call("PUT", "/workspace/sso", {
      names: ["free-name", sso.name],
      isRequired: false,
      issuers: [],
    });
    expect(taken).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { field: "names.1" } },
    });
    expect((await put({ names: [sso.name], issuers: [] })).status).toBe(200);
  });
});

describe("the sign-in page", () => {
  const find = (workspace: unknown) =>
    openBrowser(sso.server).call("POST", "/sign-in/sso", { workspace });

  it("finds the issuers by a name or by the domain of an address, whoever has it", async () => {
    const domain = `${sso.name}.example`;
    [sso.issuerId = ""] = await setSso(sso.owner, [sso.issuer], { names: [sso.name, domain] });
    const byName = await find(`  ${sso.name.toUpperCase()} `);
    expect(byName.json).toMatchObject({
      workspace: "Acme Pay",
      issuers: [{ id: sso.issuerId, name: "Issuer 1", host: new URL(sso.issuer.issuer).host }],
    });
    const known = await find(`owner@${domain}`);
    const unknown = await find(`nobody@${domain}`);
    expect(known.status).toBe(200);
    expect(unknown.text).toBe(known.text);
    const { person: _, ...query } = Object.fromEntries(
      new URL(known.json.issuers[0].url, "http://localhost").searchParams,
    );
    expect(query).toEqual({ workspace: domain, issuer: sso.issuerId });
  });

  it("answers alike for what leads nowhere, and limits it", async () => {
    const nothing = await find("nobody");
    expect(nothing).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
    await put([]);
    const without = await find(sso.name);
    const strip = (text: string) => text.replace(/"requestId":"[^"]*"/, "");
    expect(strip(without.text)).toBe(strip(nothing.text));
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await find("guess")).status);
    expect(statuses).toEqual([...Array(10).fill(404), 429]);
  });

  const put = async (issuers: readonly SignInIssuer[]) =>
    setSso(sso.owner, issuers, { names: [sso.name] });
});
