import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import type { Submission } from "../../engine/command.ts";
import { fingerprintOf } from "../../outside/uma/uma-policies.ts";
import type { Reads } from "../../postgres/database.ts";
import { createCounterpartySightings } from "./counterparty-sightings.ts";

const HOUR_MS = 3_600_000;
const newKey = () => generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey;
const [first, second] = [newKey(), newKey()];

/** `row` stands for the database, which knows no counterparty without it. */
function scene(row?: object) {
  const clock = createManualClock(HOUR_MS);
  const noted: unknown[] = [];
  const trouble = { fails: false };
  const rows = { current: row };
  const reads = {
    rows: async () => (rows.current === undefined ? [] : [rows.current]),
    cells: async () => [["0"]],
  } as unknown as Reads;
  const sightings = createCounterpartySightings({
    reads,
    clock,
    log: { warn: () => undefined } as never,
    engine: {
      async submit<Input, Output>({ command, input }: Submission<Input, Output>) {
        if (trouble.fails) throw new Error("busy");
        noted.push([command.name, input]);
        return { status: 200, body: "", replayed: false };
      },
    },
    nameOf: async () => "VASP",
  });
  const see = async (signingKey = first, version = "1.0", domain = "vasp.example") => {
    sightings.note({ platformId: "p".repeat(36), domain, version, keys: { signingKey } });
    await sightings.settled();
    return noted.splice(0);
  };
  return { clock, see, sightings, noted, trouble, rows };
}

const known = (change: object = {}) => ({
  keyFingerprint: fingerprintOf(first),
  keyState: "OK",
  versions: ["1.0"],
  lastSeenAt: HOUR_MS,
  ...change,
});

it("notes the first message of a domain, with its name and the room for it", async () => {
  const { see } = scene();
  expect(await see()).toEqual([
    [
      "note-uma-counterparty",
      {
        domain: "vasp.example",
        fingerprint: fingerprintOf(first),
        version: "1.0",
        name: "VASP",
        room: { kind: "free" },
      },
    ],
  ]);
});

it("notes nothing more for an hour, unless the key or the version changes", async () => {
  const { see, clock } = scene();
  const counts: number[] = [];
  const count = async (...args: Parameters<typeof see>) => {
    counts.push((await see(...args)).length);
  };
  await count();
  await count();
  await count(first, "1.1");
  await count(second, "1.1");
  await count(second, "1.1");
  await count(second, "1.1", "other.example");
  clock.advance(HOUR_MS);
  await count(second, "1.1");
  expect(counts).toEqual([1, 0, 1, 1, 0, 1, 1]);
});

it.each([
  ["nothing new", {}, 0],
  ["another key", { keyFingerprint: "x" }, 1],
  ["another version", { versions: ["1.1", "1.0"] }, 1],
  ["a certificate that was renewed", { keyState: "EXPIRED" }, 1],
  ["an hour later", { lastSeenAt: 0 }, 1],
  ["never seen", { lastSeenAt: null }, 1],
])("compares with the row after a restart: %s", async (_, change, expected) => {
  expect(await scene(known(change)).see()).toHaveLength(expected);
});

it("notes it with the next message when the database did not answer", async () => {
  const { see, trouble } = scene();
  trouble.fails = true;
  expect(await see()).toEqual([]);
  trouble.fails = false;
  expect(await see()).toHaveLength(1);
});

it("notes certificates that have expired of a known counterparty alone", async () => {
  for (const [row, expected] of [
    [undefined, []],
    [known(), [["note-expired-uma-counterparty-keys", { domain: "vasp.example" }]]],
    [known({ keyState: "EXPIRED" }), []],
  ] as const) {
    const { sightings, noted } = scene(row);
    sightings.noteExpired("p".repeat(36), "vasp.example");
    await sightings.settled();
    expect(noted).toEqual(expected);
  }
});

it("notes who asks for unknown users each time, behind the sighting", async () => {
  const { sightings, noted } = scene();
  const platformId = "p".repeat(36);
  const domain = "vasp.example";
  sightings.note({ platformId, domain, version: "1.0", keys: { signingKey: first } });
  sightings.noteProbing(platformId, domain);
  sightings.noteProbing(platformId, domain);
  await sightings.settled();
  const probing = ["note-probing-uma-counterparty", { domain }];
  expect(noted).toMatchObject([["note-uma-counterparty", { domain }], probing, probing]);
});

it("holds a bounded number of sightings that wait", async () => {
  const { sightings, noted } = scene();
  for (let count = 0; count < 3_000; count += 1)
    sightings.note({
      ...{ platformId: "p".repeat(36), domain: `h${count}.example`, version: "1.0" },
      keys: { signingKey: first },
    });
  await sightings.settled();
  expect(noted.length).toBeLessThanOrEqual(1_001);
  expect(noted.length).toBeGreaterThan(900);
});
