import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { advanceClock } from "../../../src/domain/platforms/sandbox/advance-clock.ts";
import { expireInvitation } from "../../../src/domain/uma/invitations/invitation-end.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { basic } from "../../kit/basic.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { cancel, claim, invite, newInviter, open, statusOf } from "../../kit/story-invitations.ts";
import { advance } from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const NOBODY = "0123456789abcdef0123456789abcdef";
const DAY_MS = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => endReceivers());
afterAll(() => server.close());

const inDays = (days: number) => new Date(systemClock.now() + days * DAY_MS).toISOString();
const codeOf = ({ status, json }: RawAnswer) => [status, json.code];

describe("an invitation", () => {
  it("is made with what was given, and read as it was made", async () => {
    const story = await openStory(server);
    await ignoreUnknownFields(story);
    const { umaAddress } = await newInviter(story);
    const expiresAt = inDays(3);
    const made = await story.call("POST", "/invitations", {
      inviterUma: umaAddress.toUpperCase(),
      firstName: " Ana ",
      amountToSend: 12_500,
      expiresAt,
      colour: "red",
    });
    expect(made.status).toBe(201);
    const { code, createdAt } = made.json;
    expect(made.json).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: expect.any(String),
      url: `${server.app.baseUrl}/i/${code}`,
      inviterUma: umaAddress,
      status: "PENDING",
      expiresAt,
      firstName: "Ana",
      amountToSend: {
        amount: 12_500,
        currency: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
      },
    });
    expect(Math.abs(Date.parse(createdAt) - systemClock.now())).toBeLessThan(DAY_MS);
    const read = await story.call("GET", `/invitations/${code}`);
    expect([read.status, read.json]).toEqual([200, made.json]);
  });

  it("needs an inviter and nothing else", async () => {
    const story = await openStory(server);
    const made = await invite(story);
    expect(Object.keys(made).sort()).toEqual(["code", "createdAt", "inviterUma", "status", "url"]);
    await advance(story, 2_592_000);
    expect(await statusOf(story, made.code)).toBe("PENDING");
  });

  it.each([
    ["no body", {}, "INVALID_INPUT", ["inviterUma"]],
    [
      "an address without a dollar sign",
      { inviterUma: "ana@p.test" },
      "INVALID_UMA_ADDRESS",
      ["inviterUma"],
    ],
    ["an address without a domain", { inviterUma: "$ana" }, "INVALID_UMA_ADDRESS", ["inviterUma"]],
    ["a look-alike letter", { inviterUma: "$аna@p.test" }, "INVALID_UMA_ADDRESS", ["inviterUma"]],
    [
      "an address that is no customer's",
      { inviterUma: "$nobody@p.test" },
      "INVALID_INPUT",
      ["inviterUma"],
    ],
    ["an amount of nothing", { amountToSend: 0 }, "INVALID_AMOUNT", ["amountToSend"]],
    ["an amount in text", { amountToSend: "5" }, "INVALID_AMOUNT", ["amountToSend"]],
    ["an amount with a fraction", { amountToSend: 1.5 }, "INVALID_AMOUNT", ["amountToSend"]],
    ["a time that is none", { expiresAt: "tomorrow" }, "INVALID_INPUT", ["expiresAt"]],
    [
      "a time that has passed",
      { expiresAt: "2020-01-01T00:00:00Z" },
      "INVALID_INPUT",
      ["expiresAt"],
    ],
    ["a first name of spaces", { firstName: "  " }, "INVALID_INPUT", ["firstName"]],
    [
      "a first name that is too long",
      { firstName: "x".repeat(101) },
      "INVALID_INPUT",
      ["firstName"],
    ],
    [
      "two things at once",
      { inviterUma: "$nobody@p.test", expiresAt: "2020-01-01T00:00:00Z" },
      "INVALID_INPUT",
      ["inviterUma", "expiresAt"],
    ],
  ])("is refused with %s", async (what, change, code, fields) => {
    const story = await openStory(server);
    const { umaAddress } = await newInviter(story);
    const body = what === "no body" ? {} : { inviterUma: umaAddress, ...change };
    const answer = await story.call("POST", "/invitations", body);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.json.details.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  it("is refused of a customer who was deleted, and of another platform's", async () => {
    const [story, other] = [await openStory(server), await openStory(server)];
    const gone = await newInviter(story);
    await story.call("DELETE", `/customers/${gone.customerId}`);
    const foreign = await newInviter(other);
    for (const { umaAddress } of [gone, foreign]) {
      const answer = await story.call("POST", "/invitations", { inviterUma: umaAddress });
      expect(codeOf(answer)).toEqual([400, "INVALID_INPUT"]);
    }
  });

  it("has a code that is not in the database in clear, not even under an idempotency key", async () => {
    const story = await openStory(server);
    const { umaAddress } = await newInviter(story);
    const body = { inviterUma: umaAddress };
    const made = await story.call("POST", "/invitations", body, { key: "once" });
    const again = await story.call("POST", "/invitations", body, { key: "once" });
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([made.text, "true"]);
    const { code } = made.json;
    await claim(story, code, { inviteeUma: umaAddress, key: "with its own address" });
    const { rows } = await server.database.asSuperuser((client) =>
      client.query(
        "select (select count(*) from command_log l where l::text like $1) + (select count(*) from invitations i " +
          "where i::text like $1) + (select count(*) from directory d where d::text like $1) + " +
          "(select count(*) from jobs j where j::text like $1) as found",
        [`%${code}%`],
      ),
    );
    expect(Number(rows[0].found)).toBe(0);
  });
});

