// The twelve pictures of README and the guides, in docs/pictures: a server with an empty sandbox, filled by `florin demo`, and what a
// person sees of it. Build first; a browser test unpacks the browser. Names of all languages need their fonts (Noto). It takes two minutes.
//
//   npm run build && node packages/console/look/pictures.mjs
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pictures = join(root, "docs/pictures");
const cache = join(root, "node_modules/.cache");
/** Of a picture of the size of a screen, 30 to 90 kB. */
const QUALITY = 70;
const OLGA = { name: "Olga Marin", email: "olga@northwind.example" };
const FEMI = { name: "Femi Adeyemi", email: "femi@northwind.example" };
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const data = mkdtempSync(join(tmpdir(), "florin-pictures-"));
const server = spawn(process.execPath, ["packages/server/dist/main.js", "start"], {
  cwd: root,
  env: { ...process.env, PORT: "0", DATA_DIR: data },
});
let browser;
try {
  const started = await textUntil(server, /florin ready at (\S+)/);
  const { origin } = new URL(/florin ready at (\S+)/.exec(started)[1]);
  const local = origin.replace("127.0.0.1", "localhost");
  const word = (name) => new RegExp(`${name}\\s+(\\S+)`).exec(started)[1];
  const token = { id: word("clientId"), secret: word("clientSecret") };
  const credentials = { FLORIN_CLIENT_ID: token.id, FLORIN_CLIENT_SECRET: token.secret };
  await florin(["demo"], { FLORIN_URL: origin, ...credentials });
  browser = await startBrowser();
  const owner = await enter(word("console").replace(origin, local), OLGA);
  await take({ owner, local, financeLink: await financeLink(local) });
} finally {
  await browser?.close();
  server.kill();
  await new Promise((done) => server.once("exit", done));
  rmSync(data, { recursive: true, force: true });
}

function textUntil(child, mark) {
  return new Promise((done, failed) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (mark.test(text)) done(text);
    });
    child.once("exit", () => failed(new Error(`the server did not start: ${text}`)));
  });
}

function florin(words, env) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ["packages/server/bin/florin.mjs", ...words], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("exit", (code) => (code === 0 ? done(text) : failed(new Error(text))));
  });
}

function startBrowser() {
  const place = readdirSync(cache).find((name) => /^chromium-\d/.test(name));
  if (place === undefined) throw new Error("run a browser test first: it unpacks the browser");
  return chromium.launch({
    executablePath: join(cache, place, "chromium"),
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    env: { ...process.env, LD_LIBRARY_PATH: join(cache, place, "al2023/lib") },
  });
}

async function financeLink(local) {
  const words = ["people", "invite", "--email", FEMI.email, "--name", FEMI.name];
  const text = await florin([...words, "--roles", "finance,approver"], { DATA_DIR: data });
  return /link\s+(\S+)/.exec(text)[1].replace(/^https?:\/\/[^/]+/, local);
}

