/** Looser control as an order: `decide` alone, of a token and of a person. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { type Platform, platforms } from "../../platform.ts";
import {
  type ConnectionControl,
  GUARDED_CONTROL,
  NO_CONTROL,
  type RailConnection,
  railConnections,
} from "../../rails/connections/rail-connection.ts";
import type { UpdateRailConnectionInput } from "../../rails/connections/update-rail-connection.ts";
import { railRoutings } from "../../rails/routes/routing.ts";
import { shownConnection, updateConnectionOrder } from "./held-control.ts";
import { holding } from "./hold-order.ts";

const PLATFORM = "019a4f00-0000-7000-8000-000000000001";
const ID = "019a4f00-0000-7000-8000-000000000002";

const connection = {
  id: ID,
  name: "Bank",
  kind: "MANUAL",
  status: "ACTIVE",
  newPayments: "REFUSE",
  currencies: ["USD"],
  account: { label: "operating" },
  capabilities: [],
  settings: {},
  calendar: { timeZone: "UTC", holidays: [] },
  control: GUARDED_CONTROL,
  funding: { mode: "NONE" },
  secretFacts: {},
  feedJobId: null,
  features: null,
  updatedAt: DECIDED_AT,
} as unknown as RailConnection;

const platform = (environment: string) => ({ id: PLATFORM, environment }) as unknown as Platform;

interface Asked {
  readonly control: Partial<ConnectionControl>;
  readonly environment?: "SANDBOX" | "PRODUCTION";
  readonly hasTwoOwners?: boolean;
}

function ask({ control, environment = "PRODUCTION", hasTwoOwners = true }: Asked) {
  const change = { control, connectionId: ID, secrets: {} } as unknown as UpdateRailConnectionInput;
  const sealed = { content: {}, contentSealed: "sealed", sealId: ID };
  const input = { input: change, sealed, hasTwoOwners, environment };
  const command = holding(updateConnectionOrder);
  const tables = [
    rowsOf(platforms, platform(environment)),
    rowsOf(railConnections, connection),
    rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
  ];
  const world = worldFor({ command, input, platformId: PLATFORM, tables });
  world.begin({ kind: "token", id: ID, people: [] }, 5n);
  const held = command.decide(world, input);
  return { held: held.kind, control: world.get(railConnections.ref(ID)).control };
}

describe("an order of looser control", () => {
  it("waits where the workspace has two owners, and changes nothing", () => {
    expect(ask({ control: NO_CONTROL })).toEqual({ held: "held", control: GUARDED_CONTROL });
  });

  it("is carried out in a sandbox, and with one owner", () => {
    const done = { held: "done", control: NO_CONTROL };
    expect(ask({ control: NO_CONTROL, environment: "SANDBOX" })).toEqual(done);
    expect(ask({ control: NO_CONTROL, hasTwoOwners: false })).toEqual(done);
  });

  it("does not wait when it is tighter", () => {
    expect(ask({ control: { importers: [] } })).toMatchObject({ held: "done" });
  });
});

it("shows a connection without what is sealed", () => {
  const secretFacts = { signingSecret: { setAt: "now", fingerprint: "ab12" } };
  const shown = shownConnection({ ...connection, secretFacts, signingSecretSealed: "sealed" });
  expect(shown.secrets).toEqual({ signingSecret: "ab12" });
  expect(JSON.stringify(shown)).not.toContain("sealed");
});
