import { engineOn } from "../app.ts";
import type { Config } from "../config.ts";
import { reviewVerification } from "../domain/verification/review-verification.ts";
import { StartRefused } from "../std/errors.ts";
import { atPlatform } from "./at-platform.ts";
import { idOption } from "./id-option.ts";
import { print } from "./print.ts";

export interface ReviewOptions {
  readonly platform: string;
  readonly verification: string;
  readonly outcome: string;
}

/** `florin verification decide`: what a person made of a verification that waits for one. */
export async function reviewFromShell(config: Config, options: ReviewOptions): Promise<void> {
  const verificationId = idOption("--verification", "Verification", options.verification);
  const outcome = options.outcome.toUpperCase();
  if (outcome !== "APPROVED" && outcome !== "REJECTED")
    throw new StartRefused("--outcome must be approved or rejected");
  await atPlatform(config, options.platform, async ({ store, platform, surroundings }) => {
    const engine = engineOn(store, surroundings);
    const answered = await engine.submit({
      platformId: platform.id,
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
  });
}