/** A person with a passkey who has come in by a link. The names of the workspace are those of an example. */
async function enter(link, { name, email }) {
  const context = await browser.newContext({
    viewport: DESK,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  await context.addInitScript(() => {
    const asked = window.fetch;
    window.fetch = async (...words) => {
      const answer = await asked(...words);
      if (!answer.url.endsWith("/console/api/session") || !answer.ok) return answer;
      const session = await answer.json();
      session.workspace.name = "Northwind";
      session.platforms[0].name = "Northwind Pay";
      return new Response(JSON.stringify(session), { headers: answer.headers });
    };
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
    },
  });
  await page.goto(link);
  await page.getByLabel("Your email address").fill(email);
  const names = page.getByLabel("Your name");
  if ((await names.count()) > 0) await names.fill(name);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.waitForURL(/\/home/);
  return { page, devtools };
}

/** A call of the page's session. */
function call(page, method, path, body) {
  return page.evaluate(
    async ([how, where, sent]) => {
      const base = "/console/api";
      const session = await (await fetch(`${base}/session`)).json();
      const place = where.replace("{p}", `p/${session.platforms[0].id}`);
      const answer = await fetch(`${base}/${place}`, {
        method: how,
        headers: {
          "florin-csrf": session.csrf,
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      return answer.json();
    },
    [method, path, body],
  );
}

async function take({ owner: { page, devtools }, local, financeLink: link }) {
  const base = `${local}/console/p/sandbox`;
  const shoot = async (name, place, { size = DESK, theme = "light", before } = {}) => {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(place.startsWith("http") ? place : `${base}/${place}`);
    await settled(page);
    await before?.();
    await page.waitForTimeout(600);
    const { data: bytes } = await devtools.send("Page.captureScreenshot", {
      format: "webp",
      quality: QUALITY,
    });
    writeFileSync(join(pictures, `${name}-${size.width}-${theme}.webp`), bytes, "base64");
  };
  // The endpoints of a demo get nothing once it has ended: each page would begin with that.
  const endpoints = /\/webhook-endpoints(\?|$)/;
  const none = { data: [], totalCount: 0, hasMore: false };
  await page.context().route(endpoints, (route) => route.fulfill({ json: none }));
  await page.getByRole("button", { name: "Not now" }).click();
  await shoot("home", "home?period=30d");
  await shoot("home", "home?period=30d", { theme: "dark" });
  await shoot("payments", "payments", {
    // The first page has the payments of one moment.
    before: async () => {
      await page.getByRole("button", { name: "Next page" }).click();
      await settled(page);
    },
  });
  await shoot("search", "payments", {
    before: async () => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("whitfield", { delay: 20 });
      await page.waitForTimeout(1_500);
    },
  });
  await shoot("timeline", `payments/${await returnedPayment(page)}`, {
    before: () => page.getByRole("heading", { name: "Timeline" }).scrollIntoViewIfNeeded(),
  });
  await shoot("queue", "rail-queue");
  await shoot("suspense", "rail-items");
  await shoot("reconciliation", `rail-reconciliation?${await brokenDay(page)}`);
  const approval = await askPayment(page, link);
  await shoot("approval", `approvals/${approval}`);
  await shoot("approval", `approvals/${approval}`, { size: PHONE });
  await shoot("new-payment", "payments", {
    before: async () => {
      await page.getByRole("button", { name: "New payment" }).click();
      await page.getByRole("dialog").getByRole("combobox").pressSequentially("gro", { delay: 40 });
      await page.waitForTimeout(1_500);
    },
  });
  await page.context().unroute(endpoints);
  await shoot("deliveries", "deliveries");
}

async function settled(page) {
  await page.waitForLoadState("load");
  for (let calm = 0; calm < 8; ) {
    await page.waitForTimeout(100);
    calm = (await page.locator("[aria-busy=true]").count()) === 0 ? calm + 1 : 0;
  }
}

/** A payment that the bank sent back after it was marked as paid. */
async function returnedPayment(page) {
  const { data: orders } = await call(page, "GET", "{p}/rails/payments?state=RETURNED&limit=1");
  return orders[0].transactionId;
}

async function brokenDay(page) {
  const { books } = await call(page, "GET", "{p}/rails/desk/reconciliation?days=7");
  const { connectionId, currency, days } = books[0];
  const { day } = days.find(({ state }) => state === "RED");
  return new URLSearchParams({ connectionId, currency, day });
}

/** A payment of another person that waits for the owner: payments wait here from now on. */
async function askPayment(page, link) {
  const finance = await enter(link, FEMI);
  const { platforms } = await call(page, "GET", "session");
  const rules = { PAYMENT: { waits: true } };
  await call(page, "PUT", "workspace/policies", { platformId: platforms[0].id, rules });
  const { data: customers } = await call(page, "GET", "{p}/customers?limit=100");
  const plain = customers.filter(({ fullName }) =>
    /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(fullName ?? ""),
  );
  for (const { id: customerId } of plain) {
    const accounts = `{p}/customers/internal-accounts?customerId=${customerId}&currency=USD`;
    const { data: own } = await call(page, "GET", accounts);
    const source = own.find(({ balance }) => balance.amount > 301_250);
    if (source === undefined) continue;
    const payee = await call(page, "POST", "{p}/customers/external-accounts", {
      customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "00441829104",
        routingNumber: "021000021",
        bankName: "First Harbor Bank",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Jonas Berg" },
      },
    });
    const { id: asked } = await call(finance.page, "POST", "{p}/transfer-out", {
      source: { accountId: source.id },
      destination: { accountId: payee.id },
      amount: 301_250,
      description: "Invoice 2026-118, office rent",
    });
    return asked;
  }
  throw new Error("no customer has enough money");
}
