/** UMA in the console: what is set up, other institutions, and what UMA says of a payment. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { overflowOf } from "../kit/console-dialogs.ts";
import { keep } from "../kit/console-pages.ts";
import { accept } from "../kit/console-people.ts";
import { umaRows } from "../kit/console-rows.ts";
import { consoleCall } from "../kit/hostile-rows.ts";
import { endReceivers } from "../kit/receivers.ts";
import { expectStatus } from "../kit/story-rails.ts";
import { railObjects } from "../kit/valid-rail-calls.ts";
import {
  invoicedTransaction,
  offeredTransaction,
  triedHook,
} from "../kit/valid-uma-payment-calls.ts";
import { KEYS } from "../kit/valid-uma-policy-calls.ts";
import { sandboxInvoice } from "../kit/valid-uma-sandbox-calls.ts";

const TOLD = JSON.stringify({ originator: { accountNumber: ["$bo@vasp.example"] } });

describe.runIf(hasBrowser)("UMA in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let paymentId: string;
  let paidId: string;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    const { story } = visit;
    await umaRows(story);
    const connection = await present(railObjects.RailConnection, "a connection")(story);
    const [, connectionId = ""] = connection.split(":");
    paymentId = await invoicedTransaction(story, { told: TOLD });
    paidId = await offeredTransaction(story, connectionId);
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  const open = async (place: string) => {
    await page.goto(`${home}/${place}`);
    await settled(page);
  };
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const dialog = () => page.getByRole("dialog");
  const confirm = async (name: string) => {
    await dialog().getByRole("button", { name, exact: true }).click();
    await dialog().waitFor({ state: "detached" });
  };
  const choose = async (field: string, option: RegExp) => {
    await dialog().getByRole("button", { name: field }).click();
    await page.getByRole("option", { name: option }).click();
  };
  /** `show` opens what the picture is of: another width makes another page of it. */
  const pictures = async (name: string, show?: () => Promise<void>) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await show?.();
      // A button under the pointer has another colour.
      await page.mouse.move(0, 0);
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await settled(page);
        await keep(page, { state: "uma", name, width, theme });
        expect(await accessibilityFaults(page)).toEqual([]);
        expect(await overflowOf(page)).toEqual([]);
      }
    }
  };
  const ofInstitution = async (domain: string) => {
    const path = `/uma/counterparties?domain=${domain}`;
    return (await visit.story.call("GET", path)).json.data[0];
  };

  it("has the domains, the keys and the policy of the platform, in sentences", async () => {
    await open("uma");
    await pictures("set-up");
    const domains = page.getByRole("list", { name: "Domains" });
    await domains.getByText("Not served yet").waitFor();
    await domains.getByText("The routing was not checked yet.").waitFor();
    await page.getByText("All institutions are taken, except blocked ones.").waitFor();
    const shown = await page.locator("main").innerText();
    const { data } = (await visit.story.call("GET", "/uma/keys")).json;
    expect(data).toHaveLength(2);
    for (const { publicKey } of data) expect(shown).not.toContain(publicKey);
  });

  it("changes the policy by the same sentences, and nothing else of it", async () => {
    await open("uma");
    const policy = page.locator("section").filter({ hasText: "Which institutions" });
    expect(await policy.count()).toBe(0);
    const shown = page.locator("section").filter({ hasText: "All institutions are taken" });
    await shown.getByRole("button", { name: "Edit" }).click();
    await choose("Which institutions", /Only institutions that are allowed/);
    await dialog().getByLabel("Life of an invoice, in seconds").fill("soon");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByText("must be a number from 60 to 3,600").waitFor();
    await dialog().getByLabel("Life of an invoice, in seconds").fill("120");
    await dialog().getByLabel("Preferred layers").fill("bank.example, ln");
    await dialog().getByLabel("Authorities").fill("no certificate");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByText("must be certificates in PEM and nothing else").waitFor();
    await dialog().getByLabel("Authorities").fill("");
    await pictures("policy");
    const before = (await visit.story.call("GET", "/uma/policy")).json;
    await confirm("Save");
    await page.getByText("Only institutions that are allowed are taken.").waitFor();
    expect((await visit.story.call("GET", "/uma/policy")).json).toEqual({
      ...before,
      ...{ counterparties: "LISTED", invoiceSeconds: 120, layers: ["bank.example", "ln"] },
      updatedAt: expect.any(String),
    });
  });

  it("lets a sandbox speak UMA to others, and puts a fault into its answers", async () => {
    await open("uma");
    await page.getByText("Payments between sandboxes are simulated.").waitFor();
    const policy = page.locator("section").filter({ hasText: "Payments between sandboxes" });
    await policy.getByRole("button", { name: "Edit" }).click();
    await choose("Other sandboxes", /by the messages of UMA/);
    await confirm("Save");
    await page.getByText("The answers to other institutions have no fault.").waitFor();
    await press("Set a fault");
    await choose("Fault", /^Another amount$/);
    await dialog().getByLabel("Answers with it").fill("many");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByText("Must be a whole number from 0 to 100.").waitFor();
    await dialog().getByLabel("Answers with it").fill("2");
    await pictures("fault");
    await confirm("Save");
    await page.getByText(/The next 2 answers to other institutions have a fault/).waitFor();
    await pictures("faults");
    expect((await visit.story.call("GET", "/sandbox/uma/faults")).json).toMatchObject({
      ...{ kind: "WRONG_AMOUNT", next: 2 },
    });
  });

  it("shows the built-in layer, and pays an invoice on it", async () => {
    const id = await sandboxInvoice(visit.story);
    await open("rails");
    await page.getByText("Every currency").first().waitFor();
    await open(`payments/${id}`);
    await pictures("sandbox-payment", () =>
      page.getByRole("button", { name: "Pay the invoice" }).scrollIntoViewIfNeeded(),
    );
    await press("Pay the invoice");
    await choose("What arrives", /^A tenth less$/);
    await confirm("Pay the invoice");
    const { data } = (await visit.story.call("GET", "/rails/items?state=OPEN")).json;
    expect(data).toMatchObject([{ reason: "AMOUNT_DIFFERS" }]);
  });

  it("shows what became of the message after a payment without being asked again", async () => {
    const { story } = visit;
    const id = await sandboxInvoice(story);
    expectStatus(
      200,
      await story.call("POST", `/sandbox/uma/invoices/${id}/pay`, { outcome: "EXACT" }),
    );
    await story.settle();
    await triedHook(story, id, { tries: 0, outcome: "failed" });
    await open(`payments/${id}`);
    const shown = page.locator("section").filter({ hasText: "vasp.example" });
    await shown.getByText("Paid", { exact: true }).waitFor();
    await shown.getByText("Being sent (1 try)").waitFor();
    await triedHook(story, id, { tries: 1, outcome: "sent" });
    await shown.getByText("Sent (2 tries)").waitFor();
  });

  it("rotates a key", async () => {
    await open("uma");
    await page
      .getByRole("list", { name: "Keys" })
      .getByRole("listitem")
      .filter({ hasText: "Signing key" })
      .getByRole("button", { name: "Rotate" })
      .click();
    await choose("Takes over", /In a day/);
    await confirm("Rotate");
    await page.getByText("Takes over later").waitFor();
    const { data } = (await visit.story.call("GET", "/uma/keys")).json;
    expect(data).toMatchObject([{ use: "SIGNING", status: "NEXT" }, {}, {}]);
    await pictures("rotated");
  });

  it("lists institutions, blocks one, and keeps what is set otherwise for it", async () => {
    await open("uma-counterparties");
    await pictures("institutions");
    await page
      .getByRole("link", { name: /Example/ })
      .first()
      .click();
    await page.getByText("In place of the policy").waitFor();
    await pictures("institution");
    await press("Block");
    await confirm("Block");
    await press("Leave to the policy");
    await confirm("Leave to the policy");
    await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
    expect(await ofInstitution("vasp.example")).toMatchObject({
      status: "DEFAULT",
      overrides: { pinKeys: true, certificates: "DOMAIN" },
    });
  });

  it("accepts a changed key after both fingerprints were shown", async () => {
    await open("uma-counterparties/vasp.example");
    await pictures("accept", async () => {
      await press("Accept the key");
      await dialog().getByText(KEYS.second).waitFor();
      await dialog().getByText(KEYS.first).waitFor();
    });
    await confirm("Accept the key");
    await page.getByText("Key before").waitFor();
    expect(await ofInstitution("vasp.example")).toMatchObject({ keyState: "OK" });
  });

  it("blocks an institution that was never seen", async () => {
    await open("uma-counterparties");
    await press("Allow or block");
    await dialog().getByLabel("Domain").fill("new.example");
    await choose("Status", /Blocked/);
    await confirm("Save");
    await page.getByText("new.example").first().waitFor();
    expect(await ofInstitution("new.example")).toMatchObject({ status: "BLOCKED" });
    await open("uma-counterparties/never.example");
    await page.getByText("This institution was not seen yet", { exact: false }).waitFor();
  });

  it("lists what was exchanged, with all institutions and with one", async () => {
    await open("uma-exchanges");
    await pictures("exchanges");
    await page.getByText("COUNTERPARTY_PUBKEY_FETCH_ERROR").waitFor();
    await open("uma-counterparties/wallet.example?view=exchanges");
    await page.getByText("No exchange in the last 30 days.", { exact: false }).waitFor();
  });

  it("says on the page of a payment out who is paid, by which invoice, and what was told", async () => {
    await open(`payments/${paidId}`);
    await page.getByRole("link", { name: "vasp.example", exact: true }).waitFor();
    await page.getByText("Amount of the invoice").waitFor();
    await page.getByText("name, birthDate").waitFor();
    await page.getByText("Told under the travel rule").waitFor();
    expect(await page.getByRole("button", { name: "Travel-rule data" }).count()).toBe(0);
    await pictures("payment-out", () => page.getByText("Payee gets").scrollIntoViewIfNeeded());
  });

  it("says on a payment's page who pays, what and until when, and reads travel-rule data when asked", async () => {
    const reads = async () => {
      const path = `/audit-entries?targetId=${paymentId}&limit=100`;
      const { data } = (await visit.story.call("GET", path)).json;
      return data.filter(({ act }: { readonly act: string }) => act === "getUmaTravelRule").length;
    };
    await open(`payments/${paymentId}`);
    await page.getByRole("link", { name: "vasp.example" }).waitFor();
    await pictures("payment", () => page.getByText("Customer gets").scrollIntoViewIfNeeded());
    expect(await reads()).toBe(0);
    let shown = 0;
    await pictures("travel-rule", async () => {
      await press("Travel-rule data");
      await dialog().getByText("The audit log keeps that you read it.", { exact: false }).waitFor();
      expect(await reads()).toBe(shown);
      await dialog().getByRole("button", { name: "Show", exact: true }).click();
      await dialog().getByText("$bo@vasp.example", { exact: false }).waitFor();
      shown += 1;
      expect(await reads()).toBe(shown);
    });
    expect(complaints).toEqual([]);
  });

  it("offers no travel-rule data to a person who may not see personal data", async () => {
    const email = "vera@example.com";
    const roles = [{ platformId: null, roles: ["VIEWER"] }];
    const invite = { name: "Vera Viewer", email, roles };
    const { json } = await consoleCall(page, "POST", "/workspace/invites", invite);
    const viewer = await accept(visit.server, json.url, email);
    const [name = "", value = ""] = (viewer.cookie ?? "").split("=");
    const context = await newContext(visit.browser);
    await context.addCookies([{ name, value, url: visit.origin }]);
    const { page: other } = await newPage(context);
    await other.goto(`${home}/payments/${paymentId}`);
    await settled(other);
    await other.getByText("Customer gets").waitFor();
    expect(await other.getByRole("button", { name: "Travel-rule data" }).count()).toBe(0);
    expect(await other.getByRole("link", { name: "vasp.example" }).count()).toBe(0);
    await context.close();
  });
});
