/** Links of verification: how they are made, and what people can do with their pages without a browser that runs scripts. */
import { beforeAll, describe, expect, it } from "vitest";
import { allPages, eventsOf, tablesThatHold } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { formTokenIn, open, post } from "../../kit/story-invitations.ts";
import {
  fill,
  link,
  linkHomeOf,
  OWNER_FORM,
  PASSPORT,
  PERSON,
  postUpload,
  unverifiedBusiness,
  unverifiedPerson,
  upload,
} from "../../kit/story-links.ts";
import { advance } from "../../kit/story-money.ts";

const BACK = "https://app.example/verified?x=1";
const NOBODY = "01".repeat(32);
const HOSTILE = `<script>alert(1)</script>"'><img src=x>`;

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

const customer = async (id: string, on = story) => (await on.call("GET", `/customers/${id}`)).json;
const verificationsOf = async (id: string, on = story) =>
  (await on.call("GET", `/verifications?customerId=${id}`)).json.data;
const codeOf = (home: string) => home.slice(home.lastIndexOf("/") + 1);

async function personReady(body: object = { redirectUri: BACK }) {
  const customerId = await unverifiedPerson(story);
  const home = await linkHomeOf(story, customerId, body);
  await fill(`${home}/details`, PERSON);
  await upload(`${home}/documents/customer`, PASSPORT);
  return { customerId, home };
}

describe("making a link", () => {
  it("returns the URL, its expiry and its creator; and changes nothing about the customer", async () => {
    const customerId = await unverifiedPerson(story);
    const before = await customer(customerId);
    const { json: clock } = await story.call("GET", "/sandbox/clock");
    const made = await link(story, customerId, { redirectUri: BACK });
    expect(made.status).toBe(201);
    expect(Object.keys(made.json)).toEqual(["kycUrl", "expiresAt", "provider"]);
    expect(made.json.kycUrl).toMatch(/\/verify\/[0-9a-f]{64}\?redirectUri=/);
    expect(new URL(made.json.kycUrl).searchParams.get("redirectUri")).toBe(BACK);
    expect(made.json.provider).toBe("FLORIN");
    const life = Date.parse(made.json.expiresAt) - Date.parse(clock.now);
    expect(life).toBeGreaterThanOrEqual(86_400_000);
    expect(await customer(customerId)).toEqual(before);
  });

  it("needs no body, and takes customers of every standing and kind", async () => {
    const approved = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
    });
    for (const id of [approved.json.id, await unverifiedBusiness(story)]) {
      const made = await link(story, id);
      expect([made.status, made.json.kycUrl.includes("?")]).toEqual([201, false]);
    }
  });

  it("makes another one each time, and leaves those before as they were", async () => {
    const id = await unverifiedPerson(story);
    const [first, second] = [await linkHomeOf(story, id), await linkHomeOf(story, id)];
    expect(first).not.toBe(second);
    for (const home of [first, second]) expect((await open(home)).status).toBe(200);
  });

  it.each([
    "http://app.example/",
    "javascript:alert(1)",
    "https://a:b@app.example/",
    "//app.example",
    "app.example",
    "https://",
    "https:/app.example",
    "https:app.example",
    "https:///app.example",
    "https:\\\\app.example",
    "https://app.example\n",
    " https://app.example",
    "https://app.example/a b",
    "https://app.exam\tple",
    "data:text/html,x",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    `https://app.example/${"x".repeat(2048)}`,
    "",
    5,
    null,
  ])("refuses the redirect URL %j", async (redirectUri) => {
    const refused = await link(story, await unverifiedPerson(story), { redirectUri });
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(refused.json.details.errors[0].field).toBe("redirectUri");
  });

  it.each(["http://localhost:3000/x", "http://127.0.0.1/x", "http://[::1]:80/x"])(
    "takes %s in a sandbox, and in production https alone",
    async (redirectUri) => {
      const made = await link(story, await unverifiedPerson(story), { redirectUri });
      expect(made.status).toBe(201);
    },
  );

  it("refuses customers that are unknown, of another platform, or deleted", async () => {
    const gone = await unverifiedPerson(story);
    await story.call("DELETE", `/customers/${gone}`);
    const other = await unverifiedPerson(await openStory(server));
    for (const [id, status, code] of [
      [gone, 410, "CUSTOMER_DELETED"],
      [other, 404, "USER_NOT_FOUND"],
      ["Customer:nobody", 404, "USER_NOT_FOUND"],
    ] as const) {
      const refused = await link(story, id);
      expect([refused.status, refused.json.code]).toEqual([status, code]);
    }
  });

  it("is replayed under its key, byte for byte, out of a sealed answer", async () => {
    const id = await unverifiedPerson(story);
    const first = await link(story, id, { redirectUri: BACK }, "k-1");
    const again = await link(story, id, { redirectUri: BACK }, "k-1");
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const reused = await link(story, id, {}, "k-1");
    expect([reused.status, reused.json.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    const code = codeOf(first.json.kycUrl.split("?")[0]);
    expect(await tablesThatHold(story, code)).toEqual([]);
  });

  it("in production needs a public address, and takes no loopback", async () => {
    const own = await openStory(server, { environment: "PRODUCTION" });
    const id = await unverifiedPerson(own);
    const refused = await link(own, id);
    expect([refused.status, refused.json.code]).toEqual([400, "VERIFICATION_LINKS_NOT_CONFIGURED"]);
    const loopback = await link(own, id, { redirectUri: "http://localhost/" });
    expect([loopback.status, loopback.json.code]).toEqual([400, "INVALID_INPUT"]);
  });
});

