import { describe, expect, it } from "vitest";
import type { Json } from "../../../std/json.ts";
import { readDescription } from "./connector-messages.ts";
import { readSettlement } from "./connector-settlement.ts";

const ASSET = { identifier: "EUR", currency: "EUR", decimals: 2 };
const LAYER = {
  layer: "bank.example",
  send: true,
  receive: false,
  assets: [ASSET],
  invoiceSeconds: { min: 60, max: 3_600 },
};
const TAKEN = { ...LAYER, exactAmounts: false, partialPayments: false };
const ln = { ...LAYER, layer: "ln" };

describe("the layers of a description", () => {
  it("are taken with their assets, limits and rules", () => {
    const limited = { ...ASSET, minAmount: "100", maxAmount: 900_000, extra: true };
    const told = [{ ...LAYER, exactAmounts: true, assets: [limited], later: 1 }, ln];
    expect(readSettlement(told)).toEqual({
      layers: [
        {
          ...TAKEN,
          exactAmounts: true,
          assets: [{ ...ASSET, minAmount: 100, maxAmount: 900_000 }],
        },
        { ...TAKEN, layer: "ln" },
      ],
      leftOut: [],
    });
  });

  it.each<[string, Json | undefined, RegExp]>([
    ["nothing", undefined, /^settlement: must be a list of 1 to 10 layers$/],
    ["null", null, /^settlement: must be a list/],
    ["no layer", [], /^settlement: must be a list/],
    ["eleven layers", Array.from({ length: 11 }, () => LAYER), /1 to 10/],
    ["a text", ["ln"], /^settlement\[0\]\.layer/],
    ["a name with capitals", [{ ...LAYER, layer: "LN" }], /^settlement\[0\]\.layer/],
    ["a long name", [{ ...LAYER, layer: "a".repeat(41) }], /^settlement\[0\]\.layer/],
    ["no direction", [{ ...LAYER, receive: "yes" }], /^settlement\[0\]: send and receive/],
    ["a rule that is a text", [{ ...LAYER, exactAmounts: "yes" }], /exactAmounts and partial/],
    ["a rule that is null", [{ ...LAYER, partialPayments: null }], /exactAmounts and partial/],
    ["no assets", [{ ...LAYER, assets: [] }], /^settlement\[0\]\.assets: must be/],
    [
      "too many assets",
      [{ ...LAYER, assets: Array.from({ length: 51 }, () => ASSET) }],
      /\.assets: must be a list of 1 to 50$/,
    ],
    ["an asset that is null", [{ ...LAYER, assets: [null] }], /\.assets\[0\]\.identifier/],
    [
      "a control character in an identifier",
      [{ ...LAYER, assets: [{ ...ASSET, identifier: "E\u0000R" }] }],
      /\.assets\[0\]\.identifier/,
    ],
    [
      "a currency in small letters",
      [{ ...LAYER, assets: [{ ...ASSET, currency: "eur" }] }],
      /\.assets\[0\]\.currency/,
    ],
    [
      "decimals beyond 18",
      [{ ...LAYER, assets: [{ ...ASSET, decimals: 19 }] }],
      /\.assets\[0\]\.decimals/,
    ],
    [
      "a limit that is no amount",
      [{ ...LAYER, assets: [{ ...ASSET, minAmount: 1.5 }] }],
      /\.assets\[0\]\.minAmount: 1\.5 is no amount$/,
    ],
    [
      "limits that no amount fits",
      [{ ...LAYER, assets: [{ ...ASSET, minAmount: 9, maxAmount: 8 }] }],
      /\.assets\[0\]\.maxAmount: 8 is no amount, or below minAmount$/,
    ],
    ["no seconds", [{ ...LAYER, invoiceSeconds: null }], /\.invoiceSeconds/],
    ["a span that ends first", [{ ...LAYER, invoiceSeconds: { min: 9, max: 8 } }], /invoiceSec/],
    ["half a second", [{ ...LAYER, invoiceSeconds: { min: 0.5, max: 8 } }], /invoiceSeconds/],
    ["a span beyond 30 days", [{ ...LAYER, invoiceSeconds: { min: 1, max: 2_592_001 } }], /30 d/],
  ])("are left out with %s, and say so", (_what, told, fault) => {
    const read = readSettlement(told);
    expect(read.layers).toEqual([]);
    expect(read.leftOut).toHaveLength(1);
    expect(read.leftOut[0]).toMatch(fault);
  });

  it("are taken beside those that are left out, and each name once", () => {
    const double = { ...LAYER, assets: [ASSET, { ...ASSET, decimals: 0 }, { identifier: "USD" }] };
    const read = readSettlement([{ ...ln, send: 1 }, double, ln, { ...LAYER, send: false }]);
    expect(read.layers).toEqual([TAKEN, { ...TAKEN, layer: "ln" }]);
    expect(read.leftOut).toEqual([
      "settlement[0]: send and receive must be true or false",
      "settlement[1].assets[1].identifier: is listed twice",
      "settlement[1].assets[2].currency: must be a code of 2 to 10 capitals and digits",
      "settlement[3].layer: is listed twice",
    ]);
  });
});

describe("a description", () => {
  const described = (more: object) =>
    readDescription({ protocol: 1, environment: "SANDBOX", ...more }, "SANDBOX");
  const capabilities = [
    { direction: "OUT", currency: "USD", accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] },
  ];
  const features = { invoices: true };

  it("without capabilities is taken where it has layers", () => {
    const taken = { capabilities: [], settlement: [TAKEN], leftOut: [] };
    expect(described({ features, settlement: [LAYER] })).toMatchObject(taken);
    expect(described({ features, settlement: [LAYER], capabilities: [] })).toMatchObject(taken);
    expect(described({ features, settlement: [] })).toHaveProperty("fault");
    expect(described({ features, settlement: [LAYER], capabilities: 5 })).toHaveProperty("fault");
  });

  it("whose layers cannot be read keeps its capabilities", () => {
    const read = described({ features, capabilities });
    expect(read).toMatchObject({
      capabilities,
      settlement: [],
      leftOut: ["settlement: must be a list of 1 to 10 layers"],
    });
  });

  it("has layers only with the feature invoices", () => {
    for (const lacking of [undefined, {}, { invoices: false }]) {
      const read = described({ capabilities, features: lacking, settlement: [LAYER] });
      const leftOut = ["settlement: needs the feature invoices"];
      expect(read).toMatchObject({ capabilities, settlement: [], leftOut });
    }
    expect(described({ capabilities })).toMatchObject({ settlement: [], leftOut: [] });
  });

  it("tells at most 20 faults", () => {
    const assets = Array.from({ length: 50 }, () => ({ identifier: "" }));
    const read = described({ capabilities, features, settlement: [{ ...LAYER, assets }] });
    expect("fault" in read ? [] : read.leftOut).toHaveLength(20);
  });
});
