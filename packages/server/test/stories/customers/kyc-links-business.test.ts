/** Links of verification of a business: how they are made, and what people can do with their pages without a browser that runs scripts. */
import { beforeAll, describe, expect, it } from "vitest";
import { countryCodes } from "../../../src/std/countries.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { open } from "../../kit/story-invitations.ts";
import {
  COMPANY,
  fill,
  linkHomeOf,
  OWNER_FORM,
  PASSPORT,
  unverifiedBusiness,
  upload,
} from "../../kit/story-links.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

const customer = async (id: string, on = story) => (await on.call("GET", `/customers/${id}`)).json;

describe("a business", () => {
  it("names its people, brings its papers, and is sent", async () => {
    const customerId = await unverifiedBusiness(story);
    const home = await linkHomeOf(story, customerId);
    expect((await fill(`${home}/details`, COMPANY)).status).toBe(303);
    expect((await fill(`${home}/people/new`, OWNER_FORM)).status).toBe(303);
    for (const documentType of [
      "CERTIFICATE_OF_INCORPORATION",
      "DIRECTOR_REGISTRY",
      "SHAREHOLDER_REGISTER",
      "UTILITY_BILL",
    ]) {
      const filed = await upload(`${home}/documents/customer`, { documentType, country: "US" });
      expect(filed.status).toBe(303);
    }
    const stored = await customer(customerId);
    expect(stored.businessInfo.countriesOfOperation).toEqual(["US", "MX"]);
    expect(stored.beneficialOwners).toMatchObject([
      { roles: ["UBO", "CONTROL_PERSON"], ownershipPercentage: 60 },
    ]);
    expect((await fill(home, {})).heading).toBe("Thank you, all is sent");
    expect((await customer(customerId)).kybStatus).toBe("PENDING");
  });

  it("may fill every field to its end, in any writing", async () => {
    const id = await unverifiedBusiness(story);
    const long = "\u{20bb7}".repeat(255);
    const saved = await fill(`${await linkHomeOf(story, id)}/details`, {
      ...COMPANY,
      "businessInfo.legalName": long,
      "businessInfo.doingBusinessAs": long,
      "businessInfo.taxId": "\u{20bb7}".repeat(64),
      ...Object.fromEntries(
        countryCodes.map((code, at) => [`businessInfo.countriesOfOperation.${at + 1}`, code]),
      ),
      "address.line1": long,
      "address.line2": long,
      "address.city": long,
      "address.state": long,
      "address.postalCode": "\u{20bb7}".repeat(32),
    });
    expect(saved.status).toBe(303);
    const { businessInfo, address } = await customer(id);
    expect([businessInfo.legalName, address.state]).toEqual([long, long]);
    expect(businessInfo.countriesOfOperation).toEqual(countryCodes);
  });

  it.each(["USA", "U1", "ß", "us, ß", "Atlantis"])(
    "is refused for the country %s",
    async (text) => {
      const id = await unverifiedBusiness(story);
      const refused = await fill(`${await linkHomeOf(story, id)}/details`, {
        ...COMPANY,
        "businessInfo.countriesOfOperation.1": text,
      });
      expect(refused.status).toBe(400);
      expect(refused.html).toContain(`${text} is not in the list of countries.`);
      expect((await customer(id)).businessInfo.countriesOfOperation).toBeUndefined();
    },
  );

  it("may ask for more countries, without a word about what is still empty", async () => {
    const page = `${await linkHomeOf(story, await unverifiedBusiness(story))}/details`;
    const one = { "businessInfo.countriesOfOperation.1": "Mexico" };
    const fieldsIn = (html: string) => html.match(/name="businessInfo.countriesOfOperation.\d+"/g);
    expect(fieldsIn((await open(page)).html)).toHaveLength(3);
    const more = await fill(page, { ...one, "more-countries": "1" });
    expect([more.status, more.html.includes(" aria-invalid=")]).toEqual([200, false]);
    expect(more.html).toContain('value="Mexico" list="countries"');
    expect(fieldsIn(more.html)).toHaveLength(4);
  });

  it("takes countries by their names in the language of the page", async () => {
    const id = await unverifiedBusiness(story);
    const page = `${await linkHomeOf(story, id)}/details?lang=es`;
    const names = { "1": "españa", "2": " MEXICO ", "3": "Estados Unidos", "4": "es" };
    const saved = await fill(page, {
      ...COMPANY,
      ...Object.fromEntries(
        Object.entries(names).map(([at, name]) => [
          `businessInfo.countriesOfOperation.${at}`,
          name,
        ]),
      ),
    });
    expect(saved.status).toBe(303);
    expect((await customer(id)).businessInfo.countriesOfOperation).toEqual(["ES", "MX", "US"]);
    expect((await open(page)).html).toContain('value="México"');
  });

  it("sees nothing of a text in place of a stored list", async () => {
    const page = `${await linkHomeOf(story, await unverifiedBusiness(story))}/details`;
    const odd = {
      "businessInfo.countriesOfOperation": "??, <b>",
      "businessInfo.incorporatedOn": "-",
    };
    expect((await fill(page, odd)).status).toBe(400);
  });

  it("may complete a person who is named already", async () => {
    const customerId = await unverifiedBusiness(story);
    const home = await linkHomeOf(story, customerId);
    await fill(`${home}/people/new`, OWNER_FORM);
    const [owner] = (await customer(customerId)).beneficialOwners;
    const page = `${home}/people/${owner.id.split(":")[1]}`;
    const { "personalInfo.identifier": _, ...rest } = OWNER_FORM;
    const saved = await fill(page, {
      ...rest,
      "personalInfo.nationality": "MX",
      ownershipPercentage: "30",
    });
    expect(saved.status).toBe(303);
    const [changed] = (await customer(customerId)).beneficialOwners;
    expect(changed).toMatchObject({ id: owner.id, ownershipPercentage: 30 });
    expect(changed.personalInfo.identifier).toBe("123-45-6789");
    expect((await open(home)).html).toContain("Passport");
    const filed = await upload(`${home}/documents/${owner.id.split(":")[1]}`, PASSPORT);
    expect(filed.status).toBe(303);
  });

  it("does not add a person twice by going back to the form", async () => {
    const customerId = await unverifiedBusiness(story);
    const home = await linkHomeOf(story, customerId);
    for (const _again of [1, 2]) {
      expect((await fill(`${home}/people/new`, OWNER_FORM)).status).toBe(303);
    }
    expect((await customer(customerId)).beneficialOwners).toHaveLength(1);
  });

  it("gets an error at the maximum number of people", async () => {
    const home = await linkHomeOf(story, await unverifiedBusiness(story));
    for (let count = 0; count < 50; count += 1) {
      const fields = { ...OWNER_FORM, "personalInfo.address.line1": `${count} Long Rd` };
      expect((await fill(`${home}/people/new`, fields)).status).toBe(303);
    }
    const refused = await fill(`${home}/people/new`, OWNER_FORM);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("There are 50 people here already: no more can be added.");
    expect(refused.html).toContain('value="Mara"');
  });

  it("gets every error about a person at once", async () => {
    const home = await linkHomeOf(story, await unverifiedBusiness(story));
    const page = await fill(`${home}/people/new`, { ownershipPercentage: "101" });
    expect(page.status).toBe(400);
    expect(page.html).toContain("Choose at least one.");
    expect(page.html).toContain("Enter a whole number from 0 to 100.");
    expect(page.html).toContain("Enter: First name.");
  });

  it.each([
    ["7700001", "PENDING"],
    ["7700002", "REJECTED"],
    ["7700100", "APPROVED"],
  ])(
    "with the number %s ends %s in a sandbox, whatever is missing",
    async (registrationNumber, kybStatus) => {
      const customerId = await unverifiedBusiness(story, { registrationNumber });
      const home = await linkHomeOf(story, customerId);
      expect((await fill(home, {})).heading).toBe("Thank you, all is sent");
      expect((await customer(customerId)).kybStatus).toBe(kybStatus);
    },
  );
});