describe("the pages of a link", () => {
  it("are guarded like every hosted page", async () => {
    const { home } = await personReady();
    for (const url of [home, `${home}/details`, `${home}/documents/customer`]) {
      const { headers, html, status } = await open(url);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha/);
      expect(headers.get("set-cookie")).toBeNull();
      expect(html).not.toMatch(/<script|<link|src=/);
      expect(html).not.toContain("123-45-6789");
    }
  });

  it.each([NOBODY, "x", NOBODY.toUpperCase().replaceAll("0", "A"), "a%00b"])(
    "show the same for a code that nobody has: %s",
    async (code) => {
      const root = `${server.app.baseUrl}/verify/${code}`;
      for (const url of [
        root,
        `${root}/details`,
        `${root}/people/new`,
        `${root}/documents/customer`,
      ]) {
        const page = await open(url);
        expect([page.status, page.heading]).toEqual([404, "There is nothing to verify here"]);
      }
    },
  );

  it("show only the link's own customer and its owners", async () => {
    const mine = await linkHomeOf(story, await unverifiedBusiness(story));
    const theirs = await unverifiedBusiness(story);
    const { json: owner } = await story.call("POST", "/beneficial-owners", {
      customerId: theirs,
      roles: ["UBO"],
      ownershipPercentage: 50,
      personalInfo: {
        firstName: "Mara",
        lastName: "Lind",
        birthDate: "1980-04-05",
        nationality: "US",
        address: { line1: "2 Pier Rd", postalCode: "02110", country: "US" },
        idType: "SSN",
        identifier: "123-45-6789",
      },
    });
    const id = owner.id.split(":")[1];
    for (const path of [`people/${id}`, `documents/${id}`, "people/x", "documents/x"]) {
      expect((await open(`${mine}/${path}`)).status).toBe(404);
    }
    const person = await linkHomeOf(story, await unverifiedPerson(story));
    expect((await open(`${person}/people/new`)).status).toBe(404);
  });
});

