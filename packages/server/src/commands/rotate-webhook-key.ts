import type { Config } from "../config.ts";
import { rotateWebhookKey } from "../domain/events/rotate-webhook-key.ts";
import { generateWebhookKeyPair } from "../domain/events/signature.ts";
import { webhookKeyIdentity } from "../domain/platform.ts";
import { StartRefused } from "../std/errors.ts";
import { webhookKeyJson } from "../wire/events/webhook-key.ts";
import { atPlatform } from "./at-platform.ts";
import { operate } from "./operate-platform.ts";
import { print } from "./print.ts";

export interface RotateWebhookKeyOptions {
  readonly platform: string;
  readonly overlapHours: string;
}

const MOST_HOURS = 168;

/** `florin webhooks rotate-key`: gives the platform's default endpoint a new key, and prints what its receiver needs. */
export async function rotateWebhookKeyFromShell(
  config: Config,
  options: RotateWebhookKeyOptions,
): Promise<void> {
  const overlapHours = hoursOf(options.overlapHours);
  const { publicKeyPem, privateKeyPkcs8 } = generateWebhookKeyPair();
  await atPlatform(config, options.platform, async (at) => {
    const identity = webhookKeyIdentity(at.platform.id);
    const told = await operate(at, {
      command: rotateWebhookKey,
      input: {
        publicKey: publicKeyPem,
        privateKeySealed: at.store.sealer.seal(privateKeyPkcs8, identity),
        overlapHours,
      },
      tell: webhookKeyJson,
    });
    print(JSON.stringify(JSON.parse(told), null, 2));
  });
}

function hoursOf(text: string): number {
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= MOST_HOURS) return hours;
  throw new StartRefused(`--overlap-hours must be a whole number from 0 to ${MOST_HOURS}`);
}
