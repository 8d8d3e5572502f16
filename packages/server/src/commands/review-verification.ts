import { engineOn } from "../app.ts";
import type { Config } from "../config.ts";
import { findPlatform } from "../domain/platforms/platform.sql.ts";
import { reviewVerification } from "../domain/verification/review-verification.ts";
import { systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { createLog } from "../std/log.ts";
import { openStore } from "../store.ts";
import { idOption } from "./id-option.ts";
import { print } from "./print.ts";

export interface ReviewOptions {
  readonly platform: string;
  readonly verification: string;
  readonly outcome: string;
}

/** `florin verification decide`: what a person made of a verification that waits for one. */
export async function reviewFromShell(config: Config, options: ReviewOptions): Promise<void> {
  const platformId = idOption("--platform", "PlatformConfig", options.platform);
  const verificationId = idOption("--verification", "Verification", options.verification);
  const outcome = options.outcome.toUpperCase();
  if (outcome !== "APPROVED" && outcome !== "REJECTED")
    throw new StartRefused("--outcome must be approved or rejected");
  const surroundings = { config, clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mayJoin: true, mustExist: true });
  try {
    if ((await findPlatform(store.database.reads, platformId)) === undefined)
      throw new StartRefused(`no platform has the id ${options.platform}`);
    const engine = engineOn(store, surroundings);
    const answered = await engine.submit({
      platformId,
      actor: { kind: "operator", id: "shell" },
      command: reviewVerification,
      input: { verificationId, outcome },
      toAnswer: () => ({ status: 200, body: `${options.verification} is ${outcome}` }),
    });
    await engine.close();
    if (answered.status !== 200) {
      const { message } = JSON.parse(answered.body) as { readonly message: string };
      throw new StartRefused(message);
    }
    print(answered.body);
  } finally {
    await store.close();
  }
}
