/** The languages of the hosted pages: how one is chosen, and that no text of a page stands outside the catalogue. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Catalogue,
  catalogues,
  english,
} from "../../../src/http/hosted/language/catalogue.ts";
import { countryCodes } from "../../../src/std/countries.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { brand } from "../../kit/story-branding.ts";
import {
  cancel,
  claim,
  formTokenIn,
  invite,
  open,
  post,
  type ShownPage,
} from "../../kit/story-invitations.ts";
import {
  fill,
  linkHomeOf,
  OWNER_FORM,
  PASSPORT,
  PERSON,
  unverifiedBusiness,
  unverifiedPerson,
  upload,
} from "../../kit/story-links.ts";
import { advance } from "../../kit/story-money.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** Every text between brackets that nothing else has. */
const marked = (text: string) => `\u27e6${text}\u27e7`;

function pseudo(): Catalogue {
  const mark = (entry: unknown): unknown =>
    typeof entry === "string" ? marked(entry) : markAll(entry as object);
  const markAll = (entries: object): object =>
    Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, mark(entry)]));
  const { texts, labels } = english;
  return {
    tag: "en-XA",
    name: marked("Pseudo"),
    texts: markAll(texts) as Catalogue["texts"],
    labels: markAll(labels) as Catalogue["labels"],
  };
}

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ catalogues: [...catalogues, pseudo()] });
  story = await openStory(server);
  await brand(story);
});
afterAll(() => server.close());

/** What is not text of ours: names, addresses, amounts, and the names of languages. */
const DATA = [
  "Florin",
  "· Florin",
  "Lind Pay",
  "· Lind Pay",
  "5.00 EUR",
  "Ana 003",
  "Ana Ruiz 003",
  "Lind Boats LLC",
  "Mara Lind",
  "Ana",
  "Ana Ruiz",
  "English",
  "Español",
  "Português",
  "paper.pdf",
  "$you@provider.example",
  "wallet.test",
  "$bea@wallet.test",
  "app.example",
];

const MOMENT = /^[A-Z]\w+ \d+, \d{4} at \d\d:\d\d UTC$/;

/** The texts that a visitor sees or hears: between the tags, and in attributes that are read out. */
function textsIn(html: string): string[] {
  const body = html
    .replace(/<style>.*?<\/style>/gs, "")
    .replace(/<script>.*?<\/script>/gs, "")
    // Names of countries and months are those of the browser's own language data.
    .replace(/<datalist.*?<\/datalist>/gs, "")
    .replace(/<option value="(?:[A-Z]{2}|\d{1,2})"[^>]*>[^<]*<\/option>/g, "");
  const read = [
    ...body.matchAll(/(?:alt|title|placeholder|aria-label|data-done|data-failed)="([^"]*)"/g),
  ];
  return [...body.split(/<[^>]*>/), ...read.map(([, text = ""]) => text)].filter(
    (text) => text.trim() !== "",
  );
}