describe("claiming", () => {
  it("returns where to send the money, once, and emits an event to the platform", async () => {
    const story = await openStory(server);
    const receiver = await listenTo(story);
    const { code, inviterUma } = await invite(story, { firstName: "Ana", amountToSend: 5 });
    const claimed = await claim(story, code, { inviteeUma: "$BEA@Wallet.test" });
    expect(claimed.status).toBe(200);
    expect(claimed.json).toMatchObject({
      code,
      inviterUma,
      status: "CLAIMED",
      inviteeUma: "$bea@wallet.test",
      firstName: "Ana",
      amountToSend: { amount: 5 },
    });
    expect(Date.parse(claimed.json.claimedAt)).toBeGreaterThan(0);
    const delivered = (await receiver.events()).filter(({ type }) => type === "INVITATION_CLAIMED");
    expect(delivered.map(({ data }) => data)).toEqual([claimed.json]);
    expect((await story.call("GET", `/invitations/${code}`)).json).toEqual(claimed.json);
  });

  it("gives the same answer to the same key, and tells once", async () => {
    const story = await openStory(server);
    const receiver = await listenTo(story);
    const { code } = await invite(story);
    const [first, second] = await Promise.all([
      claim(story, code, { key: "k" }),
      claim(story, code, { key: "k" }),
    ]);
    expect([first.status, second.text]).toEqual([200, first.text]);
    const other = await claim(story, code, { key: "k", inviteeUma: "$other@wallet.test" });
    expect(codeOf(other)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    const delivered = (await receiver.events()).filter(({ type }) => type === "INVITATION_CLAIMED");
    expect(delivered).toHaveLength(1);
  });

  it.each([
    [undefined, "INVALID_INPUT"],
    [7, "INVALID_INPUT"],
    ["", "INVALID_INPUT"],
    ["bea@wallet.test", "INVALID_UMA_ADDRESS"],
    ["$bea", "INVALID_UMA_ADDRESS"],
    ["$bea@wallet", "INVALID_UMA_ADDRESS"],
    ["$bea@wallet.test\r\nx: y", "INVALID_UMA_ADDRESS"],
    ["$bеa@wallet.test", "INVALID_UMA_ADDRESS"],
    [`$${"b".repeat(300)}@w.test`, "INVALID_UMA_ADDRESS"],
    ["x".repeat(321), "INVALID_INPUT"],
  ])("is refused with %j", async (inviteeUma, code) => {
    const story = await openStory(server);
    const made = await invite(story);
    const body = inviteeUma === undefined ? {} : { inviteeUma };
    const answer = await story.call("POST", `/invitations/${made.code}/claim`, body);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.json.details.errors[0].field).toBe("inviteeUma");
    expect(await statusOf(story, made.code)).toBe("PENDING");
  });

  it("is refused with the inviter's own address", async () => {
    const story = await openStory(server);
    const { code, inviterUma } = await invite(story);
    const own = await claim(story, code, { inviteeUma: inviterUma });
    expect(codeOf(own)).toEqual([400, "INVALID_UMA_ADDRESS"]);
    expect(await statusOf(story, code)).toBe("PENDING");
  });
});

