/** What is set about other institutions, and what their messages tell. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { present } from "../../../std/assert.ts";
import { platforms } from "../../platform.ts";
import {
  MOST_CONNECTIONS,
  type RailConnection,
  railConnections,
} from "../../rails/connections/rail-connection.ts";
import { railRoutings } from "../../rails/routes/routing.ts";
import { SANDBOX_LAYER } from "../sandbox-layer.ts";
import { noteCounterparty, noteExpiredKeys, noteProbing } from "./note-counterparty.ts";
import { acceptKey, setCounterparty } from "./set-counterparty.ts";
import { type SetUmaPolicyInput, setUmaPolicy } from "./set-uma-policy.ts";
import {
  type CounterpartyRoom,
  type UmaCounterparty,
  umaCounterparties,
} from "./uma-counterparty.ts";
import { DEFAULT_UMA_POLICY, type UmaPolicy, umaPolicies } from "./uma-policy.ts";

const idOf = (digit: number) => `019a4f00-0000-7000-8000-0000000000e${digit}`;
const [FIRST, SECOND, THIRD] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)] as const;
const free: CounterpartyRoom = { kind: "free" };

const known: UmaCounterparty = {
  id: idOf(1),
  domain: "vasp.example",
  status: "DEFAULT",
  overrides: {},
  name: null,
  versions: ["1.0"],
  keyFingerprint: FIRST,
  keySince: 1,
  previousFingerprint: null,
  keyState: "OK",
  firstSeenAt: 1,
  lastSeenAt: 1,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
};

const { network: _, ...settings } = DEFAULT_UMA_POLICY;

describe("the policy", () => {
  const set = (
    change: Partial<SetUmaPolicyInput>,
    environment: typeof platform.environment,
    connections: readonly RailConnection[] = [],
  ) => {
    const input = { ...settings, network: undefined, ...change };
    const own = rowsOf(platforms, { ...platform, environment });
    const tables = [own, rowsOf(railConnections, ...connections)];
    return decided({ command: setUmaPolicy, input, platformId: PLATFORM, tables });
  };

  const otherBank = { ...connection, name: SANDBOX_LAYER };
  const many = Array.from({ length: MOST_CONNECTIONS }, (_, index) => ({
    ...connection,
    id: connection.id.slice(0, -3) + String(index + 100),
    name: `bank ${index}`,
  }));
  it.each([
    ["INVALID_INPUT", "AUTHORITY without one", { certificates: "AUTHORITY" }, [otherBank]],
    ["CONFLICT", "too many connections", {}, many],
    ["CONFLICT", "a connection of the name of the layer", {}, [otherBank]],
  ] as const)("of a sandbox is refused with %s: %s", (expected, _how, fault, connections) => {
    const { refusal } = set({ network: "PROTOCOL", ...fault }, "SANDBOX", connections);
    expect(refusal?.code).toBe(expected);
  });

  it("adds the built-in layer once, and leaves it with another network", () => {
    const { world } = set({ network: "PROTOCOL" }, "SANDBOX");
    expect(written(world, umaPolicies)).toMatchObject([{ network: "PROTOCOL" }]);
    const [layer] = written(world, railConnections);
    expect(layer).toMatchObject({ kind: "SANDBOX", status: "ACTIVE", name: SANDBOX_LAYER });
    expect(written(world, railRoutings)[0]?.connections).toHaveLength(1);
    const there = [present(layer, "the connection")];
    for (const network of ["PROTOCOL", "SIMULATED"] as const)
      expect(written(set({ network }, "SANDBOX", there).world, railConnections)).toEqual([]);
  });

  it("of a production platform has no network", () => {
    for (const network of ["SIMULATED", "PROTOCOL"] as const)
      expect(set({ network }, "PRODUCTION").refusal?.code).toBe("INVALID_INPUT");
  });

  it("is replaced as a whole", () => {
    const change = { pinKeys: true, layers: ["ln"], authorities: ["PEM"], receive: false };
    const { world } = set({ ...change, certificates: "AUTHORITY" }, "PRODUCTION");
    expect(written(world, umaPolicies)).toEqual([
      {
        ...DEFAULT_UMA_POLICY,
        ...change,
        certificates: "AUTHORITY",
        id: PLATFORM,
        updatedAt: DECIDED_AT,
      },
    ]);
  });
});

function scene(rows: readonly UmaCounterparty[], policy?: Partial<UmaPolicy>) {
  const policies =
    policy === undefined ? [] : [{ ...DEFAULT_UMA_POLICY, ...policy, id: PLATFORM, updatedAt: 1 }];
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(umaCounterparties, ...rows),
    rowsOf(umaPolicies, ...policies),
  ];
  return { platformId: PLATFORM, tables };
}

describe("setting a counterparty", () => {
  const input = { domain: "vasp.example", status: "BLOCKED", overrides: {}, room: free } as const;
  const set = (change: object, ...rows: readonly UmaCounterparty[]) =>
    decided({ command: setCounterparty, input: { ...input, ...change }, ...scene(rows) });

  it("makes an unknown one, which was not seen yet", () => {
    const { world } = set({ overrides: { pinKeys: true } });
    expect(written(world, umaCounterparties)).toMatchObject([
      {
        domain: "vasp.example",
        status: "BLOCKED",
        overrides: { pinKeys: true },
        keyFingerprint: null,
        keyState: "OK",
        firstSeenAt: null,
        createdAt: DECIDED_AT,
      },
    ]);
    expect(world.events).toEqual([]);
  });

  it("changes a known one and leaves what its messages told", () => {
    const { world } = set({ room: { kind: "full" } }, known);
    expect(written(world, umaCounterparties)).toEqual([
      { ...known, status: "BLOCKED", updatedAt: DECIDED_AT },
    ]);
  });

  it.each(
    inOrder([
      ["INVALID_INPUT", { domain: platform.umaDomain }],
      ["CONFLICT", { room: { kind: "full" } }],
    ]),
  )("is refused with %s, %s", (expected, _how, fault) => {
    expect(named(set(fault).refusal)).toBe(expected);
  });

  it("forgets the one that was found for it, unless that has got a status meanwhile", () => {
    const old = { ...known, id: idOf(2), domain: "old.example" };
    const room = { kind: "forget", id: old.id };
    const forgotten = (rows: readonly UmaCounterparty[]) =>
      written(set({ room }, ...rows).world, umaCounterparties)
        .filter(({ deletedAt }) => deletedAt !== null)
        .map(({ domain }) => domain);
    expect(forgotten([old])).toEqual(["old.example"]);
    expect(forgotten([{ ...old, status: "ALLOWED" }])).toEqual([]);
    expect(forgotten([{ ...old, deletedAt: 5 }])).toEqual([]);
  });

  it("makes a forgotten one anew", () => {
    const { world } = set({}, { ...known, deletedAt: 5 });
    expect(written(world, umaCounterparties)).toMatchObject([{ keyFingerprint: null }]);
  });
});

describe("a message", () => {
  const note = (
    fingerprint: string,
    row: UmaCounterparty | undefined,
    {
      policy,
      ...change
    }: { readonly policy?: Partial<UmaPolicy>; readonly [key: string]: unknown } = {},
  ) => {
    const input = { domain: "vasp.example", version: "1.0", name: undefined, room: free };
    const rows = row === undefined ? [] : [row];
    const { world } = decided({
      command: noteCounterparty,
      input: { ...input, fingerprint, ...change },
      ...scene(rows, policy),
    });
    return {
      rows: written(world, umaCounterparties),
      events: world.events.map(({ type }) => type),
    };
  };

  it("makes an unknown counterparty, once", () => {
    const { rows, events } = note(FIRST, undefined, { name: "VASP" });
    expect(rows).toMatchObject([
      {
        domain: "vasp.example",
        status: "DEFAULT",
        name: "VASP",
        versions: ["1.0"],
        keyFingerprint: FIRST,
        keySince: DECIDED_AT,
        firstSeenAt: DECIDED_AT,
        lastSeenAt: DECIDED_AT,
      },
    ]);
    expect(events).toEqual(["UMA_COUNTERPARTY.SEEN"]);
    expect(note(FIRST, known).events).toEqual([]);
  });

  it("of one that was set before is its first one", () => {
    const set = { ...known, keyFingerprint: null, keySince: null, firstSeenAt: null };
    expect(note(FIRST, set).events).toEqual(["UMA_COUNTERPARTY.SEEN"]);
  });

  it("of an unknown one leaves nothing where all that there may be have a status", () => {
    expect(note(FIRST, undefined, { room: { kind: "full" } })).toEqual({ rows: [], events: [] });
  });

  it("keeps the last versions, and a name until another one is read", () => {
    const versions = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"];
    const row = { ...known, versions, name: "VASP" };
    expect(note(FIRST, row, { version: "1.9" }).rows[0]).toMatchObject({
      versions: ["1.9", ...versions.slice(0, 7)],
      name: "VASP",
    });
    expect(note(FIRST, row, { version: "1.3" }).rows[0]?.versions).toEqual([
      "1.3",
      "1.0",
      "1.1",
      "1.2",
      "1.4",
      "1.5",
      "1.6",
      "1.7",
    ]);
  });

  const changed = {
    ...known,
    keyFingerprint: SECOND,
    previousFingerprint: FIRST,
    keyState: "CHANGED",
  } as const;
  const told = ["UMA_COUNTERPARTY.KEY_CHANGED"];
  it.each<
    readonly [
      string,
      UmaCounterparty,
      string,
      boolean,
      readonly [string, string | null, string, readonly string[]],
    ]
  >([
    ["the same key", known, FIRST, true, [FIRST, null, "OK", []]],
    ["another key", known, SECOND, false, [SECOND, FIRST, "OK", told]],
    ["another key, pinned", known, SECOND, true, [SECOND, FIRST, "CHANGED", told]],
    ["the changed key again", changed, SECOND, true, [SECOND, FIRST, "CHANGED", []]],
    ["the changed key, pinned no more", changed, SECOND, false, [SECOND, FIRST, "OK", []]],
    ["a third key", changed, THIRD, true, [THIRD, FIRST, "CHANGED", told]],
    ["the accepted key again", changed, FIRST, true, [FIRST, SECOND, "OK", told]],
    [
      "the same key after its certificate",
      { ...known, keyState: "EXPIRED" },
      FIRST,
      true,
      [FIRST, null, "OK", []],
    ],
  ])("with %s", (_, row, fingerprint, pinKeys, [key, previous, state, events]) => {
    const byPolicy = note(fingerprint, row, { policy: { pinKeys } });
    const byOverride = note(fingerprint, { ...row, overrides: { pinKeys } });
    for (const { rows, events: sent } of [byPolicy, byOverride]) {
      expect(rows).toMatchObject([
        { keyFingerprint: key, previousFingerprint: previous, keyState: state },
      ]);
      expect(sent).toEqual(events);
    }
  });
});

describe("certificates that have expired", () => {
  const expire = (...rows: readonly UmaCounterparty[]) => {
    const input = { domain: "vasp.example" };
    const { world } = decided({ command: noteExpiredKeys, input, ...scene(rows) });
    return written(world, umaCounterparties).map(({ keyState }) => keyState);
  };

  it("are noted of a known counterparty alone", () => {
    expect(expire(known)).toEqual(["EXPIRED"]);
    expect(expire()).toEqual([]);
    expect(expire({ ...known, keyState: "EXPIRED" })).toEqual([]);
    expect(expire({ ...known, keyState: "CHANGED", previousFingerprint: SECOND })).toEqual([]);
  });
});

describe("asking for unknown users", () => {
  it("is told of a known counterparty, and changes nothing", () => {
    const note = (...rows: readonly UmaCounterparty[]) => {
      const input = { domain: "vasp.example" };
      const { world } = decided({ command: noteProbing, input, ...scene(rows) });
      const events = world.events.map(({ type }) => type);
      return { events, rows: written(world, umaCounterparties) };
    };
    expect(note(known)).toEqual({ events: ["UMA_COUNTERPARTY.PROBING"], rows: [] });
    expect(note()).toEqual({ events: [], rows: [] });
    expect(note({ ...known, deletedAt: 5 })).toEqual({ events: [], rows: [] });
  });
});

describe("accepting a key", () => {
  const changed = {
    ...known,
    keyFingerprint: SECOND,
    previousFingerprint: FIRST,
    keyState: "CHANGED",
  } as const;
  const accept = (fingerprint: string | undefined, ...rows: readonly UmaCounterparty[]) => {
    const input = { domain: "vasp.example", fingerprint };
    const { world, refusal } = decided({ command: acceptKey, input, ...scene(rows) });
    return { code: refusal?.code, rows: written(world, umaCounterparties) };
  };

  it("ends the wait, and shows the key before it", () => {
    for (const fingerprint of [undefined, SECOND])
      expect(accept(fingerprint, changed).rows).toEqual([
        { ...changed, keyState: "OK", updatedAt: DECIDED_AT },
      ]);
  });

  it.each([
    ["REFERENCE_NOT_FOUND", SECOND, []],
    ["REFERENCE_NOT_FOUND", SECOND, [{ ...changed, deletedAt: 5 }]],
    ["CONFLICT", FIRST, [known]],
    ["CONFLICT", FIRST, [changed]],
  ])("is refused: %s (%#)", (code, fingerprint, rows) => {
    expect(accept(fingerprint, ...rows).code).toBe(code);
  });
});
