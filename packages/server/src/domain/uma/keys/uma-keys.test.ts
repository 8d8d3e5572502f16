/** What becomes of keys: made once, certified, rotated, tended by their jobs, destroyed. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, written } from "../../../../test/kit/decided.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import type { Command } from "../../../engine/command.ts";
import { platforms } from "../../platform.ts";
import { makeUmaKeys } from "./make-uma-keys.ts";
import { destroyUmaKey, rotateUmaKey } from "./rotate-uma-key.ts";
import { setKeyChain } from "./set-key-chain.ts";
import { tendUmaKey } from "./tend-uma-key.ts";
import {
  certifiedDomains,
  type KeyCertificate,
  MOST_LIVE_KEYS,
  type NewUmaKey,
  type UmaKey,
  umaKeys,
} from "./uma-key.ts";

const DAY_MS = 24 * 60 * 60_000;
/** The host is an hour behind the platform. */
const NOW = DECIDED_AT - 3_600_000;
const idOf = (digit: number) => `019a4f00-0000-7000-8000-0000000000d${digit}`;
const [KEY, OTHER, JOB, OTHER_JOB] = [1, 2, 3, 4].map(idOf) as [string, string, string, string];

const certificate = {
  source: "SELF_SIGNED",
  chain: ["PEM"],
  names: [platform.umaDomain],
  notBefore: NOW,
  notAfter: NOW + 397 * DAY_MS,
} satisfies KeyCertificate;

const pairFor = (use: UmaKey["use"]): NewUmaKey => ({
  use,
  publicKey: `new ${use}`,
  privateSealed: "sealed",
  certificate,
});

const row: UmaKey = {
  id: KEY,
  use: "SIGNING",
  status: "CURRENT",
  publicKey: "old",
  privateSealed: "sealed",
  ...certificate,
  takesOverAt: null,
  destroyAt: null,
  toldDays: null,
  jobId: JOB,
  createdAt: NOW,
  updatedAt: NOW,
};

function did<Input, Output>(
  command: Command<Input, Output>,
  input: Input,
  ...rows: readonly UmaKey[]
) {
  const tables = [rowsOf(umaKeys, ...rows), rowsOf(platforms, platform)];
  const { world, refusal, output } = decided({ command, input, platformId: PLATFORM, tables });
  return {
    output,
    refusal: refusal?.message,
    rows: written(world, umaKeys).map(
      ({
        id,
        publicKey,
        use,
        status,
        privateSealed,
        takesOverAt,
        destroyAt,
        notAfter,
        toldDays,
        jobId,
      }) => ({
        key: id === KEY ? "old" : publicKey,
        use,
        status,
        isOpen: privateSealed !== null,
        takesOverInMs: takesOverAt === null ? null : takesOverAt - NOW,
        destroyInMs: destroyAt === null ? null : destroyAt - NOW,
        endsInMs: notAfter - NOW,
        toldDays,
        hasJob: jobId !== null,
      }),
    ),
    jobs: world.jobs.map(({ kind, dueAt }) => [kind, dueAt - DECIDED_AT]),
    cancelled: world.cancelledJobs,
    events: world.events.map(({ type }) => type),
  };
}

const shown = {
  use: "SIGNING",
  isOpen: true,
  takesOverInMs: null,
  destroyInMs: null,
  endsInMs: 397 * DAY_MS,
  toldDays: null,
  hasJob: true,
};
const nothing = { rows: [], jobs: [], cancelled: [], events: [] };

describe("the first keys", () => {
  const input = { made: [pairFor("SIGNING"), pairFor("ENCRYPTION")], renewed: [], now: NOW };

  it("are one of each use, with a job for the next certificate", () => {
    expect(did(makeUmaKeys, input)).toMatchObject({
      rows: [
        { ...shown, key: "new SIGNING", status: "CURRENT" },
        { ...shown, key: "new ENCRYPTION", use: "ENCRYPTION", status: "CURRENT" },
      ],
      jobs: [
        ["tend-uma-key", 367 * DAY_MS],
        ["tend-uma-key", 367 * DAY_MS],
      ],
      events: [],
    });
  });

  it("are not made where another server has made them", () => {
    const { rows } = did(makeUmaKeys, input, row);
    expect(rows.map(({ use }) => use)).toEqual(["ENCRYPTION"]);
    expect(did(makeUmaKeys, input, row, { ...row, id: OTHER, use: "ENCRYPTION" })).toMatchObject(
      nothing,
    );
  });
});

