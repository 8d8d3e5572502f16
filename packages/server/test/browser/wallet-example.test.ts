/** The example with the wallet, as its page says: its server in a process of its own, its page in a real browser. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { accessibilityFaults, complaintsOf, startBrowser } from "../kit/browser.ts";
import { passkeysOf } from "../kit/browser-passkeys.ts";
import { openStory, type Story } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const program = fileURLToPath(new URL("../../../../examples/wallet/server.mjs", import.meta.url));

/** A key like any other, and none of the page's. */
const BASE_POINT =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

/** For all the steps of a walk, on a machine that has other things to do. */
const LIMIT_MS = 120_000;

let server: TestServer;
let story: Story;
let example: ChildProcess;
let url: string;
let browser: Browser;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  example = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      FLORIN_URL: new URL(server.baseUrl).origin,
      CLIENT_ID: story.clientId,
      CLIENT_SECRET: story.clientSecret,
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = await addressOf(example);
  browser = await startBrowser();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  example?.kill();
  await server.close();
});
beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  complaints = complaintsOf(page);
  await (await passkeysOf(page)).use("phone");
  await page.goto(url);
  return () => context.close();
}, 60_000);

async function addressOf(process: ChildProcess): Promise<string> {
  const lines = createInterface({ input: present(process.stdout ?? undefined, "its output") });
  const ended = once(process, "exit").then(([code]) => {
    throw new Error(`the example ended with ${code}`);
  });
  const [line] = await Promise.race([once(lines, "line"), ended]);
  return present(/^open (\S+)$/.exec(line)?.[1], `an address in ${line}`);
}

/** Presses the button and waits for what the page tells. */
async function press(name: string, reported: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("status").getByText(reported).waitFor();
}

const textOf = (id: string) => page.locator(`#${id}`).textContent();

async function walletId(): Promise<string> {
  await press("Open a wallet", "The wallet is open.");
  return present((await textOf("wallet")) ?? undefined, "a wallet");
}

const ways = [
  { type: "EMAIL_OTP", add: "Add mail", signIn: "Sign in by mail", nickname: "ana@example.com" },
  {
    type: "OAUTH",
    add: "Add ID token",
    signIn: "Sign in by ID token",
    nickname: "ana@example.com",
  },
  { type: "PASSKEY", add: "Add passkey", signIn: "Sign in by passkey", nickname: "This device" },
];

describe("the page", () => {
  it.each(ways)(
    "begins with $type, adds the others by signature, and shows the wallet's words",
    { timeout: LIMIT_MS },
    async (first) => {
      const accountId = await walletId();
      await press(first.add, `Added: ${first.type}`);
      expect(await textOf("signed")).toBe("none");
      for (const way of [first, ...ways.filter((other) => other !== first)]) {
        if (way !== first) {
          await press(way.add, `Added: ${way.type}, ${way.nickname}.`);
          expect(await textOf("signed")).toBe("ADD_CREDENTIAL");
        }
        await press(way.signIn, "Signed in.");
        expect(await textOf("session-type")).toBe(`${way.type}, ${way.nickname}`);
      }
      const sessions = (await story.call("GET", `/auth/sessions?accountId=${accountId}`)).json;
      expect(sessions.totalCount).toBe(3);
      expect(sessions.data[0]).toMatchObject({
        id: await textOf("session"),
        expiresAt: await textOf("session-end"),
      });
      expect(await page.locator("#credentials li").count()).toBe(3);

      await press("Export the wallet", "These words are the wallet.");
      expect(await textOf("signed")).toBe("EXPORT_WALLET");
      expect(await page.locator("#words li").count()).toBe(24);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it("signs nothing that its server has made of its own", { timeout: LIMIT_MS }, async () => {
    const change = (path: string, members: object) =>
      page.route(`**${path}`, (route) =>
        route.continue({
          postData: JSON.stringify({ ...route.request().postDataJSON(), ...members }),
        }),
      );
    // A code would go to this address, and a session to this key.
    await change("/open", { email: "mallory@example.com" });
    await change("/challenge", { clientPublicKey: BASE_POINT });
    await walletId();
    await press("Add passkey", "Added: PASSKEY");
    await press("Sign in by passkey", "That did not work: the challenge is for another login");
    await page.unroute("**/challenge");
    await press("Sign in by passkey", "Signed in.");
    await press("Add mail", "That did not work: the payload to sign is for another body");
    expect(await textOf("signed")).toBe("none");
    await change("/export", { clientPublicKey: BASE_POINT });
    await press("Export the wallet", "That did not work: the payload to sign is for another body");
    expect(await page.locator("#credentials li").count()).toBe(1);
  });

  it("shows what failed", { timeout: LIMIT_MS }, async () => {
    await press("Add mail", "That did not work");
    await walletId();
    await press("Sign in by mail", "That did not work: The wallet has no such way in yet.");
    await press("Add mail", "Added: EMAIL_OTP");
    await press("Send a new code", "A new code is made.");
    await page.getByLabel("Code").fill("123456");
    await press("Sign in by mail", "That did not work: Invalid OTP code");
    await press("Add ID token", "That did not work: Sign in first");
    expect(await textOf("session")).toBe("none");
    expect(await page.locator("#credentials li").count()).toBe(1);
  });
});

describe("the server behind the page", () => {
  it("serves its files and no others", async () => {
    expect((await fetch(`${url}/wallet/index.js`)).status).toBe(200);
    for (const path of ["/server.mjs", "/..%2fserver.mjs", "/wallet/../index.js", "/page.ts"]) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
    }
  });

  it("lets a visitor at their own wallet alone", async () => {
    const send = (path: string, body: object, cookie = "") =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify(body),
      });
    const opened = await send("/open", { email: "bea@example.com" });
    const cookie = present(opened.headers.get("set-cookie")?.split(";")[0], "a cookie");
    const { id } = await (await send("/add", { type: "EMAIL_OTP" }, cookie)).json();
    const other = await send("/open", { email: "eve@example.com" });
    const foreign = present(other.headers.get("set-cookie")?.split(";")[0], "a cookie");
    expect((await send("/challenge", { id }, foreign)).status).toBe(404);
    expect((await send("/challenge", { id }, cookie)).status).toBe(200);
    expect((await send("/state", {})).status).toBe(409);
  });

  it("takes JSON objects and nothing else", async () => {
    const send = (body: string, type = "application/json") =>
      fetch(`${url}/open`, { method: "POST", headers: { "content-type": type }, body });
    const statuses: number[] = [];
    for (const body of ["", "{", "null", "7"]) statuses.push((await send(body)).status);
    statuses.push((await send("{}", "text/plain")).status);
    statuses.push((await send(`{"email":"${"x".repeat(200_000)}"}`)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 415, 413]);
  });
});
