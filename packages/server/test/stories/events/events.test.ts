/** Events as a platform reads them: listed, one by one, and as their exact bytes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

const server = await sharedServer();
let story: Story;
let customerId: string;
let accountId: string;
let transactionId: string;

beforeAll(async () => {
  story = await openStory(server);
  ({ customerId, accountId } = await fundedCustomer(story, 10_000));
  const payeeId = await bankAccount(story, { customerId });
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: payeeId },
    amount: 500,
  });
  transactionId = paid.json.id;
  await story.settle();
});
afterAll(async () => {
  await endReceivers();
});

interface Row {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly timestamp: string;
  readonly resourceId?: string;
  readonly data: { readonly id: string };
}

async function listed(query = "", from: Story = story): Promise<readonly Row[]> {
  const { status, json } = await from.call("GET", `/events${query}`);
  expect(status).toBe(200);
  return json.data;
}

describe("the list of events", () => {
  it("has every event once, numbered without gaps, the latest first", async () => {
    const rows = await listed("?limit=100");
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map(({ sequence }) => sequence)).toEqual(
      rows.map((_, index) => rows.length - index),
    );
    const rising = await listed("?limit=100&sortOrder=asc");
    expect(rising).toEqual(rows.toReversed());
  });

  it("names the object that each is about as its data does", async () => {
    for (const { resourceId, data } of await listed("?limit=100")) {
      expect(resourceId).toBe(data.id);
    }
  });

  it("finds the events of one object, and of no other kind with its uuid", async () => {
    const rows = await listed(`?resourceId=${transactionId}`);
    expect(rows.map(({ type }) => type)).toEqual([
      "OUTGOING_PAYMENT.COMPLETED",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.PENDING",
    ]);
    const [, uuid] = transactionId.split(":");
    expect(await listed(`?resourceId=Customer:${uuid}`)).toEqual([]);
    expect(await listed(`?resourceId=${transactionId}&type=CUSTOMER.*`)).toEqual([]);
    expect(await listed(`?resourceId=${transactionId}&type=OUTGOING_PAYMENT.COMPLETED`)).toEqual(
      rows.slice(0, 1),
    );
  });

  it("finds types, beginnings of types, and several of them", async () => {
    const all = await listed("?limit=100");
    const of = (...beginnings: string[]) =>
      all.filter(({ type }) => beginnings.some((beginning) => type.startsWith(beginning)));
    expect(await listed("?limit=100&type=OUTGOING_PAYMENT.*")).toEqual(of("OUTGOING_PAYMENT."));
    expect(await listed("?limit=100&type=CUSTOMER.*&type=OUTGOING_PAYMENT.COMPLETED")).toEqual(
      of("CUSTOMER.", "OUTGOING_PAYMENT.COMPLETED"),
    );
    expect(of("CUSTOMER.")).not.toEqual([]);
  });

  it("keeps to bounds of the sequence and of time", async () => {
    const all = await listed("?limit=100");
    expect(await listed("?limit=100&after=2&before=5")).toEqual(
      all.filter(({ sequence }) => sequence > 2 && sequence < 5),
    );
    const { timestamp } = all[2] as Row;
    expect(await listed(`?limit=100&since=${timestamp}`)).toEqual(
      all.filter((row) => row.timestamp >= timestamp),
    );
    expect(await listed(`?limit=100&until=${timestamp}`)).toEqual(
      all.filter((row) => row.timestamp <= timestamp),
    );
    expect(await listed("?since=2999-01-01T00:00:00Z")).toEqual([]);
    expect(await listed("?until=1999-01-01T00:00:00Z")).toEqual([]);
  });

  it.each(["asc", "desc"])("pages %s without a gap or repeat", async (sortOrder) => {
    const found: Row[] = [];
    const filter = `?limit=2&sortOrder=${sortOrder}&type=OUTGOING_PAYMENT.*&type=INTERNAL_ACCOUNT.*`;
    for (let cursor = ""; ; ) {
      const { json } = await story.call("GET", `/events${filter}${cursor}`);
      found.push(...json.data);
      if (json.hasMore !== true) break;
      cursor = `&cursor=${json.nextCursor}`;
    }
    expect(found).toEqual(await listed(filter.replace("limit=2", "limit=100")));
    expect(found.length).toBeGreaterThan(3);
  });

  it.each([
    ["type", "type=NO_SUCH_TYPE"],
    ["type", "type=*"],
    ["resourceId", "resourceId=7"],
    ["after", "after=-1"],
    ["after", "after=x"],
    ["before", "before=1.5"],
    ["since", "since=yesterday"],
    ["sortOrder", "sortOrder=up"],
    ["limit", "limit=101"],
    ["cursor", "cursor=abc"],
  ])("refuses a wrong %s", async (field, query) => {
    const { status, json } = await story.call("GET", `/events?${query}`);
    expect([status, json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(json.details.errors[0].field).toMatch(new RegExp(`^${field}`));
  });

  it("refuses a cursor of another filter", async () => {
    const { json } = await story.call("GET", "/events?limit=1");
    const { status } = await story.call("GET", `/events?limit=1&after=1&cursor=${json.nextCursor}`);
    expect(status).toBe(400);
  });

  it("shows another platform nothing of it", async () => {
    const other = await openStory(server);
    const [row] = await listed("?limit=1");
    expect(await listed(`?resourceId=${transactionId}`, other)).toEqual([]);
    for (const path of [`/events/${row?.id}`, `/events/${row?.id}/raw`]) {
      const { status, json } = await other.call("GET", path);
      expect([status, json.code]).toEqual([404, "EVENT_NOT_FOUND"]);
    }
  });

  it("works on a production platform", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    expect(await listed("", production)).toEqual([]);
  });
});

describe("one event", () => {
  it("is answered with the bytes that a webhook delivers", async () => {
    const told = await listenTo(story);
    const made = await fundedCustomer(story, 5);
    const delivered = (await told.events()).at(-1);
    expect(delivered?.data.id).toBe(made.accountId);
    const found = await story.call("GET", `/events/${delivered?.id}`);
    const raw = await story.call("GET", `/events/${delivered?.id}/raw`);
    expect(raw.text).toBe(delivered?.body);
    const { id, type, timestamp, data } = JSON.parse(raw.text);
    expect(found.json).toEqual({
      id,
      type,
      timestamp,
      data,
      sequence: delivered?.sequence,
      resourceId: made.accountId,
      body: raw.text,
      deliveries: [expect.objectContaining({ eventId: id, state: "DELIVERED" })],
    });
  });

  it.each(["Webhook:7", "Webhook:019a4f00-0000-7000-8000-000000000005", "stream2", "Customer:7"])(
    "is not found as %s",
    async (id) => {
      for (const path of [`/events/${id}`, `/events/${id}/raw`]) {
        const { status, json } = await story.call("GET", path);
        expect([status, json.code]).toEqual([404, "EVENT_NOT_FOUND"]);
      }
    },
  );
});
