/** Suspense at the desk of the console: the line of each item, what the money may be for, and who resolved it. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { credit } from "../../kit/story-funding.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { type PlantedItem, plantSuspense, suggestedId } from "../../kit/story-suspense.ts";

const server = await sharedServer();
let story: Story;
let owner: ConsoleBrowser;
let ada: InvitedPerson;
let deskId: string;
let planted: readonly PlantedItem[];
let workspaceId: string;
beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  ({ deskId, planted } = await plantSuspense(story));
  owner = await makeOwner(server, workspaceId);
  ada = await makePerson(owner, ["FINANCE"]);
}, 120_000);

const desk = (method: string, path: string, body?: unknown, browser = ada.browser) =>
  browser.at(story.platformId)(method, `/rails/desk${path}`, body);
const open = async (): Promise<readonly RawAnswer["json"][]> =>
  expectStatus(200, await desk("GET", "/items?state=OPEN&order=OLDEST&limit=100")).json.data;

describe("items in suspense", () => {
  it("have their line, and of twenty twelve have the right suggestion first", async () => {
    // Names are found by the index of the search, which follows the commits.
    await soon(async () => {
      const reasons = (await open()).flatMap(({ suggestions: [first] }) => first?.reasons ?? []);
      expect(reasons.filter(({ reason }) => reason === "PAYER_SEEN")).toHaveLength(2);
      expect(reasons.filter(({ reason }) => reason === "CUSTOMER_NAME")).toHaveLength(2);
    });
    const rows = await open();
    expect(rows).toHaveLength(20);
    expect(
      rows.map(({ entry, suggestions: [first] }) => ({
        bankReference: entry.bankReference,
        right: suggestedId(first),
        reason: first?.reasons[0].reason,
      })),
    ).toEqual(planted);
    expect(rows[0]).toMatchObject({
      item: { state: "OPEN", reason: "UNREFERENCED" },
      entry: { payer: { name: "Payer 0", accountMasked: "…900" }, bookedOn: "2026-11-24" },
    });
    const [{ item, ...row }] = rows;
    const one = expectStatus(200, await desk("GET", `/items/${item.id}`)).json;
    expect(one).toEqual({ item, ...row });
  });

  it("tell the reference as it should have been, and how often the payer was seen", async () => {
    const rows = await open();
    const [near] = rows[0]?.suggestions ?? [];
    expect(near).toMatchObject({
      kind: "ACCOUNT",
      customerName: "Søren Østergaard",
      reasons: [{ reason: "NEAR_REFERENCE", reference: expect.stringMatching(/^FL/) }],
    });
    const [seen] = rows[6]?.suggestions ?? [];
    expect(seen.reasons).toEqual([{ reason: "PAYER_SEEN", count: 2 }]);
  });

  it("are resolved as suggested, and then name the person and the note", async () => {
    const { item, suggestions } = (await open())[0];
    const { accountId } = suggestions[0];
    const part = { kind: "ACCOUNT", amount: item.amount.amount, accountId };
    const resolved = await ada.browser.at(story.platformId)(
      "POST",
      `/rails/items/${item.id}/resolve`,
      { parts: [part], note: "a digit was wrong" },
    );
    expectStatus(200, resolved);
    const one = (await desk("GET", `/items/${item.id}`)).json;
    expect(one).toMatchObject({
      item: { state: "RESOLVED", resolution: { note: "a digit was wrong" } },
      suggestions: [],
      resolvedBy: expect.stringMatching(/^Person \d+$/),
    });
    const { json } = await story.call("GET", `/internal-accounts/${accountId}`);
    expect(json.balance.amount).toBe(item.amount.amount);
  });

  it("show no name to a person who may not see one, and none of another platform", async () => {
    const other = await openStory(server);
    const { id } = (await credit(story, deskId, { amount: 1 })) as { readonly id: string };
    const items = (await open()).filter(({ entry }) => entry?.id === id);
    expect(items).toHaveLength(1);
    const foreign = await owner.at(other.platformId)(
      "GET",
      `/rails/desk/items/${items[0].item.id}`,
    );
    expect(foreign.status).toBe(404);
    const developer = await makePerson(owner, ["DEVELOPER"]);
    const masked = await desk(
      "GET",
      "/items?state=OPEN&order=OLDEST",
      undefined,
      developer.browser,
    );
    const text = JSON.stringify(expectStatus(200, masked).json);
    for (const name of ["Østergaard", "Casa Verde", "Payer 1", "Invoice 12", "Nobody Known"]) {
      expect(text).not.toContain(name);
    }
    expect(masked.json.data[0].suggestions[0].customerName).toMatch(/^\p{L}\. \p{L}\.$/u);
    // Nor does it find by names.
    const reasons = JSON.stringify(masked.json.data).match(/PAYER_SEEN|CUSTOMER_NAME/g);
    expect(reasons).toBeNull();
  });
});

describe("the search of the desk", () => {
  const found = async (q: string, browser = ada.browser, more = "") => {
    const path = `/items?q=${encodeURIComponent(q)}&limit=100${more}`;
    const { json } = expectStatus(200, await desk("GET", path, undefined, browser));
    expect(json).not.toHaveProperty("totalCount");
    return json.data.map(({ entry }: RawAnswer["json"]) => entry.bankReference).toSorted();
  };
  const those = (...places: readonly number[]) =>
    places.map((place) => planted[place]?.bankReference).toSorted();

  it("finds items by payer, remittance, bank reference and amount", async () => {
    expect(await found("casa VERDE")).toEqual(those(6, 7));
    expect(await found("verde may")).toEqual(those(6, 7));
    expect(await found("cash 3")).toContain(planted[15]?.bankReference);
    expect(await found(planted[9]?.bankReference ?? "")).toContain(planted[9]?.bankReference);
    expect(await found("987.65")).toEqual(those(11));
    expect(await found("USD 80.00")).toEqual(those(8, 9));
    expect(await found("EUR 80.00")).toEqual([]);
    expect(await found("nobody known", ada.browser, "&state=RESOLVED")).toEqual([]);
    expect(await found("100%_'\\")).toEqual([]);
  });

  it("takes no name of a payer from a person who may not see one, and finds nothing of others", async () => {
    const { browser: developer } = await makePerson(owner, ["DEVELOPER"]);
    expect(await found("casa verde", developer)).toEqual([]);
    // The bank's references are masked as well.
    expect(await found(planted[9]?.bankReference ?? "", developer)).toEqual([]);
    expect(await found("987.65", developer)).toHaveLength(1);
    const other = await openStory(server, { workspaceId, environment: "PRODUCTION" });
    const path = "/rails/desk/items?q=casa";
    const { json } = expectStatus(200, await ada.browser.at(other.platformId)("GET", path));
    expect(json.data).toEqual([]);
  });

  it("refuses a text that is empty, too long or holds a zero", async () => {
    for (const q of ["", "%20", "x".repeat(201), "a%00b"])
      expect((await desk("GET", `/items?q=${q}`)).status, q).toBe(400);
  });
});

it("names the objects of the desk by their amounts and payers", async () => {
  const [{ item, entry }] = (await open()) as [RawAnswer["json"]];
  const path = `/names?ids=${item.id}&ids=${entry.id}`;
  const { data } = expectStatus(200, await ada.browser.at(story.platformId)("GET", path)).json;
  const payer = expect.objectContaining({ kind: "OUTSIDE", name: entry.payer.name });
  expect(data).toEqual([
    { id: item.id, amount: item.amount, party: payer },
    { id: entry.id, amount: entry.amount, party: payer },
  ]);
  expect(item.parties.from).toMatchObject({ kind: "OUTSIDE", name: entry.payer.name });
  const { browser } = await makePerson(owner, ["DEVELOPER"]);
  const masked = expectStatus(200, await browser.at(story.platformId)("GET", path)).text;
  expect(masked).toContain("OUTSIDE");
  expect(masked).not.toContain(entry.payer.name);
});

it("finds accounts by the beginnings of the holder's names, in one currency", async () => {
  const found = await desk("GET", "/accounts?currency=USD&q=ber%20jon");
  expect(expectStatus(200, found).json.data).toMatchObject([{ customerName: "Jonas Berg" }]);
  expect((await desk("GET", "/accounts?currency=EUR&q=berg")).json.data).toEqual([]);
  expect((await desk("GET", "/accounts?currency=USD&q=%20")).status).toBe(200);
  expect((await desk("GET", "/accounts?currency=USD")).status).toBe(400);
});