/** The state table: what each state answers to each call, and what the page behind the link says. */
describe("the states", () => {
  type Reach = (story: Story, code: string) => Promise<unknown>;
  const soon = { expiresAt: inDays(1) };
  const table: readonly {
    readonly state: string;
    readonly status: string;
    readonly reach: Reach;
    readonly refusal: string;
    readonly details: object;
    readonly heading: string;
  }[] = [
    {
      state: "claimed",
      status: "CLAIMED",
      reach: (story, code) => claim(story, code),
      refusal: "INVITATION_ALREADY_CLAIMED",
      details: { status: "CLAIMED", inviteeUma: "$bea@wallet.test" },
      heading: "This invitation was accepted",
    },
    {
      state: "cancelled",
      status: "CANCELLED",
      reach: cancel,
      refusal: "INVITATION_CANCELLED",
      details: { status: "CANCELLED" },
      heading: "This invitation was cancelled",
    },
    {
      state: "expired",
      status: "EXPIRED",
      reach: (story) => advance(story, 2 * 86_400),
      refusal: "INVITATION_EXPIRED",
      details: { status: "EXPIRED", expirationTime: soon.expiresAt },
      heading: "This invitation has expired",
    },
  ];

  it.each(table)("$state is final: it is read, and neither claimed nor cancelled", async (row) => {
    const story = await openStory(server);
    const made = await invite(story, soon);
    const reached = (await row.reach(story, made.code)) as RawAnswer;
    expect(reached.status).toBe(200);
    const before = await story.call("GET", `/invitations/${made.code}`);
    expect(before.json.status).toBe(row.status);
    for (const answer of [
      await claim(story, made.code, { inviteeUma: "$other@wallet.test" }),
      await claim(story, made.code),
      await claim(story, made.code, { inviteeUma: made.inviterUma }),
      await cancel(story, made.code),
    ]) {
      expect(codeOf(answer)).toEqual([400, row.refusal]);
      expect(answer.json.details).toEqual(row.details);
    }
    await advance(story, 86_400 * 3);
    expect((await story.call("GET", `/invitations/${made.code}`)).json).toEqual(before.json);
    const page = await open(made.url);
    expect([page.status, page.heading]).toEqual([200, row.heading]);
    const jobs = await server.database.asSuperuser((client) =>
      client.query("select kind from jobs where platform_id = $1", [story.platformId]),
    );
    expect(jobs.rows).toEqual([]);
  });

  it("expired begins at its exact time, and emits no event", async () => {
    const story = await openStory(server);
    const receiver = await listenTo(story);
    const now = Date.parse((await story.call("GET", "/sandbox/clock")).json.now);
    const made = await invite(story, { expiresAt: new Date(now + DAY_MS).toISOString() });
    await advance(story, 86_400 - 3_600);
    expect(await statusOf(story, made.code)).toBe("PENDING");
    await advance(story, 3_600);
    expect(await statusOf(story, made.code)).toBe("EXPIRED");
    const stored = await server.database.asSuperuser((client) =>
      client.query("select status from invitations where platform_id = $1", [story.platformId]),
    );
    expect(stored.rows).toEqual([{ status: "EXPIRED" }]);
    const types = (await receiver.events()).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("INVITATION"))).toEqual([]);
  });

  it("cancelled emits no event", async () => {
    const story = await openStory(server);
    const receiver = await listenTo(story);
    const { code } = await invite(story);
    expect((await cancel(story, code)).json).toMatchObject({ code, status: "CANCELLED" });
    const types = (await receiver.events()).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("INVITATION"))).toEqual([]);
  });
});

describe("the inviter's deletion", () => {
  it("cancels pending invitations for every reader, and leaves ended ones unchanged", async () => {
    const [story, other] = [await openStory(server), await openStory(server)];
    const receiver = await listenTo(story);
    const { customerId, umaAddress } = await newInviter(story);
    const make = async (more: object = {}) =>
      (await story.call("POST", "/invitations", { inviterUma: umaAddress, ...more })).json;
    const [claimed, pending, ending] = [
      await make(),
      await make(),
      await make({ expiresAt: inDays(1) }),
    ];
    expect((await claim(other, claimed.code)).status).toBe(200);
    const { json: deleted } = await story.call("DELETE", `/customers/${customerId}`);

    const states = () =>
      Promise.all([claimed, pending, ending].map(({ code }) => statusOf(other, code)));
    expect(await states()).toEqual(["CLAIMED", "CANCELLED", "CANCELLED"]);
    expect(codeOf(await claim(other, pending.code))).toEqual([400, "INVITATION_CANCELLED"]);
    expect(codeOf(await cancel(story, pending.code))).toEqual([400, "INVITATION_CANCELLED"]);
    expect(codeOf(await cancel(story, claimed.code))).toEqual([400, "INVITATION_ALREADY_CLAIMED"]);
    const page = await open(pending.url);
    expect(page.heading).toBe("This invitation was cancelled");
    expect(page.html).toContain(`datetime="${deleted.updatedAt}"`);
    await advance(story, 2 * 86_400);
    expect(await states()).toEqual(["CLAIMED", "CANCELLED", "CANCELLED"]);
    const types = (await receiver.events()).map(({ type }) => type);
    const ofInvitations = types.filter((type) => type.startsWith("INVITATION"));
    expect(ofInvitations).toEqual(["INVITATION_CLAIMED"]);
  });
});