describe("a certificate that names other domains", () => {
  const old: UmaKey = { ...row, names: ["former.test"] };
  const renewal = (change: Partial<KeyCertificate> = {}) => ({
    made: [],
    renewed: [{ keyId: KEY, certificate: { ...certificate, ...change } }],
    now: NOW,
  });

  it("is replaced", () => {
    expect(did(makeUmaKeys, renewal(), { ...old, notAfter: NOW })).toMatchObject({
      rows: [{ ...shown, key: "old", status: "CURRENT" }],
      cancelled: [JOB],
    });
  });

  it.each([
    ["whose domains have changed again", renewal({ names: ["third.test"] }), old],
    ["of an authority", renewal(), { ...old, source: "AUTHORITY" }],
    ["of a previous key", renewal(), { ...old, status: "PREVIOUS", destroyAt: NOW }],
    ["of a destroyed key", renewal(), { ...old, status: "DESTROYED", privateSealed: null }],
    ["that was replaced meanwhile", renewal(), row],
  ] as const)("is left %s", (_what, input, before) => {
    expect(did(makeUmaKeys, input, before)).toMatchObject(nothing);
  });
});

it("a certificate names the present domain first, and as many others as others take", () => {
  const long = Array.from({ length: 60 }, (_, index) => `${"x".repeat(90)}${index + 10}.test`);
  const names = certifiedDomains({ ...platform, umaDomains: [...long, platform.umaDomain] });
  expect(names[0]).toBe(platform.umaDomain);
  expect(names.slice(1)).toEqual(long.slice(0, 42));
});

describe("the chain of an authority", () => {
  const chain: KeyCertificate = {
    ...certificate,
    source: "AUTHORITY",
    notAfter: NOW + 90 * DAY_MS,
  };
  const input = { keyId: KEY, certificate: chain, now: NOW };

  it("replaces the certificate, with a job for the first notice", () => {
    expect(did(setKeyChain, input, { ...row, toldDays: 7 })).toMatchObject({
      rows: [{ ...shown, key: "old", endsInMs: 90 * DAY_MS, toldDays: null }],
      jobs: [["tend-uma-key", 60 * DAY_MS]],
      cancelled: [JOB],
    });
  });

  it("is taken for a key that takes over later, whose job stays at the takeover", () => {
    const next: UmaKey = { ...row, status: "NEXT", takesOverAt: NOW + 600_000 };
    expect(did(setKeyChain, input, next)).toMatchObject({ jobs: [["tend-uma-key", 600_000]] });
  });

  it.each([
    ["PREVIOUS", "The key is PREVIOUS; only a CURRENT or NEXT key can be given a certificate."],
    ["DESTROYED", "The key is DESTROYED; only a CURRENT or NEXT key can be given a certificate."],
  ] as const)("is refused for a %s key", (status, refusal) => {
    expect(did(setKeyChain, input, { ...row, status })).toMatchObject({ ...nothing, refusal });
  });

  it("is refused for an unknown key", () => {
    expect(did(setKeyChain, input)).toMatchObject({
      ...nothing,
      refusal: "The referenced object does not exist.",
    });
  });
});

