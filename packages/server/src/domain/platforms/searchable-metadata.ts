/**
 * The keys of metadata by which a platform finds its objects. A new choice of keys takes effect with its commit: objects that are made or
 * changed from then on are in the index at once (engine/index-rows/metadata-terms.ts), and a job adds those that are older.
 */

import type { Command, World } from "../../engine/command.ts";
import type { MetadataKeys } from "../../engine/index-rows/metadata-terms.ts";
import { platformRowFinderOf } from "../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import { scheduleJob } from "../job-kinds.ts";
import type { Platform } from "../platform.ts";
import { type UpdateConfigInput, updateConfig } from "./update-config.ts";

/** The lists whose objects can be found, in the order in which older objects are added. */
export const searchableLists = [
  "transactions",
  "customers",
  "internal_accounts",
  "external_accounts",
  "holds",
  "payment_batches",
] as const;
export type SearchableList = (typeof searchableLists)[number];

export const MOST_SEARCHABLE_KEYS = 5;

/** Where the job is that adds older objects. `since` tells its jobs from those of an earlier choice. */
export type MetadataBuild = {
  readonly since: string;
  /** Null while rows of keys that are no longer declared are deleted. */
  readonly list: SearchableList | null;
  /** The last object that was added. */
  readonly after: string | null;
};

const columns = {
  /** That of the platform. */
  id: fixed("uuid"),
  keys: mutable<readonly string[]>("json"),
  /** Null once all objects are in the index. */
  build: mutable<MetadataBuild | null>("json"),
  updatedAt: mutable("time"),
};

export interface MetadataSettings extends RowOf<typeof columns> {}

export const metadataSettings = defineTable<MetadataSettings>("metadata_settings", columns);

export const findMetadataSettings = platformRowFinderOf(metadataSettings);

export const metadataKeys: MetadataKeys = {
  ref: (platformId) => metadataSettings.ref(platformId),
  keysOf: (row) => (row === undefined ? [] : (row as MetadataSettings).keys),
};

interface ConfigInput extends UpdateConfigInput {
  /** Replaces the whole list; an empty one takes the index away. */
  readonly searchableMetadata?: readonly string[] | undefined;
}

export interface Configured {
  readonly platform: Platform;
  readonly metadata: MetadataSettings | undefined;
}

/** Changes the settings of a platform with its keys of metadata. Refuses whatever `updateConfig` lists. */
export const configurePlatform: Command<ConfigInput, Configured> = {
  name: updateConfig.name,
  needs: (world, input) => [
    metadataSettings.ref(world.platformId),
    ...updateConfig.needs(world, input),
  ],
  decide(world, input) {
    const platform = updateConfig.decide(world, input);
    return { platform, metadata: declare(world, input.searchableMetadata) };
  },
};

function declare(world: World, keys: readonly string[] | undefined): MetadataSettings | undefined {
  const id = world.platformId;
  const before = world.find(metadataSettings.ref(id));
  const known = before?.keys ?? [];
  if (
    keys === undefined ||
    (keys.length === known.length && keys.every((key) => known.includes(key)))
  )
    return before;
  const build = { since: world.newId(), list: null, after: null };
  scheduleBuild(world, build);
  return world.put(metadataSettings, { id, keys, build, updatedAt: world.at });
}

function scheduleBuild(world: World, { since }: MetadataBuild): void {
  scheduleJob(world, { kind: "index-metadata", payload: { since }, dueAt: world.at });
}

export interface MoveBuildInput {
  readonly jobId: string;
  readonly from: MetadataBuild;
  /** Null when all objects are in the index. */
  readonly to: MetadataBuild | null;
}

/** Records what a job has added and schedules the next one. Does nothing when the keys were declared anew, or the job has run before. */
export const moveMetadataBuild: Command<MoveBuildInput, void> = {
  name: "move-metadata-build",
  needs: (world) => [metadataSettings.ref(world.platformId)],
  decide(world, { jobId, from, to }) {
    world.cancel(jobId);
    const settings = world.find(metadataSettings.ref(world.platformId));
    const build = settings?.build ?? null;
    if (settings === undefined || build === null || !isSame(build, from)) return;
    world.put(metadataSettings, { ...settings, build: to });
    if (to !== null) scheduleBuild(world, to);
  },
};

function isSame(one: MetadataBuild, other: MetadataBuild): boolean {
  return one.since === other.since && one.list === other.list && one.after === other.after;
}
