/** Businesses with as many owners as they may have: a page of them ends before it costs the thread much. */
import { beforeAll, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";

const BUSINESSES = 14;
const OWNERS = 50;

const server = await sharedServer();
let story: Story;
const ids: string[] = [];

beforeAll(async () => {
  story = await openStory(server);
  for (let index = 0; index < BUSINESSES; index++) ids.push(await largeBusiness(index));
});

const address = {
  line1: "1".repeat(100),
  line2: "2".repeat(100),
  city: "c".repeat(100),
  postalCode: "11111",
  country: "US",
};

async function largeBusiness(index: number): Promise<string> {
  const business = await story.call("POST", "/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: `Business ${index}`,
      country: "US",
      taxId: "12-3456789",
      incorporatedOn: "2000-01-01",
    },
    address,
  });
  expect(business.status, business.text).toBe(201);
  const owner = {
    customerId: business.json.id,
    roles: ["UBO"],
    ownershipPercentage: 1,
    personalInfo: {
      firstName: "f".repeat(100),
      lastName: "l".repeat(100),
      birthDate: "1990-01-01",
      nationality: "US",
      address,
      idType: "SSN",
      identifier: "123456789",
    },
  };
  const made = await Promise.all(
    Array.from({ length: OWNERS }, () => story.call("POST", "/beneficial-owners", owner)),
  );
  expect(made.map(({ status }) => status)).toEqual(Array(OWNERS).fill(201));
  return business.json.id;
}

it("a page of very large items ends early, and the walk finds each of them once", async () => {
  const found: string[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? "" : `&cursor=${cursor}`;
    const page = await story.call("GET", `/customers?limit=100${query}`);
    expect(page.json.totalCount).toBe(BUSINESSES);
    expect(Buffer.byteLength(page.text)).toBeLessThan(768 * 1024);
    found.push(...page.json.data.map(({ id }: { readonly id: string }) => id));
    sizes.push(page.json.data.length);
    expect(page.json.hasMore).toBe(page.json.nextCursor !== undefined);
    cursor = page.json.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(ids.toReversed());
  expect(sizes.length).toBeGreaterThan(1);
});

it("a page of items of the usual size holds as many as were asked for", async () => {
  const page = await story.call("GET", `/beneficial-owners?customerId=${ids[0]}&limit=50`);
  expect(page.json.data).toHaveLength(OWNERS);
});
