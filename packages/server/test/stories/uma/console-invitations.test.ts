/** The invitations of a platform in the console, which finds them without their codes. */
import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { claim, newInviter } from "../../kit/story-invitations.ts";
import { advance } from "../../kit/story-money.ts";

const UNKNOWN = "Invitation:019a4f00-0000-7000-8000-000000000099";
const DAY_MS = 86_400_000;

const server = await sharedServer();
let story: Story;
let others: Story;
let owner: ConsoleBrowser;
let viewer: ConsoleBrowser;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  others = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  viewer = (await makePerson(owner, ["VIEWER"])).browser;
});

const at = (browser: ConsoleBrowser, where = story) => browser.at(where.platformId);
const list = async (query = "", browser = owner) =>
  (await at(browser)("GET", `/sent-invitations?${query}`)).json;
const cancel = (id: string, browser = owner) =>
  at(browser)("POST", `/sent-invitations/${id}/cancel`);

interface Made {
  readonly id: string;
  readonly code: string;
  readonly customerId: string;
}

async function make(more: object = {}, where = story): Promise<Made> {
  const inviter = await newInviter(where);
  const { umaAddress } = inviter;
  const { json } = await at(owner, where)("POST", "/invitations", {
    inviterUma: umaAddress,
    ...more,
  });
  const sent = await at(owner, where)("GET", "/sent-invitations?limit=1");
  return { id: sent.json.data[0].id, code: json.code, customerId: inviter.customerId };
}

const statusesBy = async (status: string) =>
  (await list(`status=${status}&limit=100`)).data.map(({ id }: { readonly id: string }) => id);

describe("the invitations of a platform", () => {
  it("are listed newest first, without their codes", async () => {
    const first = await make();
    const second = await make({ amountToSend: 12_500 });
    const page = await list("limit=2");
    expect(page.data.map(({ id }: { readonly id: string }) => id)).toEqual([second.id, first.id]);
    expect(page.data[0]).toMatchObject({
      inviter: { customerId: second.customerId, fullName: expect.any(String) },
      status: "PENDING",
      amountToSend: { amount: 12_500, currency: { code: "EUR" } },
    });
    expect(JSON.stringify(page)).not.toContain(second.code);
    const read = await at(owner)("GET", `/sent-invitations/${second.id}`);
    expect([read.status, read.json]).toEqual([200, page.data[0]]);
  });

  it("are found by the state that each is in, whether or not it is stored", async () => {
    const open = await make();
    const claimed = await make();
    await claim(story, claimed.code);
    const cancelled = await make();
    expect((await cancel(cancelled.id)).json).toMatchObject({ status: "CANCELLED" });
    const expired = await make({
      expiresAt: new Date(systemClock.now() + DAY_MS).toISOString(),
    });
    const left = await make();
    expect((await story.call("DELETE", `/customers/${left.customerId}`)).status).toBe(200);
    await advance(story, 2 * 86_400);
    const all = { open, claimed, cancelled, expired, left };
    const found = Object.fromEntries(
      await Promise.all(
        ["PENDING", "CLAIMED", "CANCELLED", "EXPIRED"].map(async (status) => {
          const ids = await statusesBy(status);
          const names = Object.entries(all).filter(([, { id }]) => ids.includes(id));
          for (const id of ids) {
            const { json } = await at(owner)("GET", `/sent-invitations/${id}`);
            expect([id, json.status]).toEqual([id, status]);
          }
          return [status, names.map(([name]) => name)];
        }),
      ),
    );
    expect(found).toEqual({
      PENDING: ["open"],
      CLAIMED: ["claimed"],
      CANCELLED: ["cancelled", "left"],
      EXPIRED: ["expired"],
    });
  });

  it("are cancelled once, and each that has ended says how", async () => {
    const { id, code } = await make();
    const { json } = await cancel(id);
    expect(json).toMatchObject({ id, status: "CANCELLED" });
    expect((await story.call("GET", `/invitations/${code}`)).json.status).toBe("CANCELLED");
    expect(await cancel(id)).toMatchObject({ status: 400, json: { code: "INVITATION_CANCELLED" } });
    const claimed = await make();
    await claim(story, claimed.code);
    expect((await cancel(claimed.id)).json.code).toBe("INVITATION_ALREADY_CLAIMED");
    const entries = await story.call("GET", "/audit-entries?act=cancel-invitation&limit=1");
    expect(entries.json.data[0].target.id).toBe(id);
  });

  it("are unknown to other platforms, and under other ids", async () => {
    const { id } = await make({}, others);
    for (const wrong of [id, UNKNOWN, "Invitation:1", "Customer:1"]) {
      const read = await at(owner)("GET", `/sent-invitations/${wrong}`);
      const answers = [read, await cancel(wrong)];
      for (const { status, json } of answers)
        expect([wrong, status, json.code]).toEqual([wrong, 404, "INVITATION_NOT_FOUND"]);
    }
    expect((await list("status=LOST")).code).toBe("INVALID_INPUT");
  });

  it("show a person without pii.read no name and no address, and are not theirs to cancel", async () => {
    const { id } = await make();
    const { data } = await list("limit=1", viewer);
    expect(data[0].inviterUma).toMatch(/^\$.•••@.•••/);
    expect(data[0].inviter.fullName).toMatch(/^(\S\. ?)*$/u);
    expect((await cancel(id, viewer)).json).toMatchObject({
      code: "FORBIDDEN",
      details: { capability: "invitations.write" },
    });
  });
});
