import type { Reads } from "../postgres/database.ts";
import { platformRowFinderOf } from "../tables/find-row.ts";
import { type Platform, platforms } from "./platform.ts";

export const findPlatform = platformRowFinderOf(platforms);

const clockOffset = {
  name: "platform_heads/clock-offset",
  text: "select clock_offset_ms from platform_heads where platform_id = $1::uuid",
};

/** How far the platform's clock is ahead of the host's. */
export async function clockOffsetOf(reads: Reads, platformId: string): Promise<number> {
  const [cells] = await reads.cells(clockOffset, [platformId]);
  return Number(cells?.[0] ?? 0);
}

const firstPlatform = {
  name: "platforms/any",
  text: "select platform_id from platforms limit 1",
};

export async function anyPlatformId(reads: Reads): Promise<string | undefined> {
  const [cells] = await reads.cells(firstPlatform, []);
  return cells?.[0] ?? undefined;
}

const byHandle = {
  name: "directory/get",
  text: "select platform_id from directory where handle = $1::text",
};

/** The platform that owns a key in the deployment's directory. */
export async function platformOfHandle(reads: Reads, handle: string): Promise<string | undefined> {
  const [led] = await reads.cells(byHandle, [handle]);
  return led?.[0] ?? undefined;
}

export const MOST_PLATFORMS_LISTED = 1_000;

const all = {
  name: "platforms/list",
  text: `select ${platforms.selectList("t")} from platforms t order by t.id limit ${MOST_PLATFORMS_LISTED + 1}`,
};

/** All platforms of the deployment, the oldest first; one more than `MOST_PLATFORMS_LISTED` when there are more. */
export function listPlatforms(reads: Reads): Promise<readonly Platform[]> {
  return reads.rows(platforms, all, []);
}

const idsAfter = {
  name: "platforms/ids-after",
  text: "select platform_id from platforms where platform_id > $1::uuid order by platform_id limit 1000",
};

/** The ids of the platforms behind this one, at most a thousand. */
export async function listPlatformIds(
  reads: Reads,
  platformId: string,
): Promise<readonly string[]> {
  const rows = await reads.cells(idsAfter, [platformId]);
  return rows.map(([id]) => id ?? "");
}