describe("a person", () => {
  it("brings what is missing, sends it, and is led back", async () => {
    const customerId = await unverifiedPerson(story);
    const home = await linkHomeOf(story, customerId, { redirectUri: BACK });
    const first = await open(`${home}?redirectUri=https%3A%2F%2Fevil.example%2F`);
    expect([first.status, first.heading]).toEqual([200, "Verify who you are"]);
    expect(first.html).toContain("Date of birth");
    expect(first.html).not.toContain("Send for verification");

    const saved = await fill(`${home}/details`, PERSON);
    expect([saved.status, saved.headers.get("location")]).toEqual([303, new URL(home).pathname]);
    expect(await customer(customerId)).toMatchObject({
      fullName: "Ana Ruiz",
      birthDate: "1991-02-03",
      address: { line1: "1 Main St", city: "Boston", postalCode: "02110", country: "US" },
    });
    const filed = await upload(`${home}/documents/customer`, PASSPORT, { name: "pass.pdf" });
    expect(filed.status).toBe(303);

    const ready = await open(home);
    expect(ready.html).toContain("pass.pdf");
    const sent = await fill(home, {});
    expect([sent.status, sent.heading]).toEqual([200, "Thank you, all is sent"]);
    expect(sent.headers.get("refresh")).toBe(`0; url=${BACK}`);
    expect((await customer(customerId)).kycStatus).toBe("PENDING");
    const used = await open(home);
    expect([used.status, used.heading]).toEqual([200, "This link was used"]);
    expect(used.html).toContain(`href="${BACK}"`);
    expect(used.headers.get("refresh")).toBeNull();
    await advance(story, 60);
    expect((await customer(customerId)).kycStatus).toBe("APPROVED");
  });

  it("ends in the states and events of a direct submission", async () => {
    const own = await openStory(server);
    const id = await unverifiedPerson(own);
    const home = await linkHomeOf(own, id);
    await fill(`${home}/details`, PERSON);
    await upload(`${home}/documents/customer`, PASSPORT);
    const sent = await fill(home, {});
    expect(sent.headers.get("refresh")).toBeNull();
    expect((await eventsOf(own)).map(({ type }) => type).slice(-2)).toEqual([
      "VERIFICATION.IN_PROGRESS",
      "CUSTOMER.KYC_PENDING",
    ]);
    expect(await verificationsOf(id, own)).toMatchObject([{ verificationStatus: "IN_PROGRESS" }]);
  });

  it("gets every error at once, and keeps what was typed", async () => {
    const customerId = await unverifiedPerson(story);
    const home = await linkHomeOf(story, customerId);
    const before = await customer(customerId);
    const page = await fill(`${home}/details`, {
      ...PERSON,
      fullName: HOSTILE.replaceAll(" ", ""),
      "birthDate.day": "30",
      nationality: "XX",
      "address.line1": "",
      identifier: "12",
    });
    expect(page.status).toBe(400);
    for (const fault of [
      "Enter a first and a last name.",
      "Enter a day that exists",
      "Choose a country of the list.",
      "Enter: Street and number.",
      "Write a social security number as 123-45-6789.",
    ]) {
      expect(page.html).toContain(fault);
    }
    expect(page.html.match(/ aria-invalid="true"/g)).toHaveLength(7);
    expect(page.html).toContain('value="30"');
    expect(page.html).toContain('value="Boston"');
    expect(page.html).not.toMatch(/<script|<img/);
    expect(await customer(customerId)).toEqual(before);
  });

  it("may leave a number that is known as it is", async () => {
    const { home, customerId } = await personReady();
    const { identifier: _, ...rest } = PERSON;
    expect((await fill(`${home}/details`, { ...rest, fullName: "Bea Ruiz" })).status).toBe(303);
    expect((await customer(customerId)).fullName).toBe("Bea Ruiz");
    expect((await open(home)).html).toContain("Send for verification");
  });

  it("may go back to what was typed first", async () => {
    const { home, customerId } = await personReady();
    const page = `${home}/details`;
    const fields = { "form-token": formTokenIn((await open(page)).html), ...PERSON };
    for (const fullName of ["Ana One", "Ana Two", "Ana One"])
      await post(page, { ...fields, fullName });
    expect((await customer(customerId)).fullName).toBe("Ana One");
  });

  it("is asked for both sides and the numbers of a card", async () => {
    const home = await linkHomeOf(story, await unverifiedPerson(story));
    const page = `${home}/documents/customer`;
    const card = { documentType: "NATIONAL_ID", country: "US" };
    const faulty = await upload(page, card, { bytes: Buffer.from("no paper") });
    expect(faulty.status).toBe(400);
    for (const fault of [
      "Choose front or back.",
      "Enter the number",
      "Enter who issued",
      "Choose a PDF, JPEG or PNG",
    ]) {
      expect(faulty.html).toContain(fault);
    }
    expect(faulty.html).toContain('<option value="NATIONAL_ID" selected>');
    const unnamed = await upload(page, PASSPORT, { name: `${"n".repeat(300)}.pdf` });
    expect(unnamed.html).toContain("Give the file a shorter name");
    expect(unnamed.html).not.toContain("Choose a PDF");
    const numbers = { documentNumber: "N-1", issuingAuthority: "The state" };
    expect((await upload(page, { ...card, ...numbers, side: "FRONT" })).status).toBe(303);
    expect((await upload(page, { ...card, side: "BACK" })).status).toBe(303);
    expect((await open(home)).html).not.toContain("of the document is missing");
  });

  it("sees why a submission was not accepted, and may try again by the same link", async () => {
    const customerId = await unverifiedPerson(story);
    const home = await linkHomeOf(story, customerId);
    await fill(`${home}/details`, { ...PERSON, fullName: "Ana Ruiz 003" });
    await upload(`${home}/documents/customer`, PASSPORT);
    const sent = await fill(home, {});
    expect(sent.status).toBe(400);
    expect(sent.html).toContain("The image is not good enough to be read.");
    await fill(`${home}/details`, PERSON);
    expect((await fill(home, {})).heading).toBe("Thank you, all is sent");
  });
});

