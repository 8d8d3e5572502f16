/** What a connection keeps of the layers that its connector describes. */
import { describe, expect, it } from "vitest";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { toldOf } from "./activate-rail-connection.ts";
import { missingIn } from "./connection-settings.ts";
import { type SettlementLayer, settlementIn } from "./settlement.ts";

const MSAT = { identifier: "BTC", currency: "MSAT", decimals: 0 };
const EUR = { identifier: "EUR", currency: "EUR", decimals: 2 };
const layer = (name: string, ...assets: SettlementLayer["assets"]): SettlementLayer => ({
  layer: name,
  send: true,
  receive: true,
  assets,
  invoiceSeconds: { min: 60, max: 3_600 },
  exactAmounts: true,
  partialPayments: false,
});

describe("the layers that a connection keeps", () => {
  it("are those with an asset in its currencies", () => {
    const told = [layer("ln", MSAT), layer("bank.example", EUR, MSAT)];
    expect(settlementIn(["EUR", "MSAT"], told)).toEqual({ layers: told, leftOut: [] });
    expect(settlementIn(["EUR"], told)).toEqual({
      layers: [layer("bank.example", EUR)],
      leftOut: [
        "settlement.ln.BTC.currency: MSAT is no currency of the connection, which has EUR",
        "settlement.bank.example.BTC.currency: MSAT is no currency of the connection, which has EUR",
      ],
    });
  });

  it("have the decimals of their currency", () => {
    const told = [layer("ln", { ...MSAT, decimals: 3 }), layer("b", { ...EUR, decimals: 4 })];
    expect(settlementIn(["EUR", "MSAT"], told)).toEqual({
      layers: [],
      leftOut: [
        "settlement.ln.BTC.decimals: must be 0, those of MSAT",
        "settlement.b.EUR.decimals: must be 2, those of EUR",
      ],
    });
  });

  it("are told among the faults of the description, of which at most 20 are kept", () => {
    const described = {
      ok: true,
      capabilities: [],
      features: undefined,
      settlement: [layer("ln", MSAT), layer("b", EUR)],
      leftOut: Array.from({ length: 19 }, (_, index) => `fault ${index}`),
    } as const;
    const told = toldOf({ currencies: ["USD"] }, described);
    expect(told.settlement).toEqual([]);
    expect(told.descriptionFaults).toHaveLength(20);
    expect(told.descriptionFaults?.[19]).toMatch(/^settlement\.ln\.BTC\.currency/);
  });

  it("stand for capabilities, which a connector that settles invoices alone does not have", () => {
    const without = { ...connection, capabilities: [] };
    expect(missingIn(without)).toContain("capabilities");
    const settling = { ...without, settlement: [layer("ln", MSAT)] };
    expect(missingIn(settling)).not.toContain("capabilities");
  });
});
