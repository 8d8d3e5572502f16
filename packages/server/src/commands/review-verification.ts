import type { Config } from "../config.ts";
import { reviewVerification } from "../domain/customers/verification/review-verification.ts";
import { StartRefused } from "../std/errors.ts";
import { atPlatform } from "./at-platform.ts";
import { operate } from "./operate-platform.ts";
import { idOption, textOption } from "./options/option-texts.ts";
import { print } from "./print.ts";

export interface ReviewOptions {
  readonly platform: string;
  readonly verification: string;
  readonly outcome: string;
  readonly by: string;
  readonly note?: string;
}

const LONGEST_NAME = 100;
const LONGEST_NOTE = 500;

/** `florin verification decide`: records a reviewer's decision on a pending verification. */
export async function reviewFromShell(config: Config, options: ReviewOptions): Promise<void> {
  const verificationId = idOption("--verification", "Verification", options.verification);
  const outcome = options.outcome.toUpperCase();
  if (outcome !== "APPROVED" && outcome !== "REJECTED")
    throw new StartRefused("--outcome must be approved or rejected");
  const by = textOption("--by", options.by, LONGEST_NAME);
  const note = options.note === undefined ? null : textOption("--note", options.note, LONGEST_NOTE);
  await atPlatform(config, options.platform, async (at) => {
    print(
      await operate(at, {
        command: reviewVerification,
        input: { verificationId, outcome, errors: [], reason: null, by, note },
        by,
        tell: () => `${options.verification} is ${outcome}`,
      }),
    );
  });
}