describe("a link", () => {
  it("is not used by sending what is not complete", async () => {
    const { home, customerId } = await personReady();
    const fields = { "form-token": formTokenIn((await open(home)).html) };
    const [paper] = await allPages(story, `/documents?documentHolder=${customerId}`);
    await story.call("DELETE", `/documents/${paper.id}`);
    const refused = await post(home, fields);
    expect([refused.status, refused.heading]).toEqual([400, "Verify who you are"]);
    expect(refused.html).toContain("A document is needed that shows who the person is.");
    expect(await verificationsOf(customerId)).toEqual([]);
    await upload(`${home}/documents/customer`, PASSPORT);
    expect((await post(home, fields)).heading).toBe("Thank you, all is sent");
  });

  it("takes a form once, however often it is sent", async () => {
    const customerId = await unverifiedBusiness(story);
    const home = await linkHomeOf(story, customerId);
    const page = `${home}/people/new`;
    const fields = { "form-token": formTokenIn((await open(page)).html), ...OWNER_FORM };
    const all = await Promise.all([post(page, fields), post(page, fields), post(page, fields)]);
    expect(all.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await customer(customerId)).beneficialOwners).toHaveLength(1);

    const papers = `${home}/documents/customer`;
    const token = formTokenIn((await open(papers)).html);
    const bill = { "form-token": token, documentType: "UTILITY_BILL", country: "US" };
    expect((await postUpload(papers, bill)).status).toBe(303);
    expect((await postUpload(papers, bill)).status).toBe(303);
    expect(await allPages(story, `/documents?documentHolder=${customerId}`)).toHaveLength(1);
  });

  it("is used once, by however many clicks and links", async () => {
    const { home, customerId } = await personReady();
    const other = await linkHomeOf(story, customerId);
    const token = formTokenIn((await open(`${other}/details`)).html);
    const fields = { "form-token": formTokenIn((await open(home)).html) };
    const sent = await Promise.all([post(home, fields), post(home, fields)]);
    for (const { status } of sent) expect(status).toBe(200);
    expect(await verificationsOf(customerId)).toHaveLength(1);
    expect((await open(other)).heading).toBe("You are being checked");
    const late = await post(`${other}/details`, { "form-token": token, ...PERSON });
    expect([late.status, late.heading]).toEqual([200, "You are being checked"]);
    await advance(story, 60);
    expect((await open(other)).heading).toBe("There is nothing left to do");
  });

  it("accepts nothing after it was used", async () => {
    const { home, customerId } = await personReady();
    const token = formTokenIn((await open(`${home}/details`)).html);
    const papers = formTokenIn((await open(`${home}/documents/customer`)).html);
    await fill(home, {});
    const late = await post(`${home}/details`, {
      "form-token": token,
      ...PERSON,
      fullName: "Eve Late",
    });
    expect(late.heading).toBe("This link was used");
    const filed = await postUpload(`${home}/documents/customer`, {
      "form-token": papers,
      ...PASSPORT,
    });
    expect(filed.heading).toBe("This link was used");
    expect((await customer(customerId)).fullName).toBe("Ana Ruiz");
  });

  it("expires", async () => {
    const own = await openStory(server);
    const home = await linkHomeOf(own, await unverifiedPerson(own));
    await advance(own, 86_399);
    expect((await open(home)).heading).toBe("Verify who you are");
    await advance(own, 60);
    for (const page of [home, `${home}/details`, `${home}/documents/customer`]) {
      expect((await open(page)).heading).toBe("This link has expired");
    }
  });

  it("ends with its customer", async () => {
    const customerId = await unverifiedPerson(story);
    const home = await linkHomeOf(story, customerId);
    await story.call("DELETE", `/customers/${customerId}`);
    expect((await open(home)).status).toBe(404);
  });

  it.each([
    ["no token", {}],
    ["another page's token", { "form-token": "other" }],
  ])("takes no form with %s", async (_, fields) => {
    const home = await linkHomeOf(story, await unverifiedPerson(story));
    expect((await post(`${home}/details`, { ...fields, ...PERSON })).status).toBe(403);
    const filed = await postUpload(`${home}/documents/customer`, { ...fields, ...PASSPORT });
    expect(filed.status).toBe(403);
    expect((await open(home)).html).toContain("Still missing");
  });

  it("takes no form that another site sends, and no other kind of body", async () => {
    const home = await linkHomeOf(story, await unverifiedPerson(story));
    const page = `${home}/details`;
    const fields = { "form-token": formTokenIn((await open(page)).html), ...PERSON };
    expect((await post(page, fields, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const papers = `${home}/documents/customer`;
    expect((await post(papers, fields)).status).toBe(415);
    expect((await postUpload(page, fields)).status).toBe(415);
  });
});
