import type { Reads } from "../../../postgres/database.ts";
import { MOST_PLATFORMS_OF_WORKSPACE } from "../../people/workspaces/workspace.ts";

const ahead = {
  name: "platform_heads/clocks-ahead-of-workspace",
  text:
    "select h.platform_id, h.clock_offset_ms from platforms t " +
    "join platform_heads h on h.platform_id = t.platform_id " +
    `where t.workspace_id = $1::uuid and h.clock_offset_ms > 0 limit ${MOST_PLATFORMS_OF_WORKSPACE}`,
};

/** How far the clocks of a workspace's platforms are ahead of the host's, in milliseconds. Those on the host's time are left out. */
export async function findClocksAhead(
  reads: Reads,
  platformId: string,
): Promise<ReadonlyMap<string, number>> {
  const found = await reads.cells(ahead, [platformId]);
  return new Map(found.map(([id, offsetMs]) => [id ?? "", Number(offsetMs)]));
}
