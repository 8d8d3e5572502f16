/** The page behind an invitation's link, as a browser without scripts gets it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStory, type Story } from "../kit/story.ts";
import { claim, formTokenIn, invite, open, post, statusOf } from "../kit/story-invitations.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

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
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none';/);
  expect(policy).toContain("form-action 'self'; frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
}

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
      "2100-01-02 03:04 UTC",
      "Nothing has been sent yet",
      "No real money moves",
      '<html lang="en">',
      '<meta name="robots" content="noindex">',
    ]) {
      expect(page.html).toContain(text);
    }
    expect(page.html).not.toMatch(/<script|<link|src=|https?:/);
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
    expect(page.html).not.toMatch(/<script|<img|\u202e/);
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
      expect(page.html).not.toMatch(/<script>|<img/);
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
