/** Several claimants of one invitation on two servers: one of them gets it, and the platform gets one event. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Call, type Reply, send } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import { expectReply, type Rig, startRig, tally } from "../faults/rig.ts";
import { limitMs, rounds } from "../faults/rounds.ts";

let rig: Rig;
let inviterUma: string;
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  const body = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
  const customer = await expectReply(serverOf(0), 201, {
    method: "POST",
    path: "/customers",
    body,
  });
  inviterUma = String(customer.umaAddress);
});
afterAll(() => rig.close());

afterEach(async () => {
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
});

const serverOf = (index: number) => present(rig.servers[index % rig.servers.length], "a server");

/** Sends all calls concurrently, alternating between the servers. */
function atOnce(calls: readonly Call[]): Promise<readonly Reply[]> {
  return Promise.all(
    calls.map((call, index) => send(serverOf(index), { limitMs: 30_000, ...call })),
  );
}

async function invite(): Promise<string> {
  const path = "/invitations";
  const made = await expectReply(serverOf(1), 201, { method: "POST", path, body: { inviterUma } });
  return String(made.code);
}

const claimBy = (code: string, name: string): Call => ({
  method: "POST",
  path: `/invitations/${code}/claim`,
  body: { inviteeUma: `$${name}@wallet.test` },
});

const cancelOf = (code: string): Call => ({ method: "POST", path: `/invitations/${code}/cancel` });

interface Invitation {
  readonly code: string;
  readonly status: string;
  readonly inviteeUma?: string;
}

/** Without its link, which contains the address of the answering server. */
function withoutLink({ url: _, ...invitation }: Invitation & { readonly url: string }): Invitation {
  return invitation;
}

function read(reply: Reply | undefined): Invitation {
  return withoutLink(JSON.parse(present(reply, "a reply").text));
}

/** The invitation from both servers, and the claims in the platform's events. */
async function outcomeOf(code: string): Promise<{ invitation: Invitation; claims: Invitation[] }> {
  const path = `/invitations/${code}`;
  const [one, other] = await atOnce([
    { method: "GET", path },
    { method: "GET", path },
  ]);
  expect(read(one)).toEqual(read(other));
  const events = await rig.database.asSuperuser((client) =>
    client.query<{ body: string }>("select body from events where type = 'INVITATION_CLAIMED'"),
  );
  const claims = events.rows.map(({ body }) => withoutLink(JSON.parse(body).data));
  return { invitation: read(one), claims: claims.filter((claimed) => claimed.code === code) };
}

describe("an invitation with concurrent claims", () => {
  it("is claimed once, with one event", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(5); round++) {
      const code = await invite();
      const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
      const replies = await atOnce(names.map((name) => claimBy(code, name)));
      expect(tally(replies)).toEqual({ 200: 1, 400: 11 });
      const codes = replies.filter(({ status }) => status === 400).map((reply) => read(reply).code);
      expect(new Set(codes)).toEqual(new Set(["INVITATION_ALREADY_CLAIMED"]));
      const won = read(replies.find(({ status }) => status === 200));
      const { invitation, claims } = await outcomeOf(code);
      expect([invitation, claims]).toEqual([won, [won]]);
    }
  });

  it("is claimed or cancelled, never both", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(8); round++) {
      const code = await invite();
      const replies = await atOnce(
        Array.from({ length: 12 }, (_, index) =>
          (index + round) % 4 < 2 ? claimBy(code, `n${index}`) : cancelOf(code),
        ),
      );
      expect(tally(replies)).toEqual({ 200: 1, 400: 11 });
      const won = read(replies.find(({ status }) => status === 200));
      const { invitation, claims } = await outcomeOf(code);
      expect(invitation).toEqual(won);
      expect(claims).toEqual(won.status === "CLAIMED" ? [won] : []);
    }
  });

  it("is claimed or expires, never both", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(5); round++) {
      const clock = await expectReply(serverOf(0), 200, { method: "GET", path: "/sandbox/clock" });
      const expiresAt = new Date(Date.parse(String(clock.now)) + 3_600_000).toISOString();
      const made = await expectReply(serverOf(0), 201, {
        method: "POST",
        path: "/invitations",
        body: { inviterUma, expiresAt },
      });
      const code = String(made.code);
      const [, ...claimed] = await atOnce([
        { method: "POST", path: "/sandbox/clock/advance", body: { seconds: 3_600 } },
        ...Array.from({ length: 7 }, (_, index) => claimBy(code, `n${index}`)),
      ]);
      const won = claimed.filter(({ status }) => status === 200);
      expect(won.length).toBeLessThanOrEqual(1);
      const { invitation, claims } = await outcomeOf(code);
      expect(invitation.status).toBe(won.length === 1 ? "CLAIMED" : "EXPIRED");
      expect(claims).toHaveLength(won.length);
    }
  });
});
