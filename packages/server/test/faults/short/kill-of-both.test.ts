/** The server and its PostgreSQL are killed at once, under load. */
import { afterAll, beforeAll, it } from "vitest";
import { type KillRig, startKillRig } from "../kill-rig.ts";
import { limitMs, rounds } from "../rounds.ts";

let rig: KillRig;
beforeAll(async () => {
  rig = await startKillRig();
});
afterAll(() => rig.close());

it("loses and duplicates nothing when both are killed", { timeout: limitMs(15) }, () =>
  rig.survives("both killed", rounds(1), async () => {
    await rig.killPostgres();
    await rig.server.kill();
    await rig.server.start();
  }),
);
