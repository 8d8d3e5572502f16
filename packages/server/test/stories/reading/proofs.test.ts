/** The command log as evidence: texts under the hashes, the chain, and signed checkpoints. */
import { createHash, verify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDailyCheckpoints } from "../../../src/jobs/reading/daily-checkpoints.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { silentLog } from "../../../src/std/log.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const GENESIS = "0".repeat(64);

let server: TestServer;
let workspaceId: string;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ clock: systemClock });
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, name: "Proven" });
  await fundedCustomer(story, 10_000);
  await story.settle();
});
afterAll(() => server.close());

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function read(path: string, from: Story = story) {
  const answer = await from.call("GET", path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function postedCommand(): Promise<number> {
  const { data } = await read("/ledger/postings?limit=1");
  return data[0].commandSeq;
}

interface Link {
  readonly seq: number;
  readonly row: string;
  readonly hash: string;
}

describe("a command", () => {
  it("is proved by the texts under its hashes", async () => {
    const seq = await postedCommand();
    const command = await read(`/ledger/commands/${seq}`);
    const proof = await read(`/ledger/commands/${seq}/proof`);
    const effects: readonly { table: string; text: string }[] = proof.effects;
    expect(sha256(`${proof.previousHash}\n${proof.row}`)).toBe(command.hash);
    expect(sha256(effects.map(({ text }) => text).join(""))).toBe(command.effectsDigest);
    expect(proof.row.trimEnd().split("\n").at(-1)).toBe(command.effectsDigest);
    expect(proof.row.startsWith(`${seq}\n${command.id}\n${command.name}\n`)).toBe(true);
    expect(new Set(effects.map(({ table }) => table))).toEqual(
      new Set(["ledger_entries", "events"]),
    );
  });

  it("that does not exist is unknown, and so is what is no number", async () => {
    for (const seq of ["999999", "0", "1.5", "x", "9".repeat(30)]) {
      for (const path of [`/ledger/commands/${seq}`, `/ledger/commands/${seq}/proof`]) {
        const { status, json } = await story.call("GET", path);
        expect([status, json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
      }
    }
  });

  it("shows its digests alone to a person who may not see personal data", async () => {
    const seq = await postedCommand();
    const owner = await makeOwner(server, workspaceId);
    const { browser } = await makePerson(owner, ["VIEWER"]);
    const path = `/p/PlatformConfig:${story.platformId}/ledger/commands/${seq}/proof`;
    const seen = await browser.call("GET", path);
    expect(seen.status).toBe(200);
    const { effects, ...digests } = await read(`/ledger/commands/${seq}/proof`);
    expect(effects.length).toBeGreaterThan(0);
    expect(seen.json).toEqual(digests);
    expect((await owner.call("GET", path)).json.effects).toEqual(effects);
  });
});

describe("the chain", () => {
  it("is unbroken from the first command to the head", async () => {
    const { previousHash, links, headSeq, to } = await read("/ledger/chain?from=1");
    expect([previousHash, to]).toEqual([GENESIS, headSeq]);
    let hash: string = previousHash;
    for (const link of links as readonly Link[]) {
      hash = sha256(`${hash}\n${link.row}`);
      expect(hash).toBe(link.hash);
    }
    const rest = await read(`/ledger/chain?from=3&to=4`);
    expect([rest.previousHash, rest.links]).toEqual([links[1].hash, links.slice(2, 4)]);
    expect(await read(`/ledger/chain?from=${headSeq + 1}`)).toMatchObject({
      links: [],
      to: headSeq,
    });
  });

  it("is read in bounded stretches that do not go back", async () => {
    for (const query of ["from=5&to=4", "from=1&to=10001", "from=0", "from=x", ""]) {
      const { status, json } = await story.call("GET", `/ledger/chain?${query}`);
      expect([status, json.code]).toEqual([400, "INVALID_INPUT"]);
    }
  });
});

function isSigned(checkpoint: Readonly<Record<string, string>>): boolean {
  const { text = "", signature = "", publicKey = "" } = checkpoint;
  const bytes = Buffer.from(JSON.parse(signature).s, "base64");
  return verify("sha256", Buffer.from(text), publicKey, bytes);
}

describe("a checkpoint", () => {
  it("signs the hash of the last command with the key of the platform, and is told as an event", async () => {
    const { headSeq } = await read("/ledger/chain?from=1");
    const made = await story.call("POST", "/ledger/checkpoints");
    expect(made.status).toBe(201);
    const { id, seq, chainHash, at, text, keyId, publicKey } = made.json;
    expect(seq).toBe(headSeq);
    expect(text).toBe(
      `florin checkpoint v1\nPlatformConfig:${story.platformId}\n${seq}\n${chainHash}\n${at}\n`,
    );
    expect({ keyId, publicKey }).toEqual(await read("/webhooks/public-key"));
    expect(isSigned(made.json)).toBe(true);
    expect(isSigned({ ...made.json, text: text.replace(`\n${seq}\n`, `\n${seq + 1}\n`) })).toBe(
      false,
    );
    expect((await read(`/ledger/commands/${seq}`)).hash).toBe(chainHash);
    const { data: events } = await read(`/events?resourceId=${id}`);
    expect(events).toMatchObject([{ type: "LEDGER.CHECKPOINT", data: made.json }]);
  });

  it("is signed with the new key after a rotation, and keeps the key that it was signed with", async () => {
    const [before] = (await read("/ledger/checkpoints?limit=1")).data;
    await story.call("POST", "/webhooks/public-key/rotate", { overlapHours: 0 });
    await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    const { json: after } = await story.call("POST", "/ledger/checkpoints");
    expect(after.keyId).not.toBe(before.keyId);
    const { data } = await read("/ledger/checkpoints?limit=2");
    expect(data).toEqual([after, before]);
    expect(data.map(isSigned)).toEqual([true, true]);
  });

  it("is made once a minute, however often and by however many it is asked for", async () => {
    const own = await openStory(server);
    const ask = () => own.call("POST", "/ledger/checkpoints");
    const count = async () => (await read("/ledger/checkpoints?limit=100", own)).data.length;
    await own.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    const made = answers.filter(({ status }) => status === 201);
    // The minute may turn while they are under way.
    expect([1, 2]).toContain(made.length);
    expect(await count()).toBe(made.length);
    for (const { status, json, headers } of answers.filter((one) => !made.includes(one))) {
      expect([status, json.code]).toEqual([429, "RATE_LIMITED"]);
      expect(headers.get("retry-after")).toBe(String(json.details.retryAfterSeconds));
      expect(json.details.retryAfterSeconds).toBeLessThanOrEqual(60);
    }
    await own.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    expect((await ask()).status).toBe(201);
  });

  it("is found by the command from which on it is looked for, page by page", async () => {
    const { data: all } = await read("/ledger/checkpoints?sortOrder=asc&limit=100");
    const first = await read("/ledger/checkpoints?sortOrder=asc&limit=1");
    expect(first).toMatchObject({ data: [all[0]], hasMore: true });
    const next = `/ledger/checkpoints?sortOrder=asc&limit=1&cursor=${first.nextCursor}`;
    expect((await read(next)).data).toEqual([all[1]]);
    const from = `/ledger/checkpoints?fromSeq=${all[0].seq + 1}&sortOrder=asc&limit=1`;
    expect((await read(from)).data).toEqual([all[1]]);
  });

  it("is made once a day of a platform that has committed something since", async () => {
    const { engine, store } = server.app;
    const { sealer, database } = store;
    let now = Date.now();
    const clock = { ...systemClock, now: () => now };
    const sweep = async () => {
      const lane = await database.openLane("test");
      const tools = { engine, reads: database.reads, sealer, clock, log: silentLog };
      return makeDailyCheckpoints(lane, tools, () => false).finally(() => lane.close());
    };
    const count = async () => (await read("/ledger/checkpoints?limit=100")).data.length;
    const before = await count();
    await sweep();
    await fundedCustomer(story, 1);
    expect([await sweep(), await count()]).toEqual([0, before]);
    now += 86_400_000;
    expect(await sweep()).toBeGreaterThan(0);
    expect([await sweep(), await count()]).toEqual([0, before + 1]);
    now += 86_400_000;
    // Nothing was committed since but the checkpoint itself.
    expect([await sweep(), await count()]).toEqual([0, before + 1]);
    expect(isSigned((await read("/ledger/checkpoints?limit=1")).data[0])).toBe(true);
  });

  it("cannot be changed by the server", async () => {
    const { database } = server.app.store;
    const change = "update chain_checkpoints set key_id = 'other'";
    await expect(database.withClient((client) => client.query(change))).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe("another platform", () => {
  it("sees nothing of it", async () => {
    const other = await openStory(server, { name: "Other" });
    expect((await read("/ledger/checkpoints", other)).data).toEqual([]);
    const own = await read("/ledger/chain?from=1", other);
    const { links } = await read("/ledger/chain?from=1");
    expect(own.links[0].hash).not.toBe(links[0].hash);
  });
});
