/** Forms of verification links that are corrected: what is emptied goes, what is refused is told, and nothing sticks. */
import { beforeAll, describe, expect, it } from "vitest";
import { passportForm } from "../../kit/forms.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { formTokenIn, open, post } from "../../kit/story-invitations.ts";
import {
  COMPANY,
  fill,
  linkHomeOf,
  OWNER_FORM,
  PASSPORT,
  PERSON,
  unverifiedBusiness,
  unverifiedPerson,
  upload,
} from "../../kit/story-links.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

const customer = async (id: string) => (await story.call("GET", `/customers/${id}`)).json;
const tenAtOnce = async (count: number, make: () => Promise<unknown>) => {
  for (let done = 0; done < count; done += 10) await Promise.all(Array.from({ length: 10 }, make));
};

describe("a form", () => {
  it.each([
    ["fullName", 255, `Ana ${"x".repeat(300)}`],
    ["address.line1", 255, "x".repeat(256)],
    ["address.postalCode", 32, "1".repeat(33)],
    ["identifier", 64, "1".repeat(65)],
  ])("takes no longer %s than the API, which is %i characters", async (name, longest, typed) => {
    const id = await unverifiedPerson(story);
    const page = `${await linkHomeOf(story, id)}/details`;
    const before = await customer(id);
    const refused = await fill(page, { ...PERSON, idType: "ITIN", [name]: typed });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(`Use at most ${longest} characters.`);
    expect(await customer(id)).toEqual(before);
    const fitting = await fill(page, {
      ...PERSON,
      idType: "ITIN",
      [name]: typed.slice(0, longest),
    });
    expect(fitting.status).toBe(303);
  });

  it("deletes fields that are emptied", async () => {
    const id = await unverifiedBusiness(story, {
      doingBusinessAs: "Lind",
      entityType: "LLC",
      naicsCode: "713990",
    });
    const home = await linkHomeOf(story, id);
    const lines = { "address.line2": "Flat 2", "address.city": "Boston", "address.state": "MA" };
    await fill(`${home}/details`, {
      ...COMPANY,
      ...lines,
      "businessInfo.doingBusinessAs": "Lind & Lind",
      "businessInfo.entityType": "TRUST",
      "businessInfo.registrationNumber": "R-1",
    });
    const { businessInfo, address } = await customer(id);
    expect(businessInfo).toMatchObject({ entityType: "TRUST", registrationNumber: "R-1" });
    expect(address).toMatchObject({ line2: "Flat 2", city: "Boston", state: "MA" });
    expect((await fill(`${home}/details`, COMPANY)).status).toBe(303);
    const after = await customer(id);
    expect(after.businessInfo).toEqual({
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "12-3456789",
      incorporatedOn: "2015-06-01",
      countriesOfOperation: ["US", "MX"],
      // The form does not ask for it.
      naicsCode: "713990",
    });
    expect(after.address).toEqual({ line1: "2 Pier Rd", postalCode: "02110", country: "US" });
  });

  it("deletes emptied fields of an owner, and keeps the number that it does not show", async () => {
    const id = await unverifiedBusiness(story);
    const home = await linkHomeOf(story, id);
    const foreign = {
      ...OWNER_FORM,
      "personalInfo.idType": "NON_US_TAX_ID",
      "personalInfo.countryOfIssuance": "MX",
    };
    await fill(`${home}/people/new`, foreign);
    const [owner] = (await customer(id)).beneficialOwners;
    expect(owner.personalInfo.countryOfIssuance).toBe("MX");
    const { "personalInfo.identifier": _, ...emptied } = {
      ...foreign,
      "personalInfo.countryOfIssuance": "",
    };
    await fill(`${home}/people/${owner.id.split(":")[1]}`, emptied);
    const { countryOfIssuance, ...rest } = owner.personalInfo;
    expect((await customer(id)).beneficialOwners[0].personalInfo).toEqual(rest);
  });

  it("does not turn another number into a social security number", async () => {
    const id = await unverifiedPerson(story);
    const path = `/customers/${id}`;
    await story.call("PATCH", path, { customerType: "INDIVIDUAL", identifier: "foo" });
    const page = `${await linkHomeOf(story, id)}/details`;
    const refused = await fill(page, { ...PERSON, identifier: "" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("Write a social security number as 123-45-6789.");
    expect((await customer(id)).idType).toBeUndefined();
    expect((await fill(page, PERSON)).status).toBe(303);
  });
});

describe("a list at its maximum", () => {
  it("applies to documents", async () => {
    const id = await unverifiedPerson(story);
    const home = await linkHomeOf(story, id);
    await tenAtOnce(100, () => story.call("POST", "/documents", passportForm(id)));
    const refused = await upload(`${home}/documents/customer`, PASSPORT);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("There are 100 documents here already: no more can be added.");
  });
});

describe("what is sent", () => {
  it("is validated again after a refusal, also from a page that was opened before", async () => {
    const id = await unverifiedPerson(story);
    const home = await linkHomeOf(story, id);
    await fill(`${home}/details`, { ...PERSON, fullName: "Ana Ruiz 003" });
    await upload(`${home}/documents/customer`, PASSPORT);
    const fields = { "form-token": formTokenIn((await open(home)).html) };
    const refused = await post(home, fields);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("The image is not good enough to be read.");
    await fill(`${home}/details`, PERSON);
    expect((await post(home, fields)).heading).toBe("Thank you, all is sent");
    expect((await post(home, fields)).heading).toBe("This link was used");
  });

  it("is named as the forms name it", async () => {
    const id = await unverifiedPerson(story);
    const home = await linkHomeOf(story, id);
    await story.call("POST", "/documents", passportForm(id));
    const { html } = await open(home);
    expect(html).toContain("<li>Number of the document</li>");
    expect(html).toContain("<li>Who issued it</li>");
    expect(html).not.toMatch(/documentNumber|issuingAuthority/);
  });
});