describe("a rotation", () => {
  const asked = (use: UmaKey["use"], takesOverInMs = 600_000, isCompromised = false) => ({
    pair: pairFor(use),
    takesOverInMs,
    isCompromised,
    now: NOW,
  });
  const next: UmaKey = {
    ...row,
    id: OTHER,
    publicKey: "next",
    status: "NEXT",
    takesOverAt: NOW + 1_000,
  };

  it("adds the next key, and leaves the present one", () => {
    expect(did(rotateUmaKey, asked("SIGNING"), row)).toMatchObject({
      rows: [{ ...shown, key: "new SIGNING", status: "NEXT", takesOverInMs: 600_000 }],
      jobs: [["tend-uma-key", 600_000]],
      cancelled: [],
      events: [],
    });
  });

  it("of a compromised signing key destroys it at once", () => {
    expect(did(rotateUmaKey, asked("SIGNING", 0, true), row)).toMatchObject({
      output: { status: "CURRENT", publicKey: "new SIGNING" },
      rows: [
        { ...shown, key: "new SIGNING", status: "CURRENT", takesOverInMs: 0 },
        { ...shown, key: "old", status: "DESTROYED", isOpen: false, hasJob: false },
      ],
      events: ["UMA_KEY.ROTATED"],
    });
  });

  it("of a compromised encryption key leaves it open for a day", () => {
    const before: UmaKey = { ...row, use: "ENCRYPTION" };
    expect(did(rotateUmaKey, asked("ENCRYPTION", 0, true), before).rows).toContainEqual({
      ...shown,
      key: "old",
      use: "ENCRYPTION",
      status: "PREVIOUS",
      destroyInMs: DAY_MS,
    });
  });

  it("waits for the one that is under way", () => {
    const { refusal, ...rest } = did(rotateUmaKey, asked("SIGNING"), row, next);
    expect(refusal).toBe(
      `UmaKey:${OTHER} takes over as the SIGNING key at ${new Date(NOW + 1_000).toISOString()}; destroy it first to rotate anew.`,
    );
    expect(rest).toMatchObject(nothing);
    expect(did(rotateUmaKey, asked("ENCRYPTION"), row, next).refusal).toBeUndefined();
  });

  it("of a compromised key calls the one that is under way off", () => {
    expect(did(rotateUmaKey, asked("SIGNING", 600_000, true), row, next).rows).toMatchObject([
      { key: "next", status: "DESTROYED", isOpen: false },
      { key: "new SIGNING", status: "NEXT" },
    ]);
  });

  it("is refused beyond the most keys of a use", () => {
    const previous = Array.from(
      { length: MOST_LIVE_KEYS - 1 },
      (_, index): UmaKey => ({
        ...row,
        id: idOf(9).replace("d9", `e${index}`),
        use: "ENCRYPTION",
        status: "PREVIOUS",
        destroyAt: NOW + DAY_MS,
      }),
    );
    const current: UmaKey = { ...row, use: "ENCRYPTION" };
    const input = asked("ENCRYPTION", 0, true);
    expect(did(rotateUmaKey, input, current, ...previous.slice(1)).refusal).toBeUndefined();
    expect(did(rotateUmaKey, input, current, ...previous)).toMatchObject({
      ...nothing,
      refusal:
        "The platform has 10 keys of this use that are not destroyed: destroy previous ones first.",
    });
  });
});