/** The text without what stands between brackets, innermost first, and without data. */
function strayIn(page: string): string[] {
  // A sentence may have markup in its places, so brackets are matched over the whole page.
  let text = textsIn(page).join("\u0001");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\u27e6[^\u27e6\u27e7]*\u27e7/g, "");
  }
  return text
    .split("\u0001")
    .map((part) => part.replaceAll(/&#39;/g, "'").trim())
    .filter((part) => !DATA.includes(part) && !MOMENT.test(part))
    .filter((part) => /\p{L}{2}/u.test(part));
}

/** The page in the marked language. */
const inMarks = (url: string) => `${url}?lang=en-XA`;

async function expectMarked(page: ShownPage): Promise<void> {
  expect(page.html).toContain('<html lang="en-XA">');
  expect(page.heading).toContain("\u27e6");
  expect(
    strayIn(page.html.replaceAll(/[0-9a-f]{32,}|\$u[0-9a-f]+@[\w.]+|https?:\S+?(?=<|")/g, "")),
  ).toEqual([]);
}

const BACK = { redirectUri: "https://app.example/verified" };

async function readyPerson(): Promise<string> {
  const home = await linkHomeOf(story, await unverifiedPerson(story), BACK);
  await fill(`${home}/details`, PERSON);
  await upload(`${home}/documents/customer`, PASSPORT);
  return home;
}

async function business(): Promise<string> {
  const home = await linkHomeOf(story, await unverifiedBusiness(story));
  await fill(`${home}/people/new`, { ...OWNER_FORM, "personalInfo.nationality": "MX" });
  return home;
}

describe("every text of a page", () => {
  it("of an invitation stands in the catalogue", async () => {
    const full = { firstName: "Ana", amountToSend: 500, expiresAt: "2100-01-02T03:04:05Z" };
    const { url } = await invite(story, full);
    await expectMarked(await open(inMarks(url)));
    await expectMarked(await open(inMarks((await invite(story)).url)));
    const token = formTokenIn((await open(url)).html);
    for (const umaAddress of ["x", "$bea@wallet.test", "$platform@wallet.test"]) {
      await expectMarked(await post(inMarks(url), { "form-token": token, umaAddress }));
    }
    await expectMarked(await post(inMarks(url), {}));
    const [claimed, cancelled] = [await invite(story, full), await invite(story)];
    await claim(story, claimed.code);
    await cancel(story, cancelled.code);
    for (const over of [claimed.url, cancelled.url]) await expectMarked(await open(inMarks(over)));
    await expectMarked(await open(inMarks(`${server.app.baseUrl}/i/x`)));
  });

  it("of a person's verification stands in the catalogue", async () => {
    const home = await linkHomeOf(story, await unverifiedPerson(story), BACK);
    await expectMarked(await open(inMarks(home)));
    for (const path of ["details", "documents/customer"]) {
      await expectMarked(await open(inMarks(`${home}/${path}`)));
    }
    const odd = {
      fullName: "Ana",
      "birthDate.day": "31",
      "birthDate.month": "2",
      nationality: "XX",
    };
    await expectMarked(await fill(inMarks(`${home}/details`), odd));
    const late = {
      ...PERSON,
      "birthDate.year": "2999",
      identifier: "1",
      "address.city": "x".repeat(300),
    };
    await expectMarked(await fill(inMarks(`${home}/details`), late));
    const card = { documentType: "NATIONAL_ID", country: "US" };
    await expectMarked(
      await upload(inMarks(`${home}/documents/customer`), card, { bytes: Buffer.from("x") }),
    );
    await expectMarked(await open(inMarks(`${home}/people/x`)));
    await expectMarked(await open(inMarks(`${server.app.baseUrl}/verify/x`)));
  });

  it("of a verification that ends stands in the catalogue", async () => {
    const home = await readyPerson();
    await expectMarked(await open(inMarks(home)));
    const saved = await fill(inMarks(`${home}/details`), PERSON);
    await expectMarked(saved);
    expect(saved.headers.get("location")).toMatch(/\?lang=en-XA$/);
    const poor = await linkHomeOf(story, await unverifiedPerson(story));
    await fill(`${poor}/details`, { ...PERSON, fullName: "Ana Ruiz 003" });
    await upload(`${poor}/documents/customer`, PASSPORT);
    await expectMarked(await fill(inMarks(poor), {}));
    await expectMarked(await fill(inMarks(home), {}));
    await expectMarked(await open(inMarks(home)));
  });

  it("of a business's verification stands in the catalogue", async () => {
    const home = await business();
    await upload(`${home}/documents/customer`, {
      documentType: "SHAREHOLDER_REGISTER",
      country: "US",
    });
    await expectMarked(await open(inMarks(home)));
    for (const path of ["details", "people/new", "documents/customer"]) {
      await expectMarked(await open(inMarks(`${home}/${path}`)));
    }
    await expectMarked(await fill(inMarks(`${home}/people/new`), { ownershipPercentage: "101" }));
    const nowhere = { "businessInfo.countriesOfOperation.1": "??" };
    await expectMarked(await fill(inMarks(`${home}/details`), nowhere));
  });

  it("of a link that has expired stands in the catalogue", async () => {
    const own = await openStory(server);
    const home = await linkHomeOf(own, await unverifiedPerson(own));
    const { json } = await own.call("GET", "/sandbox/clock");
    const expiresAt = new Date(Date.parse(json.now) + 60_000).toISOString();
    const { url } = await invite(own, { expiresAt });
    await advance(own, 86_500);
    for (const over of [home, url]) await expectMarked(await open(inMarks(over)));
  });

  it("is found where it stands outside", () => {
    expect(strayIn("<p>\u27e6In {x}\u27e7 out</p>")).toEqual(["out"]);
    expect(strayIn('<p aria-label="Out"></p>')).toEqual(["Out"]);
    expect(strayIn("<p>\u27e6From <b>Ana</b>\u27e7</p>")).toEqual([]);
  });
});

describe("the language of a page", () => {
  it("is the browser's, or the one of the link, and stays in the links of the page", async () => {
    const home = await linkHomeOf(story, await unverifiedPerson(story));
    const spanish = await open(home, { headers: { "accept-language": "es-MX,es;q=0.9" } });
    expect(spanish.heading).toBe("Verifique quién es");
    expect(spanish.html).toContain('<html lang="es">');
    expect(spanish.html).toContain(`href="${new URL(home).pathname}/details"`);
    const portuguese = await open(`${home}?lang=pt`, { headers: { "accept-language": "es" } });
    expect(portuguese.heading).toBe("Verifique quem você é");
    expect(portuguese.html).toContain(`href="${new URL(home).pathname}/details?lang=pt"`);
    const odd = await open(`${home}?lang=%22%3E%3Cscript%3E&lang=es`);
    expect([odd.heading, odd.html.includes("<script>")]).toEqual(["Verify who you are", false]);
  });

  it("writes dates and amounts as it is written there", async () => {
    const { url } = await invite(story, {
      amountToSend: 125_000,
      expiresAt: "2100-01-02T03:04:05Z",
    });
    const seen = async (header: string) =>
      (await open(url, { headers: { "accept-language": header } })).html;
    expect(await seen("pt-BR")).toContain("1.250,00 EUR");
    expect(await seen("es-MX")).toContain("1,250.00 EUR");
    expect(await seen("es-ES")).toContain("2 de enero de 2100");
  });

  it("names every country", async () => {
    const home = await linkHomeOf(story, await unverifiedPerson(story));
    const { html } = await open(`${home}/details?lang=es`);
    const [list = ""] = /<select id="f-nationality".*?<\/select>/s.exec(html) ?? [];
    expect(list.match(/<option value="[A-Z]{2}"/g)).toHaveLength(countryCodes.length);
    expect(list).toContain('<option value="DE">Alemania</option>');
  });
});
