/** Invitations between platforms: the one place where a platform acts on another one's object. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { cancel, claim, invite, newInviter, open, statusOf } from "../../kit/story-invitations.ts";
import { advance } from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => endReceivers());
afterAll(() => server.close());

const codeOf = ({ status, json }: RawAnswer) => [status, json.code];
const claimsIn = (events: readonly { readonly type: string }[]) =>
  events.filter(({ type }) => type === "INVITATION_CLAIMED");

async function headOf({ platformId }: Story): Promise<unknown> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select seq, event_seq from platform_heads where platform_id = $1", [platformId]),
  );
  return rows[0];
}

describe("another platform", () => {
  it("reads and claims an invitation; only the inviter's platform gets an event, in one commit of its own", async () => {
    const [ours, theirs] = [await openStory(server), await openStory(server)];
    const [delivered, untold] = [await listenTo(ours), await listenTo(theirs)];
    const { code } = await invite(ours, { firstName: "Ana", amountToSend: 700 });
    const read = await theirs.call("GET", `/invitations/${code}`);
    expect(read.json).toEqual((await ours.call("GET", `/invitations/${code}`)).json);
    const theirHead = await headOf(theirs);

    const { umaAddress } = await newInviter(ours);
    const claimed = await claim(theirs, code, { inviteeUma: umaAddress });
    expect(claimed.json).toMatchObject({ status: "CLAIMED", inviteeUma: umaAddress });
    expect(claimsIn(await delivered.events())).toMatchObject([{ data: claimed.json }]);
    expect(claimsIn(await untold.events())).toEqual([]);
    expect(await headOf(theirs)).toEqual(theirHead);
    expect(codeOf(await claim(ours, code))).toEqual([400, "INVITATION_ALREADY_CLAIMED"]);
  });

  it("cannot cancel an invitation, whatever its state", async () => {
    const [ours, theirs] = [await openStory(server), await openStory(server)];
    const { code } = await invite(ours);
    expect(codeOf(await cancel(theirs, code))).toEqual([403, "FORBIDDEN"]);
    expect(await statusOf(ours, code)).toBe("PENDING");
    await claim(theirs, code);
    expect(codeOf(await cancel(theirs, code))).toEqual([403, "FORBIDDEN"]);
  });

  it("has idempotency keys of its own on our invitation", async () => {
    const [ours, theirs] = [await openStory(server), await openStory(server)];
    const { code } = await invite(ours);
    const first = await claim(theirs, code, { key: "same" });
    const other = await claim(ours, code, { key: "same" });
    const again = await claim(theirs, code, { key: "same" });
    expect([first.status, codeOf(other)]).toEqual([200, [400, "INVITATION_ALREADY_CLAIMED"]]);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  });

  it("sees an expiry by the clock of the inviter's platform", async () => {
    const [ours, theirs] = [await openStory(server), await openStory(server)];
    const now = Date.parse((await ours.call("GET", "/sandbox/clock")).json.now);
    const expiresAt = new Date(now + 86_400_000).toISOString();
    const { code, url } = await invite(ours, { expiresAt });
    await advance(theirs, 2 * 86_400);
    expect(await statusOf(theirs, code)).toBe("PENDING");
    expect((await open(url)).heading).toBe("You are invited to be sent money");
    await advance(ours, 86_400);
    expect(await statusOf(theirs, code)).toBe("EXPIRED");
    expect(codeOf(await claim(theirs, code))).toEqual([400, "INVITATION_EXPIRED"]);
  });
});

describe("sandbox and production", () => {
  it("do not know each other's invitations", async () => {
    const publicServer = await startTestServer({
      settings: { PUBLIC_URL: "https://pay.example/florin/" },
    });
    try {
      const sandbox = await openStory(publicServer, {});
      const production = await openStory(publicServer, { environment: "PRODUCTION" });
      for (const [mine, other] of [
        [sandbox, production],
        [production, sandbox],
      ] as const) {
        const { code, url } = await invite(mine);
        expect(url).toBe(`https://pay.example/florin/i/${code}`);
        for (const answer of [
          await other.call("GET", `/invitations/${code}`),
          await claim(other, code),
          await cancel(other, code),
        ]) {
          expect(codeOf(answer)).toEqual([404, "INVITATION_NOT_FOUND"]);
        }
        expect(await statusOf(mine, code)).toBe("PENDING");
      }
    } finally {
      await publicServer.close();
    }
  });

  it("differ: production refuses invitations without a public address", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const body = { inviterUma: "$nobody@p.test", expiresAt: "2020-01-01T00:00:00Z" };
    const answer = await production.call("POST", "/invitations", body);
    expect(codeOf(answer)).toEqual([400, "INVITATIONS_NOT_CONFIGURED"]);
  });
});
