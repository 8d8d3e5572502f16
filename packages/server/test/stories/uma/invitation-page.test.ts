/** The page behind an invitation's link, as a browser without scripts gets it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyScript } from "../../../src/http/hosted/copy-script.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  cancel,
  claim,
  formTokenIn,
  invite,
  newInviter,
  open,
  post,
  statusOf,
} from "../../kit/story-invitations.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const NOBODY = "0123456789abcdef0123456789abcdef";
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
});
afterAll(() => server.close());

const pageAt = (code: string) => `${server.app.baseUrl}/i/${code}`;

function expectGuarded({ headers }: { readonly headers: Headers }): void {
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("set-cookie")).toBeNull();
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+';( script-src 'sha256-[^']+';)? base-uri 'none';/,
  );
  expect(policy).toContain("form-action 'self'; frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
}

/** The page without the one script that it may have, which its policy names. */
function withoutOwnScript(html: string): string {
  expect(html.split(OWN_SCRIPT)).toHaveLength(2);
  return html.replace(OWN_SCRIPT, "");
}

const OWN_SCRIPT = `<script>${copyScript}</script>`;

describe("the page of a pending invitation", () => {
  it("shows who invites, the amount, until when, and the code; and nothing is sent yet", async () => {
    const { url, code, inviterUma } = await invite(story, {
      firstName: "Ana",
      amountToSend: 125_000,
      expiresAt: "2100-01-02T03:04:05Z",
    });
    const page = await open(url);
    expectGuarded(page);
    expect([page.status, page.heading]).toEqual([200, "Ana would like to send you money"]);
    for (const text of [
      "1,250.00 EUR",
      inviterUma,
      code,
      "January 2, 2100 at 03:04 UTC",
      '<time datetime="2100-01-02T03:04:05.000Z">',
      "Nothing has been sent yet",
      "No real money moves",
      '<html lang="en">',
      '<meta name="robots" content="noindex">',
    ]) {
      expect(page.html).toContain(text);
    }
    expect(withoutOwnScript(page.html).replaceAll(url, "")).not.toMatch(
      /<script|<link|src=|https?:/,
    );
  });

  it("names the inviter in full where the invitation says so", async () => {
    const made = await invite(story, { firstName: "Ana", showInviterName: true });
    expect(made.showInviterName).toBe(true);
    expect((await open(made.url)).heading).toBe("Ana Ruiz would like to send you money");
    await cancel(story, made.code);
    expect((await open(made.url)).html).toContain("<bdi>Ana Ruiz</bdi>");
    const plain = await invite(story, { showInviterName: false });
    expect(plain).not.toHaveProperty("showInviterName");
    expect((await open(plain.url)).html).not.toContain("Ruiz");
  });

  it("names a business, and refuses to name an inviter without a name", async () => {
    const business = await newInviter(story, {
      customerType: "BUSINESS",
      fullName: undefined,
      businessInfo: {
        legalName: "Lind Boats LLC",
        country: "US",
        taxId: "12-3456789",
        incorporatedOn: "2015-06-01",
      },
    });
    const named = { inviterUma: business.umaAddress, showInviterName: true };
    const { url } = (await story.call("POST", "/invitations", named)).json;
    expect((await open(url)).heading).toBe("Lind Boats LLC would like to send you money");
    const nameless = await newInviter(story, { fullName: undefined });
    const body = { inviterUma: nameless.umaAddress, showInviterName: true };
    const refused = await story.call("POST", "/invitations", body);
    expect([refused.status, refused.json.details.errors[0].field]).toEqual([
      400,
      "showInviterName",
    ]);
  });

  it("does without a name and an amount", async () => {
    const page = await open((await invite(story)).url);
    expect(page.heading).toBe("You are invited to be sent money");
    expect(page.html).not.toContain('class="amount"');
  });

  it("is the page of a sandbox alone that says it is a test", async () => {
    const open24 = await startTestServer({ settings: { PUBLIC_URL: "http://pay.example" } });
    try {
      const production = await openStory(open24, { environment: "PRODUCTION" });
      const { code } = await invite(production);
      const { port } = open24.app.address;
      const page = await open(`http://127.0.0.1:${port}/i/${code}`);
      expect(page.heading).toBe("You are invited to be sent money");
      expect(page.html).not.toContain("This is a test");
    } finally {
      await open24.close();
    }
  });

  it("shows a name as text, in its own direction", async () => {
    const { url } = await invite(story, { firstName: `${HOSTILE.slice(0, 60)}\u202e` });
    const page = await open(url);
    expect(withoutOwnScript(page.html)).not.toMatch(/<script|<img|\u202e/);
    expect(page.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("answers HEAD without a body, and no other method", async () => {
    const { url } = await invite(story);
    const head = await open(url, { method: "HEAD" });
    expect([head.status, head.html]).toEqual([200, ""]);
    const put = await fetch(url, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});

describe("the page of no invitation", () => {
  it.each([NOBODY, "x", "%3Cscript%3E", "a%00b", NOBODY.toUpperCase(), "..%2f", "é".repeat(200)])(
    "is the same for every code that nobody has: %s",
    async (code) => {
      const [page, nobody] = [await open(pageAt(code)), await open(pageAt(NOBODY))];
      expectGuarded(page);
      expect([page.status, page.heading]).toEqual([404, "There is no invitation here"]);
      expect(page.html).toBe(nobody.html);
    },
  );
});

describe("the form for an address", () => {
  async function openForm() {
    const made = await invite(story, { firstName: "Ana" });
    return { ...made, token: formTokenIn((await open(made.url)).html) };
  }

  it("says where to accept, and changes nothing", async () => {
    const { url, code, token } = await openForm();
    const page = await post(url, { "form-token": token, umaAddress: " $BEA@wallet.test " });
    expectGuarded(page);
    expect([page.status, page.heading]).toEqual([200, "Accept at wallet.test"]);
    expect(page.html).toContain("$bea@wallet.test");
    expect(page.html).toContain(code);
    expect(await statusOf(story, code)).toBe("PENDING");
  });

  it.each(["", "bea@wallet.test", "$bea", "x".repeat(400), HOSTILE, "$bea@wallet.test\r\n$x@y.z"])(
    "asks again for %j, and keeps what was entered",
    async (umaAddress) => {
      const { url, token } = await openForm();
      const page = await post(url, { "form-token": token, umaAddress });
      expect(page.status).toBe(400);
      expect(page.html).toContain('aria-invalid="true"');
      expect(page.html).toContain("Enter a UMA address");
      expect(withoutOwnScript(page.html)).not.toMatch(/<script>|<img/);
      expect(page.html).toContain("<title>Error: ");
    },
  );

  it("does not take the inviter's own address", async () => {
    const { url, token, inviterUma } = await openForm();
    const page = await post(url, { "form-token": token, umaAddress: inviterUma });
    expect([page.status, page.html.includes("own address")]).toEqual([400, true]);
  });

  it("shows the present state of the invitation", async () => {
    const { url, token, code } = await openForm();
    await claim(story, code);
    const page = await post(url, { "form-token": token, umaAddress: "$bea@wallet.test" });
    expect([page.status, page.heading]).toEqual([200, "This invitation was accepted"]);
    expect(page.html).not.toContain("wallet.test");
  });

  it.each([
    ["no token", {}, {}, 403],
    ["a made-up token", { "form-token": "AAAA" }, {}, 403],
    ["another site's request", "own", { "sec-fetch-site": "cross-site" }, 403],
    ["JSON", "own", { "content-type": "application/json" }, 415],
  ])("refuses %s with a page", async (_what, fields, headers, status) => {
    const { url, token } = await openForm();
    const own = { "form-token": token, umaAddress: "$bea@wallet.test" };
    const page = await post(
      url,
      fields === "own" ? own : { ...own, "form-token": "", ...(fields as object) },
      headers as Record<string, string>,
    );
    expectGuarded(page);
    expect(page.status).toBe(status);
  });

  it("refuses the token of another invitation", async () => {
    const [one, other] = [await openForm(), await openForm()];
    const page = await post(one.url, { "form-token": other.token, umaAddress: "$bea@wallet.test" });
    expect([page.status, page.heading]).toEqual([403, "This form is out of date"]);
  });

  it("refuses more than a form of ours can hold", async () => {
    const { url, token } = await openForm();
    const page = await post(url, { "form-token": token, umaAddress: "x".repeat(40_000) });
    expect(page.status).toBe(413);
    expectGuarded(page);
  });
});