describe("the job of a key", () => {
  const tend = (
    change: Partial<UmaKey>,
    inMs: number,
    more: { readonly jobId?: string; readonly renewed?: true } = {},
  ) => {
    const [now, { jobId = JOB }] = [NOW + inMs, more];
    const renewed = more.renewed && { ...certificate, notAfter: NOW + 800 * DAY_MS };
    return did(
      tendUmaKey,
      { keyId: KEY, jobId, certificate: renewed, now },
      { ...row, ...change },
      {
        ...row,
        id: OTHER,
        publicKey: "present",
        ...(change.use === undefined ? {} : { use: change.use }),
        status: change.status === "NEXT" ? "CURRENT" : "DESTROYED",
        privateSealed: change.status === "NEXT" ? "sealed" : null,
        jobId: OTHER_JOB,
      },
    );
  };
  const NEXT = { status: "NEXT", takesOverAt: NOW + 600_000 } as const;
  const PREVIOUS = { use: "ENCRYPTION", status: "PREVIOUS", destroyAt: NOW + DAY_MS } as const;
  const AUTHORITY = { source: "AUTHORITY", notAfter: NOW + 90 * DAY_MS } as const;

  it("waits until the time has come by the host's clock", () => {
    expect(tend(NEXT, 599_999)).toMatchObject({ ...nothing, output: 1 });
    expect(tend(PREVIOUS, DAY_MS - 5)).toMatchObject({ ...nothing, output: 5 });
    expect(tend({}, 0)).toMatchObject({ ...nothing, output: 367 * DAY_MS });
  });

  it("makes the next key the present one, in one commit with the end of the old one", () => {
    expect(tend(NEXT, 600_000)).toMatchObject({
      output: undefined,
      rows: [
        { ...shown, key: "present", status: "DESTROYED", isOpen: false, hasJob: false },
        { ...shown, key: "old", status: "CURRENT", takesOverInMs: 600_000 },
      ],
      cancelled: [OTHER_JOB, JOB],
      events: ["UMA_KEY.ROTATED"],
    });
    expect(tend({ ...NEXT, use: "ENCRYPTION" }, 600_000).rows).toMatchObject([
      { key: "present", status: "PREVIOUS", isOpen: true, destroyInMs: 600_000 + DAY_MS },
      { key: "old", status: "CURRENT" },
    ]);
  });

  it("destroys a previous key", () => {
    expect(tend(PREVIOUS, DAY_MS)).toMatchObject({
      rows: [{ status: "DESTROYED", isOpen: false, destroyInMs: null, hasJob: false }],
      cancelled: [JOB],
      events: [],
    });
  });

  it("replaces a self-signed certificate 30 days before it expires, once there is another one", () => {
    expect(tend({}, 367 * DAY_MS)).toMatchObject({ ...nothing, output: 1_000 });
    expect(tend({}, 367 * DAY_MS, { renewed: true })).toMatchObject({
      rows: [{ ...shown, key: "old", endsInMs: 800 * DAY_MS }],
      events: [],
    });
    expect(tend({}, 367 * DAY_MS - 1, { renewed: true })).toMatchObject(nothing);
  });

  it.each([
    [60, null, "UMA_KEY.EXPIRING", 30],
    [83, 30, "UMA_KEY.EXPIRING", 7],
    [89, 7, "UMA_KEY.EXPIRING", 1],
    [90, 1, "UMA_KEY.EXPIRED", 0],
    [85, null, "UMA_KEY.EXPIRING", 7],
    [400, null, "UMA_KEY.EXPIRED", 0],
  ])("tells on day %i, after the notice %j, of %s", (day, toldDays, event, days) => {
    expect(tend({ ...AUTHORITY, toldDays }, day * DAY_MS)).toMatchObject({
      rows: [{ toldDays: days, hasJob: days !== 0, status: "CURRENT" }],
      cancelled: [JOB],
      events: [event],
    });
  });

  it("is over when another one stands for the key", () => {
    const over = { ...nothing, output: undefined, cancelled: [OTHER_JOB] };
    expect(tend(NEXT, 600_000, { jobId: OTHER_JOB })).toMatchObject(over);
    expect(tend({ ...NEXT, jobId: null }, 600_000)).toMatchObject({ ...over, cancelled: [JOB] });
  });
});

describe("a key that is destroyed by a call", () => {
  const input = { keyId: KEY, now: NOW };

  it.each(["NEXT", "PREVIOUS"] as const)("is gone when it was %s", (status) => {
    expect(did(destroyUmaKey, input, { ...row, status })).toMatchObject({
      rows: [{ status: "DESTROYED", isOpen: false, hasJob: false }],
      cancelled: [JOB],
    });
  });

  it.each([
    ["CURRENT", "The key is CURRENT: rotate the SIGNING key first (POST /uma/keys/rotate)."],
    ["DESTROYED", "The key is DESTROYED; only a NEXT or PREVIOUS key can be destroyed."],
  ] as const)("is refused when it is %s", (status, refusal) => {
    expect(did(destroyUmaKey, input, { ...row, status })).toMatchObject({ ...nothing, refusal });
  });

  it("is refused when it is unknown", () => {
    expect(did(destroyUmaKey, input)).toMatchObject({
      ...nothing,
      refusal: "The referenced object does not exist.",
    });
  });
});
