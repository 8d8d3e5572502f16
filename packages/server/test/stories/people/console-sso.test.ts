/** Sign-in of people at an OpenID issuer of their workspace, and the sessions that it opens. */
import { describe, expect, it } from "vitest";
import { assertionOf, openBrowser, registrationOf, stepUp } from "../../kit/console.ts";
import { setSso, walk } from "../../kit/console-sso.ts";
import { emailOf, MINUTE, REFUSED, ssoStory } from "../../kit/sso-story.ts";

const sso = ssoStory();
const seconds = () => Math.floor(sso.now() / 1000);

describe("a sign-in at an issuer", () => {
  it("opens a session for the person whose address it has verified", async () => {
    const { email } = await sso.person();
    const browser = openBrowser(sso.server);
    const done = await walk(browser, { ...sso.toSignIn(), to: "/console/p/acme-pay/payments?a=b" });
    expect(done).toMatchObject({ status: 303, to: "/console/p/acme-pay/payments?a=b" });
    const session = await browser.call("GET", "/session");
    expect(session.json).toMatchObject({
      person: { email, state: "ACTIVE" },
      sso: { issuerId: sso.issuerId, name: "Issuer 1" },
    });
    expect(done.cookies).toContainEqual(
      expect.stringMatching(/^florin-local=[A-Za-z0-9_-]{64}; Path=\/; HttpOnly; SameSite=Strict$/),
    );
    expect(done.cookies).toContainEqual(
      expect.stringMatching(/^florin-sso-local=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
    );
  });

  it("asks for a code with PKCE, state and nonce, and ties the browser by a cookie of ten minutes", async () => {
    await sso.person();
    const browser = openBrowser(sso.server);
    const response = await fetch(
      `http://localhost:${sso.server.app.address.port}/console/sso/start?${new URLSearchParams(sso.toSignIn())}`,
      { redirect: "manual" },
    );
    expect(response.headers.get("set-cookie")).toMatch(
      /^florin-sso-local=[A-Za-z0-9_.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const asked = new URL(response.headers.get("location") ?? "").searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      client_id: sso.issuer.clientId,
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      state: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      nonce: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console");
  });

  it("binds by the subject from then on: the address may change", async () => {
    const { email } = await sso.person();
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    sso.issuer.subject = { sub: sso.issuer.subject.sub, email: "new@elsewhere.example" };
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console");
    expect(await emailOf(browser)).toBe(email);
    expect(await sso.rowsOf("person_identities")).toHaveLength(1);
  });

  it("takes the address from the userinfo endpoint where the token has none", async () => {
    const { email } = await sso.person();
    sso.issuer.tellsAddressElsewhere = true;
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    expect(await emailOf(browser)).toBe(email);
  });

  it("lets an invited person in without a passkey, and ends the link", async () => {
    const invited = await sso.owner.call("POST", "/workspace/invites", {
      email: "carla@example.com",
      name: "Carla",
      roles: [{ platformId: null, roles: ["SUPPORT"] }],
    });
    sso.issuer.subject = { sub: "carla", email: "Carla@Example.com", email_verified: true };
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    expect((await browser.call("GET", "/session")).json).toMatchObject({
      person: { email: "carla@example.com", name: "Carla", state: "ACTIVE", passkeys: [] },
    });
    const [, code] = invited.json.url.split("#");
    const late = await openBrowser(sso.server).call("POST", `/invites/${code}/accept`, {
      email: "carla@example.com",
    });
    expect(late.status).toBe(404);
  });

  it("has an entry in the audit log for a good and for a bad one", async () => {
    const { id } = await sso.person();
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    sso.issuer.subject = { sub: "stranger", email: "stranger@example.com", email_verified: true };
    await walk(openBrowser(sso.server), sso.toSignIn());
    const good = await sso.owner.call("GET", "/workspace/audit?act=sign-in-with-issuer");
    expect(good.json.data).toMatchObject([
      { actor: { kind: "person", id }, source: { address: expect.any(String) } },
    ]);
    const bad = await sso.owner.call("GET", "/workspace/audit?act=sign-in-refused");
    expect(bad.json.data).toMatchObject([
      { actor: { kind: "worker", id: "sign-in" }, target: { kind: "SsoIssuer", id: sso.issuerId } },
    ]);
  });
});

describe("people of a domain", () => {
  const autoJoin = { domain: "acme.example", role: "VIEWER" };

  it("are taken in at their first sign-in, as viewers", async () => {
    [sso.issuerId = ""] = await setSso(sso.owner, [sso.issuer], {
      names: [sso.name],
      more: { autoJoin },
    });
    sso.issuer.subject = {
      sub: "dora",
      email: "dora@acme.example",
      email_verified: true,
      name: "Dora",
    };
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    const session = await browser.call("GET", "/session");
    expect(session.json.person).toMatchObject({
      email: "dora@acme.example",
      name: "Dora",
      state: "ACTIVE",
      roles: [{ platformId: null, roles: ["VIEWER"] }],
      isOperator: false,
    });
  });

  it.each([
    ["of another domain", { email: "dora@evil.example", email_verified: true }],
    ["of a domain below", { email: "dora@a.acme.example", email_verified: true }],
    [
      "with the domain before another one",
      { email: "a@acme.example@evil.example", email_verified: true },
    ],
    ["whose address is not verified", { email: "dora@acme.example" }],
  ])("are not taken in %s", async (_what, told) => {
    [sso.issuerId = ""] = await setSso(sso.owner, [sso.issuer], {
      names: [sso.name],
      more: { autoJoin },
    });
    const before = await sso.rowsOf("people");
    sso.issuer.subject = { sub: "dora", ...told };
    expect((await walk(openBrowser(sso.server), sso.toSignIn())).to).toBe(REFUSED);
    expect(await sso.rowsOf("people")).toEqual(before);
  });

  it("come back by an invitation alone once they were removed", async () => {
    [sso.issuerId = ""] = await setSso(sso.owner, [sso.issuer], {
      names: [sso.name],
      more: { autoJoin },
    });
    sso.issuer.subject = { sub: "dora", email: "dora@acme.example", email_verified: true };
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    const { id } = (await browser.call("GET", "/session")).json.person;
    await sso.owner.call("DELETE", `/workspace/people/${id}`);
    expect((await browser.call("GET", "/session")).status).toBe(401);
    expect((await walk(openBrowser(sso.server), sso.toSignIn())).to).toBe(REFUSED);
    await sso.owner.call("POST", "/workspace/invites", {
      email: "dora@acme.example",
      name: "Dora",
      roles: [{ platformId: null, roles: ["VIEWER"] }],
    });
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console");
    const again = (await browser.call("GET", "/session")).json.person;
    expect(again).toMatchObject({ email: "dora@acme.example", state: "ACTIVE" });
    expect(again.id).not.toBe(id);
  });
});

describe("a session that an issuer opened", () => {
  async function signedIn(roles: readonly string[]) {
    const made = await sso.person(roles);
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    await browser.call("GET", "/session");
    return { ...made, browser };
  }

  /** A person who was invited, and never made a passkey. */
  async function invitedIn(roles: readonly string[]) {
    const email = `ivy@${sso.name}.example`;
    await stepUp(sso.owner);
    await sso.owner.call("POST", "/workspace/invites", {
      email,
      name: "Ivy",
      roles: [{ platformId: null, roles }],
    });
    sso.issuer.subject = { sub: "ivy", email, email_verified: true };
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    await browser.call("GET", "/session");
    return browser;
  }

  it("is open for acts that need a proof while the issuer's is fresh, and a step-up makes it so", async () => {
    sso.issuer.authTime = seconds() - 3600;
    const { browser } = await signedIn(["DEVELOPER"]);
    const act = (key: string) =>
      browser.at(sso.story.platformId)(
        "POST",
        "/tokens",
        { name: key, permissions: ["VIEW"] },
        { key },
      );
    expect(await act("a")).toMatchObject({
      status: 403,
      json: { details: { reason: "STEP_UP_REQUIRED", capability: "tokens.write" } },
    });
    const old = browser.cookie;
    const endsAt = (await browser.call("GET", "/session")).json.endsAt;
    sso.issuer.authTime = seconds();
    const back = { for: "step-up", issuer: sso.issuerId, to: "/console/p/acme-pay/api-keys" };
    expect((await walk(browser, back)).to).toBe("/console/p/acme-pay/api-keys?sso=STEPPED_UP");
    expect(sso.issuer.asked.at(-1)?.get("max_age")).toBe("0");
    expect((await browser.call("GET", "/session")).json.endsAt).toBe(endsAt);
    expect((await act("b")).status).toBe(201);
    const current = browser.cookie;
    browser.cookie = old;
    expect((await browser.call("GET", "/session")).status).toBe(401);
    browser.cookie = current;
    sso.wait(5 * MINUTE);
    expect((await act("c")).status).toBe(403);
  });

  it("is not stepped up by an old authentication, one without a time, or another person's", async () => {
    const { browser } = await signedIn(["DEVELOPER"]);
    const stepUpAt = () => walk(browser, { for: "step-up", issuer: sso.issuerId, to: "/console" });
    const refused = "/console?sso=REFUSED";
    for (const at of [undefined, seconds() - 3600]) {
      sso.issuer.authTime = at;
      expect((await stepUpAt()).to).toBe(refused);
    }
    sso.issuer.authTime = seconds();
    const mine = sso.issuer.subject;
    await sso.person();
    await walk(openBrowser(sso.server), sso.toSignIn());
    expect((await stepUpAt()).to).toBe(refused);
    sso.issuer.subject = mine;
    expect((await stepUpAt()).to).toBe("/console?sso=STEPPED_UP");
  });

  it("does not approve money, which needs a passkey", async () => {
    sso.issuer.authTime = seconds();
    const browser = await invitedIn(["APPROVER"]);
    const approve = () =>
      browser.at(sso.story.platformId)(
        "POST",
        "/transactions/Transaction:019a4f00-0000-7000-8000-000000000099/approve",
        {},
      );
    expect(await approve()).toMatchObject({
      status: 403,
      json: { details: { reason: "STEP_UP_REQUIRED", proof: "PASSKEY" } },
    });
    // A passkey is added under the fresh sign-in, and shown.
    const options = await browser.call("POST", "/me/passkeys", {});
    const passkey = registrationOf(browser, options.json);
    expect((await browser.call("POST", "/me/passkeys", { passkey })).status).toBe(201);
    const show = async () => {
      const asked = await browser.call("POST", "/step-up", {});
      const shown = assertionOf(browser, asked.json);
      return browser.call("POST", "/step-up", { passkey: shown });
    };
    expect((await show()).json.sso.issuerId).toBe(sso.issuerId);
    // Somebody who can set the issuers could have signed in as this person, so the passkey approves nothing for a day.
    expect(await approve()).toMatchObject({
      status: 403,
      json: { details: { capability: "payments.approve" } },
    });
    sso.wait(24 * 60 * MINUTE);
    await walk(browser, sso.toSignIn());
    await browser.call("GET", "/session");
    await show();
    expect((await approve()).status).toBe(404);
  });

  it("adds no passkey to those of a person who does not show one", async () => {
    sso.issuer.authTime = seconds();
    const { browser, id } = await signedIn(["APPROVER"]);
    const options = await browser.call("POST", "/me/passkeys", {});
    const passkey = registrationOf(browser, options.json);
    const refused = await browser.call("POST", "/me/passkeys", { passkey });
    expect(refused).toMatchObject({
      status: 403,
      json: { details: { reason: "STEP_UP_REQUIRED", proof: "PASSKEY" } },
    });
    const people = await sso.owner.call("GET", "/workspace/people");
    const found = people.json.data.find((one: { readonly id: string }) => one.id === id);
    expect(found.passkeys).toHaveLength(1);
  });

  it("ends when the issuer is removed", async () => {
    const { browser, id } = await signedIn(["DEVELOPER"]);
    const listed = async () => {
      const answer = await sso.owner.call("GET", `/workspace/people/${id}/sessions`);
      return answer.json.data.length;
    };
    const before = await listed();
    await stepUp(sso.owner);
    await sso.owner.call("PUT", "/workspace/sso", {
      names: [sso.name],
      isRequired: false,
      issuers: [],
    });
    sso.wait(1_000);
    expect((await browser.call("GET", "/session")).status).toBe(401);
    expect(await listed()).toBe(before - 1);
  });

  it("ends with the bindings of the person; the next sign-in binds anew", async () => {
    const { browser, id, email } = await signedIn(["DEVELOPER"]);
    await stepUp(sso.owner);
    expect((await sso.owner.call("DELETE", `/workspace/people/${id}/identities`)).status).toBe(204);
    expect((await browser.call("GET", "/session")).status).toBe(401);
    sso.issuer.subject = { sub: "made anew", email, email_verified: true };
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console");
    expect(await emailOf(browser)).toBe(email);
  });

  it("does not end by the bindings of an unknown person, of another workspace, or of an owner to an admin", async () => {
    const other = await sso.otherOwner("other");
    const foreign = (await other.call("GET", "/session")).json.person.id;
    const end = (browser: typeof other, id: string) =>
      browser.call("DELETE", `/workspace/people/${id}/identities`);
    await stepUp(sso.owner);
    const unknown = await end(sso.owner, "Person:019a4f00-0000-7000-8000-000000000099");
    expect(unknown).toMatchObject({ status: 404, json: { code: "REFERENCE_NOT_FOUND" } });
    const { status, json } = await end(sso.owner, foreign);
    expect([status, json.message]).toEqual([404, unknown.json.message]);
    const admin = (await sso.person(["ADMIN"])).browser;
    await stepUp(admin);
    const owner = (await sso.owner.call("GET", "/session")).json.person.id;
    expect((await end(admin, owner)).status).toBe(403);
    expect((await other.call("GET", "/session")).status).toBe(200);
  });

  it("makes nobody an owner who has no passkey", async () => {
    await stepUp(sso.owner);
    await sso.owner.call("POST", "/workspace/invites", {
      email: "eva@example.com",
      name: "Eva",
      roles: [{ platformId: null, roles: ["ADMIN"] }],
    });
    sso.issuer.subject = { sub: "eva", email: "eva@example.com", email_verified: true };
    const browser = openBrowser(sso.server);
    await walk(browser, sso.toSignIn());
    const { id } = (await browser.call("GET", "/session")).json.person;
    const roles = [{ platformId: null, roles: ["OWNER"] }];
    const refused = await sso.owner.call("PATCH", `/workspace/people/${id}`, { roles });
    expect(refused).toMatchObject({ status: 409, json: { details: { field: "roles" } } });
  });
});
