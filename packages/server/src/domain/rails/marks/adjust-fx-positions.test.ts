/** What an adjustment of positions refuses, in its order, and what it posts. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { ledgerAccounts, newSystemAccount, systemAccount } from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import {
  type AdjustFxInput,
  adjustFxPositions,
  adjustmentInputIn,
  postAdjustment,
} from "./adjust-fx-positions.ts";

describe("an adjustment of positions", () => {
  const leg = (currency: string, minor: bigint) => ({ currency, minor });
  const order: AdjustFxInput = {
    connectionId: connection.id,
    legs: [leg("USD", -100n), leg("EUR", 90n)],
    note: "hedge",
  };
  const bank: RailConnection = { ...connection, currencies: ["USD", "EUR"] };

  function asked(
    change: Partial<AdjustFxInput>,
    {
      row = bank,
      fx = 0n,
      own = 0n,
    }: { row?: RailConnection | undefined; fx?: bigint; own?: bigint } = {},
    isThere = true,
  ) {
    const input = { ...order, ...change };
    const position = newSystemAccount({ system: "fx", currency: "USD" }, DECIDED_AT);
    const ownFunds = newSystemAccount(
      { system: "own-funds", currency: "USD", connectionId: connection.id },
      DECIDED_AT,
    );
    const world = worldFor({
      command: adjustFxPositions,
      input,
      platformId: PLATFORM,
      tables: [
        rowsOf(railConnections, ...(isThere ? [row] : [])),
        rowsOf(
          ledgerAccounts,
          { ...position, balanceMinor: fx },
          { ...ownFunds, balanceMinor: own },
        ),
      ],
    });
    world.begin({ kind: "token", id: "t" }, 5n);
    return {
      world,
      refusal: refusalOf(world, () => adjustFxPositions.decide(world, input)),
      input,
    };
  }

  const archived: RailConnection = { ...bank, status: "ARCHIVED" };
  const twice = [leg("USD", 1n), leg("USD", 2n)];
  const foreign = [leg("GBP", 1n)];
  const full = { fx: INT8_MAX / 2n };

  it.each<
    readonly [what: string, refused: ReturnType<typeof asked>, code: string, details: object]
  >([
    ["an unknown connection", asked({ legs: foreign }, {}, false), "REFERENCE_NOT_FOUND", {}],
    [
      "an archived one",
      asked({ legs: foreign }, { row: archived }),
      "CONFLICT",
      { status: "ARCHIVED" },
    ],
    [
      "a currency that the connection does not have",
      asked({ legs: [...foreign, ...twice] }, full),
      "INVALID_INPUT",
      {
        field: "legs[0].currency",
        reason: "is not a currency of the connection, which has USD, EUR",
      },
    ],
    [
      "one that is there twice",
      asked({ legs: [...twice, ...foreign] }, full),
      "INVALID_INPUT",
      { field: "legs[1].currency", reason: "is there twice: USD" },
    ],
    [
      "a full position",
      asked({ legs: [leg("USD", 1n)] }, full),
      "AMOUNT_OUT_OF_RANGE",
      { currency: "USD" },
    ],
    [
      "full own funds",
      asked({ legs: [leg("USD", -1n)] }, { own: INT8_MAX / 2n }),
      "AMOUNT_OUT_OF_RANGE",
      { currency: "USD" },
    ],
  ])("refuses %s, in this order", (_what, { refusal }, code, details) => {
    expect(refusal?.code).toBe(code);
    expect(refusal?.details ?? {}).toMatchObject(details);
  });

  it("waits for a second token at any connection, and moves nothing before", () => {
    const { world } = asked(
      {},
      { row: { ...bank, control: { ...bank.control, approval: "NONE" } } },
    );
    expect(world.entries).toEqual([]);
    expect(world.jobs.map(({ kind }) => kind)).toEqual(["expire-rail-mark"]);
  });

  it("posts each leg against own funds, as the mark kept it", () => {
    const legs = order.legs.map(({ currency, minor }) => ({ currency, amount: String(minor) }));
    const read = adjustmentInputIn({ connectionId: order.connectionId, legs, note: order.note });
    expect(read).toEqual(order);
    const { world } = asked({});
    postAdjustment(world, read);
    const balanceOf = (system: "fx" | "own-funds", currency: string) =>
      world.find(systemAccount(system, currency, system === "fx" ? undefined : connection.id))
        ?.balanceMinor;
    expect([balanceOf("fx", "USD"), balanceOf("own-funds", "USD")]).toEqual([-100n, 100n]);
    expect([balanceOf("fx", "EUR"), balanceOf("own-funds", "EUR")]).toEqual([90n, -90n]);
  });
});
