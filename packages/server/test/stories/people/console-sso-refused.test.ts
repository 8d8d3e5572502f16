/** Sign-ins at an issuer that are not right: each is refused, and makes nothing. */
import { describe, expect, it } from "vitest";
import { openBrowser } from "../../kit/console.ts";
import { begin, comeBack, setSso, visit, walk } from "../../kit/console-sso.ts";
import { newKeyPair, signToken } from "../../kit/oidc-issuer.ts";
import { sampleOf } from "../../kit/sample.ts";
import { unsigned } from "../../kit/sign-in-issuer.ts";
import { emailOf, MINUTE, REFUSED, ssoStory } from "../../kit/sso-story.ts";

const sso = ssoStory();
const seconds = () => Math.floor(sso.now() / 1000);

describe("a sign-in that is not right", () => {
  const wrong: readonly (readonly [string, () => void])[] = [
    ["another nonce", () => (sso.issuer.claims = (claims) => ({ ...claims, nonce: "other" }))],
    ["no nonce", () => (sso.issuer.claims = ({ nonce: _, ...claims }) => claims)],
    ["another audience", () => (sso.issuer.claims = (claims) => ({ ...claims, aud: "other" }))],
    [
      "two audiences and another authorized party",
      () =>
        (sso.issuer.claims = (claims) => ({
          ...claims,
          aud: [sso.issuer.clientId, "b"],
          azp: "b",
        })),
    ],
    [
      "another issuer",
      () => (sso.issuer.claims = (claims) => ({ ...claims, iss: "https://b.example" })),
    ],
    ["no subject", () => (sso.issuer.claims = ({ sub: _, ...claims }) => claims)],
    [
      "a token that has expired",
      () => (sso.issuer.claims = (claims) => ({ ...claims, exp: seconds() - 60 })),
    ],
    ["no signature", () => (sso.issuer.sign = unsigned)],
    [
      "the signature of another key",
      () => {
        const other = newKeyPair("ES256", "key-1");
        sso.issuer.sign = (claims) => signToken(other, { alg: "ES256", kid: "key-1" }, claims);
      },
    ],
    [
      "an algorithm that is not allowed",
      () => {
        sso.issuer.sign = (claims) =>
          signToken(sso.issuer.key, { alg: "HS256", kid: "key-1" }, claims);
      },
    ],
    ["another state", () => (sso.issuer.goBack = changed("state", "other"))],
    ["no state", () => (sso.issuer.goBack = changed("state"))],
    ["a code that the issuer does not know", () => (sso.issuer.goBack = changed("code", "other"))],
    ["the name of another issuer", () => (sso.issuer.goBack = changed("iss", "https://b.example"))],
    [
      "an address that is not verified",
      () => (sso.issuer.subject = { ...sso.issuer.subject, email_verified: false }),
    ],
    [
      "an address that is verified in words alone",
      () => (sso.issuer.subject = { ...sso.issuer.subject, email_verified: "true" }),
    ],
  ];

  function changed(parameter: string, value?: string) {
    return (url: URL) => {
      if (value === undefined) url.searchParams.delete(parameter);
      else url.searchParams.set(parameter, value);
      return url;
    };
  }

  it.each(sampleOf(wrong))("is refused and makes nothing: %s", async (_what, distort) => {
    await sso.person();
    const before = await sso.everything();
    distort();
    const browser = openBrowser(sso.server);
    expect((await walk(browser, sso.toSignIn())).to).toBe(REFUSED);
    expect(browser.cookie).toBeUndefined();
    expect(await sso.everything()).toEqual(before);
  });

  it("is refused with another verifier of PKCE than the browser began with", async () => {
    await sso.person();
    const before = await sso.everything();
    const browser = openBrowser(sso.server);
    const { url, flowCookie } = await begin(browser, sso.toSignIn());
    const asked = new URL(url);
    asked.searchParams.set("code_challenge", "a".repeat(43));
    expect((await comeBack(browser, await visit(asked.href), flowCookie)).to).toBe(REFUSED);
    expect(await sso.everything()).toEqual(before);
  });

  it("is refused without the cookie, with the cookie of another browser, with an old one", async () => {
    await sso.person();
    const before = await sso.everything();
    const [browser, other] = [openBrowser(sso.server), openBrowser(sso.server)];
    const { url, flowCookie } = await begin(browser, sso.toSignIn());
    const foreign = await begin(other, sso.toSignIn());
    const back = await visit(url);
    const expired = "/console/sign-in?sso=EXPIRED";
    expect((await comeBack(browser, back, undefined)).to).toBe(expired);
    expect((await comeBack(browser, back, foreign.flowCookie)).to).toBe(REFUSED);
    const forged = flowCookie?.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
    expect((await comeBack(browser, back, forged)).to).toBe(expired);
    expect((await comeBack(browser, back, `${flowCookie}; ${foreign.flowCookie}`)).to).toBe(
      expired,
    );
    sso.wait(10 * MINUTE);
    expect((await comeBack(browser, back, flowCookie)).to).toBe(expired);
    expect(await sso.everything()).toEqual(before);
  });

  it("is refused a second time, though the issuer takes the code twice", async () => {
    await sso.person();
    sso.issuer.takesCodesTwice = true;
    const browser = openBrowser(sso.server);
    const { url, flowCookie } = await begin(browser, sso.toSignIn());
    const back = await visit(url);
    expect((await comeBack(browser, back, flowCookie)).to).toBe("/console");
    const before = await sso.everything();
    expect((await comeBack(openBrowser(sso.server), back, flowCookie)).to).toBe(REFUSED);
    expect(await sso.everything()).toEqual(before);
  });

  it("opens nothing for the subject of another issuer with the same name", async () => {
    const { email } = await sso.person();
    await walk(openBrowser(sso.server), sso.toSignIn());
    const second = await sso.newIssuer();
    const listed = await sso.owner.call("GET", "/workspace/sso");
    const [first] = listed.json.issuers;
    const added = await sso.owner.call("PUT", "/workspace/sso", {
      names: [sso.name],
      isRequired: false,
      issuers: [
        { id: first.id, name: "A", issuer: sso.issuer.issuer, clientId: sso.issuer.clientId },
        {
          name: "B",
          issuer: second.issuer,
          clientId: second.clientId,
          clientSecret: second.clientSecret,
        },
      ],
    });
    const secondId = added.json.issuers[1].id;
    const before = await sso.everything();
    second.subject = { sub: sso.issuer.subject.sub };
    const browser = openBrowser(sso.server);
    expect((await walk(browser, { workspace: sso.name, issuer: secondId })).to).toBe(REFUSED);
    expect(await sso.everything()).toEqual(before);
    // A first match of its own is good: it has verified the address.
    second.subject = { sub: sso.issuer.subject.sub, email, email_verified: true };
    expect((await walk(browser, { workspace: sso.name, issuer: secondId })).to).toBe("/console");
    expect(await emailOf(browser)).toBe(email);
  });

  it("is refused where the answer of one issuer is brought to the sign-in at another", async () => {
    await sso.person();
    const second = await sso.newIssuer();
    second.subject = sso.issuer.subject;
    const other = await sso.otherOwner("second");
    const [secondId = ""] = await setSso(other, [second], { names: [`${sso.name}-b`] });
    const before = await sso.everything();
    const browser = openBrowser(sso.server);
    const begun = await begin(browser, { workspace: `${sso.name}-b`, issuer: secondId });
    // The browser is sent to the first issuer with the request that was meant for the second one.
    const honest = await begin(openBrowser(sso.server), sso.toSignIn());
    const asked = new URL(begun.url);
    const mixed = new URL(honest.url);
    for (const parameter of ["state", "nonce", "code_challenge"])
      mixed.searchParams.set(parameter, asked.searchParams.get(parameter) ?? "");
    const back = await visit(mixed.href);
    expect((await comeBack(browser, back, begun.flowCookie)).to).toBe(REFUSED);
    // Neither issuer is given the code, which would be worth a sign-in as the person at the first one.
    expect(second.redeemed).toHaveLength(0);
    expect(sso.issuer.redeemed).toHaveLength(0);
    expect(await sso.everything()).toEqual(before);
  });

  it("is refused where the answer names another issuer, or no workspace", async () => {
    await sso.person();
    const before = await sso.everything();
    const bends: readonly ((url: URL) => void)[] = [
      (url) => url.searchParams.set("iss", "https://login.other.example"),
      (url) => {
        url.pathname = "/console/sso/callback";
      },
    ];
    for (const bend of bends) {
      const browser = openBrowser(sso.server);
      const { url, flowCookie } = await begin(browser, sso.toSignIn());
      const back = new URL(await visit(url));
      bend(back);
      expect((await comeBack(browser, back.href, flowCookie)).to).toBe(REFUSED);
    }
    expect(sso.issuer.redeemed).toHaveLength(0);
    expect(await sso.everything()).toEqual(before);
  });

  it("begins at no link of another site", async () => {
    const { port } = sso.server.app.address;
    const query = new URLSearchParams(sso.toSignIn());
    const answerFrom = async (site: string) => {
      const answer = await fetch(`http://localhost:${port}/console/sso/start?${query}`, {
        redirect: "manual",
        headers: { "sec-fetch-site": site },
      });
      return [answer.headers.get("location"), answer.headers.getSetCookie().length];
    };
    expect(await answerFrom("cross-site")).toEqual(["/console/sign-in", 0]);
    expect(await answerFrom("same-site")).toEqual(["/console/sign-in", 0]);
    expect(await answerFrom("same-origin")).toEqual([expect.stringContaining("/authorize?"), 1]);
  });

  it("says that the person or the issuer ended it, and that the issuer does not answer", async () => {
    await sso.person();
    sso.issuer.goBack = (url) => {
      url.searchParams.delete("code");
      url.searchParams.set("error", "access_denied");
      return url;
    };
    const browser = openBrowser(sso.server);
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console/sign-in?sso=CANCELLED");
    sso.issuer.goBack = (url) => url;
    sso.issuer.answerInstead = (path, response) => {
      if (path !== "/token") return false;
      response.destroy();
      return true;
    };
    expect((await walk(browser, sso.toSignIn())).to).toBe("/console/sign-in?sso=UNREACHABLE");
  });

  it("never leads away from the console", async () => {
    await sso.person();
    for (const to of [
      "https://evil.example",
      "//evil.example/console",
      "/\\evil.example",
      "/console/../docs",
      "/console/api/session",
      "/console/sso/start",
      "/consoles",
      "javascript:alert(1)",
    ]) {
      expect([to, (await walk(openBrowser(sso.server), { ...sso.toSignIn(), to })).to]).toEqual([
        to,
        "/console",
      ]);
    }
  });

  it("begins nowhere for an unknown workspace, issuer or purpose, and without a session", async () => {
    const nowhere = [
      {},
      { workspace: sso.name },
      { issuer: sso.issuerId },
      { workspace: "nobody", issuer: sso.issuerId },
      { workspace: sso.name, issuer: "SsoIssuer:019a4f00-0000-7000-8000-000000000099" },
      { workspace: sso.name, issuer: "Person:019a4f00-0000-7000-8000-000000000099" },
      { ...sso.toSignIn(), for: "anything" },
      { issuer: sso.issuerId, for: "step-up" },
      { issuer: sso.issuerId, for: "test" },
    ];
    for (const query of nowhere) {
      const { url, flowCookie } = await begin(
        openBrowser(sso.server),
        query as Record<string, string>,
      );
      expect([query, url, flowCookie]).toEqual([query, "/console/sign-in?sso=EXPIRED", undefined]);
    }
  });
});
