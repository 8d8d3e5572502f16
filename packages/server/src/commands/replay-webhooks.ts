import type { Config } from "../config.ts";
import { StartRefused } from "../std/errors.ts";
import { isDateTime } from "../validation/formats.ts";
import { replayFailed } from "../webhooks/replay-failed.ts";
import { atPlatform } from "./at-platform.ts";
import { idOption } from "./options/option-texts.ts";
import { print } from "./print.ts";

export interface ReplayWebhooksOptions {
  readonly platform: string;
  readonly since?: string;
  readonly event?: string;
  readonly limit: string;
}

const MOST = 100_000;

/** `florin webhooks replay`: schedules events again whose delivery was abandoned. */
export async function replayWebhooksFromShell(
  config: Config,
  options: ReplayWebhooksOptions,
): Promise<void> {
  const wish = {
    eventId:
      options.event === undefined ? undefined : idOption("--event", "Webhook", options.event),
    since: options.since === undefined ? undefined : momentOf(options.since),
    limit: limitOf(options.limit),
  };
  await atPlatform(config, options.platform, async ({ store, platform, surroundings }) => {
    const tools = { database: store.database, clock: surroundings.clock };
    const replayed = await replayFailed(tools, { ...wish, platformId: platform.id });
    const { count, isCut } = replayed;
    if (count === 0 && options.event !== undefined) {
      throw new StartRefused(`the platform has no event ${options.event} that was given up`);
    }
    print(`Due again: ${count} ${count === 1 ? "event" : "events"}.`);
    if (isCut) print("There may be more: run it again for the rest.");
    if (platform.webhookEndpoint === null) print("They wait until the platform has an endpoint.");
  });
}

function momentOf(text: string): number {
  if (!isDateTime(text)) {
    throw new StartRefused("--since must be a moment like 2025-10-13T09:30:00Z");
  }
  return Date.parse(text.toUpperCase());
}

function limitOf(text: string): number {
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN;
  if (limit <= MOST) return limit;
  throw new StartRefused(`--limit must be a whole number from 1 to ${MOST}`);
}