describe("an expiry that no job has written down yet", () => {
  it("takes effect nevertheless", async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const slow = await startTestServer({ clock });
    try {
      const story = await openStory(slow);
      const made = await invite(story, { expiresAt: inDays(1) });
      await slow.app.jobs.stop();
      aheadMs = 2 * DAY_MS;
      const stored = await slow.database.asSuperuser((client) =>
        client.query("select status from invitations"),
      );
      expect(stored.rows).toEqual([{ status: "PENDING" }]);
      expect(await statusOf(story, made.code)).toBe("EXPIRED");
      expect(codeOf(await claim(story, made.code))).toEqual([400, "INVITATION_EXPIRED"]);
      expect(codeOf(await cancel(story, made.code))).toEqual([400, "INVITATION_EXPIRED"]);
      expect((await open(made.url)).heading).toBe("This invitation has expired");
    } finally {
      await slow.close();
    }
  });
});

describe("an expiry on the clock of the inviter's platform that no job has written down yet", () => {
  it("is shown by the page as by the API", async () => {
    const slow = await startTestServer();
    try {
      const story = await openStory(slow);
      const made = await invite(story, { expiresAt: inDays(1) });
      await slow.app.jobs.stop();
      // The call would run the job as well.
      await slow.app.engine.submit({
        platformId: story.platformId,
        actor: { kind: "worker", id: "clock" },
        command: advanceClock,
        input: { seconds: 2 * 86_400 },
        toAnswer: () => ({ status: 200, body: "" }),
      });
      const stored = await slow.database.asSuperuser((client) =>
        client.query("select status from invitations"),
      );
      expect(stored.rows).toEqual([{ status: "PENDING" }]);
      expect(await statusOf(story, made.code)).toBe("EXPIRED");
      expect((await open(made.url)).heading).toBe("This invitation has expired");
    } finally {
      await slow.close();
    }
  });
});

describe("the job that ends an invitation", () => {
  it("leaves one alone whose time has not come, and is kept", async () => {
    const story = await openStory(server);
    const { code } = await invite(story, { expiresAt: inDays(1) });
    const ids = await server.database.asSuperuser((client) =>
      client.query("select id, expiry_job_id from invitations where platform_id = $1", [
        story.platformId,
      ]),
    );
    const { id: invitationId, expiry_job_id: jobId } = ids.rows[0];
    const answered = await server.app.engine.submit({
      platformId: story.platformId,
      actor: { kind: "worker", id: "early" },
      command: expireInvitation,
      input: { invitationId, jobId },
      toAnswer: (isDone) => ({ status: 200, body: String(isDone) }),
    });
    expect(answered.body).toBe("false");
    expect(await statusOf(story, code)).toBe("PENDING");
    await advance(story, 86_400);
    expect(await statusOf(story, code)).toBe("EXPIRED");
  });
});

describe("an unknown code", () => {
  it.each([NOBODY, "x", "0123456789ABCDEF0123456789ABCDEF", `${NOBODY}0`, "%24ana", "..%2f.."])(
    "is not found: %s",
    async (code) => {
      const story = await openStory(server);
      for (const answer of [
        await story.call("GET", `/invitations/${code}`),
        await claim(story, code),
        await cancel(story, code),
      ]) {
        expect(codeOf(answer)).toEqual([404, "INVITATION_NOT_FOUND"]);
      }
    },
  );
});

describe("permissions", () => {
  it("to claim and to cancel are those to move money", async () => {
    const story = await openStory(server);
    const { code } = await invite(story);
    const token = await story.call("POST", "/tokens", { name: "reader", permissions: ["VIEW"] });
    const authorization = basic(token.json.clientId, token.json.clientSecret);
    const body = { inviteeUma: "$bea@wallet.test" };
    for (const step of ["claim", "cancel"]) {
      const path = `/invitations/${code}/${step}`;
      const answer = await story.call("POST", path, body, { authorization });
      expect(codeOf(answer)).toEqual([403, "FORBIDDEN"]);
    }
    expect(
      (await story.call("GET", `/invitations/${code}`, undefined, { authorization })).status,
    ).toBe(200);
  });
});
