/**
 * One-time codes by mail, and their limits.
 *
 * A code allows five guesses. A wrong guess is answered and not refused, so that its count is committed. A credential gets at most ten
 * codes an hour, an address at most twenty over all accounts of the platform, and two codes are at least half a minute apart. A job mails
 * the code after the commit; the command that records the result ends the job.
 */

import { timingSafeEqual } from "node:crypto";
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { uuidOfDigest } from "../../../std/ids.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Credential, PendingCode } from "./credential.ts";
import type { NewCode } from "./one-time-code.port.ts";

const columns = {
  id: fixed("uuid"),
  sentTimes: mutable<readonly number[]>("json"),
  updatedAt: mutable("time"),
};

/** The mail that went to one address. */
export interface MailBudget extends RowOf<typeof columns> {}

const mailBudgets = defineTable<MailBudget>("mail_budgets", columns);

const MAX_TRIES = 5;
const CODES_PER_HOUR = 10;
const MAILS_PER_HOUR = 20;
const SPACING_MS = 30_000;
const HOUR_MS = 60 * 60 * 1000;

/** The budget of an address: its id is derived from the address, regardless of case. */
export function mailBudgetRef(email: string) {
  return mailBudgets.ref(uuidOfDigest(sha256Hex(email.toLowerCase())));
}

/** The code to send. Refuses, in this order: no mail server, RATE_LIMITED as in `refuseTooOften`. */
export function requireMailable(
  world: World,
  { nickname, codeTimes }: Pick<Credential, "nickname" | "codeTimes">,
  code: NewCode | undefined,
): NewCode {
  if (code === undefined) {
    throw new Refusal("NOT_IMPLEMENTED", { missing: "mail" }, "This deployment sends no mail.");
  }
  refuseTooOften(world, nickname, codeTimes);
  return code;
}

/** Refuses with RATE_LIMITED, in this order: half a minute since the last code, codes an hour of the credential, those of the address. */
export function refuseTooOften(world: World, email: string, codeTimes: readonly number[]): void {
  const { at } = world;
  const last = codeTimes.at(-1);
  if (last !== undefined && at < last + SPACING_MS) throw tooOften(last + SPACING_MS - at);
  refuseOverBudget(codeTimes, CODES_PER_HOUR, at);
  refuseOverBudget(world.find(mailBudgetRef(email))?.sentTimes ?? [], MAILS_PER_HOUR, at);
}

function refuseOverBudget(times: readonly number[], most: number, at: number): void {
  const recent = withinHour(times, at);
  const first = recent.at(-most);
  if (first !== undefined) throw tooOften(first + HOUR_MS - at);
}

function withinHour(times: readonly number[], at: number): readonly number[] {
  return times.filter((time) => at < time + HOUR_MS);
}

function tooOften(waitMs: number): Refusal {
  return new Refusal("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

type CodeColumns = Pick<Credential, "code" | "codeSealed" | "codeTimes">;

/** Replaces the pending code by a new one and schedules its mail. */
export function issueCode(
  world: World,
  { id, nickname, codeTimes }: Pick<Credential, "id" | "nickname" | "codeTimes">,
  code: NewCode,
): CodeColumns {
  const budget = mailBudgetRef(nickname);
  const sentTimes = withinHour(world.find(budget)?.sentTimes ?? [], world.at);
  world.put(mailBudgets, {
    id: budget.id,
    sentTimes: [...sentTimes, world.at],
    updatedAt: world.at,
  });
  scheduleJob(world, {
    kind: "send-code",
    payload: { credentialId: id, codeId: code.id },
    dueAt: world.at,
  });
  return {
    code: {
      id: code.id,
      digest: code.digest,
      tries: 0,
      expiresAt: world.at + code.lifetimeMs,
    },
    codeSealed: code.sealed,
    codeTimes: [...withinHour(codeTimes, world.at), world.at],
  };
}

/** A guess, hashed like the code of this id. */
export interface Guess {
  readonly codeId: string;
  readonly digest: string;
}

/** `unjudged`: there is no code, or it had too many guesses. The answer does not depend on the guess. */
export function judgeGuess(
  code: PendingCode | null,
  guess: Guess | undefined,
  at: number,
): "right" | "wrong" | "unjudged" {
  if (code === null || guess === undefined || code.id !== guess.codeId) return "unjudged";
  if (at >= code.expiresAt || code.tries >= MAX_TRIES) return "unjudged";
  const expected = Buffer.from(code.digest, "hex");
  const presented = Buffer.from(guess.digest, "hex");
  const fits = expected.length === presented.length && timingSafeEqual(expected, presented);
  return fits ? "right" : "wrong";
}
