import { describe, expect, it } from "vitest";
import { readDescription } from "./connector-messages.ts";

const SOUND = {
  direction: "OUT",
  currency: "USD",
  accountTypes: ["USD_ACCOUNT"],
  paymentRails: ["ACH"],
};

function read(...capabilities: readonly unknown[]) {
  return readDescription({ protocol: 1, environment: "SANDBOX", capabilities }, "SANDBOX");
}

describe("a capability", () => {
  it.each(["OUT", "PULL", "BACK"])("has the direction %s", (direction) => {
    const sound = { ...SOUND, direction };
    expect(read(sound)).toEqual({
      capabilities: [sound],
      leftOut: [],
      features: undefined,
      settlement: [],
    });
  });

  it.each([
    ["is no object", null, /^capabilities\[1\]: is no object$/],
    [
      "of an unknown direction",
      { direction: "SIDEWAYS" },
      /^capabilities\[1\]\.direction: "SIDEWAYS" is none of OUT, PULL, BACK$/,
    ],
    ["without a direction", { direction: undefined }, /\.direction: nothing is none of/],
    ["of a currency that is no text", { currency: 840 }, /\.currency: 840 is no text$/],
    [
      "of unknown types alone",
      { accountTypes: ["MARS_ACCOUNT"] },
      /\.accountTypes\[0\]: "MARS_ACCOUNT" is unknown$/,
    ],
    [
      "of types that are no list",
      { accountTypes: "USD_ACCOUNT" },
      /\.accountTypes: must be a list of 1 to 100 names$/,
    ],
    [
      "of unknown rails alone",
      { paymentRails: ["PIGEON"] },
      /\.paymentRails\[0\]: "PIGEON" is unknown$/,
    ],
    ["without rails", { paymentRails: [] }, /\.paymentRails: must be a list/],
    [
      "with a negative limit",
      { maxAmount: -1 },
      /\.maxAmount: -1 is no amount, or below minAmount$/,
    ],
    ["with a limit that is no whole number", { minAmount: 1.5 }, /\.minAmount: 1.5 is no amount$/],
    [
      "that no amount reaches",
      { minAmount: "9000000000000001" },
      /\.minAmount: "9000000000000001" is no amount$/,
    ],
    [
      "with its limits the wrong way round",
      { minAmount: 5, maxAmount: 4 },
      /\.maxAmount: 4 is no amount, or below/,
    ],
    ["with a long text as direction", { direction: "X".repeat(10_000) }, /^.{60,120}$/],
  ])("that %s is left out with its fault, and the others are taken", (_what, change, fault) => {
    const bad = change === null ? null : { ...SOUND, ...change };
    const described = read(SOUND, bad, SOUND);
    if ("fault" in described) throw new Error(described.fault);
    expect(described.capabilities).toEqual([SOUND, SOUND]);
    expect(described.leftOut).toEqual([expect.stringMatching(fault)]);
    expect(read(bad)).toMatchObject({
      fault: expect.stringContaining("no capability can be taken"),
    });
  });

  it("keeps the names that are known beside those that are not, each once", () => {
    const mixed = {
      ...SOUND,
      accountTypes: ["MARS_ACCOUNT", "USD_ACCOUNT", 7],
      paymentRails: ["ACH", "ach", "ACH"],
    };
    expect(read(mixed)).toMatchObject({
      capabilities: [SOUND],
      leftOut: [
        'capabilities[0].accountTypes[0]: "MARS_ACCOUNT" is unknown',
        "capabilities[0].accountTypes[2]: 7 is unknown",
        'capabilities[0].paymentRails[1]: "ach" is unknown',
      ],
    });
  });

  it.each(["9000000000000001", "99999999999999999999", Number.MAX_SAFE_INTEGER])(
    "with the greatest amount %s, above all amounts here, is not bounded by it",
    (maxAmount) => {
      expect(read({ ...SOUND, minAmount: "5", maxAmount })).toMatchObject({
        capabilities: [{ ...SOUND, minAmount: 5 }],
        leftOut: ["capabilities[0].maxAmount: is above 9000000000000000, the greatest amount"],
      });
    },
  );

  it("has at most 20 faults listed", () => {
    const described = read(
      SOUND,
      ...Array.from({ length: 199 }, () => ({ ...SOUND, direction: "" })),
    );
    if ("fault" in described) throw new Error(described.fault);
    expect(described.leftOut).toHaveLength(20);
  });
});
