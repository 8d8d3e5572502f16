import type { Actor, Answered, Command, Submission } from "../../engine/command.ts";
import { dryRunOf } from "../../engine/dry-run.ts";
import type { Engine } from "../../engine/engine.ts";
import { Refusal } from "../../engine/refusal.ts";
import { Bug } from "../../std/assert.ts";
import { dryRunJson, effectsOf, type NeededApproval } from "../../wire/payments/dry-run.ts";
import { type Caller, isAgent, isPerson } from "./operation.ts";

/** Listed by name: a member that is not passed on below would be lost silently. */
export type CallerSubmission<Input, Output> = Pick<
  Submission<Input, Output>,
  "command" | "input" | "toAnswer" | "idempotency" | "secret"
>;

/**
 * Submits a command to the caller's own platform, with the caller as the actor. For the caller of a dry run the command is decided and
 * undone. Every payment runs this code, so it avoids spreads.
 */
export function submitForCaller<Input, Output>(
  engine: Engine,
  caller: Caller,
  submission: CallerSubmission<Input, Output>,
): Promise<Answered> {
  if (caller.isDryRun === true) return submitDryRun(engine, caller, submission);
  const { command, input, toAnswer, idempotency, secret } = submission;
  return engine.submit({
    platformId: caller.platformId,
    actor: actorOf(caller),
    command,
    input,
    toAnswer,
    idempotency,
    secret,
    act: isAgent(caller) ? undefined : caller.act,
  });
}

interface DrySubmission<Input, Output>
  extends Pick<CallerSubmission<Input, Output>, "command" | "input" | "toAnswer"> {
  /** The approval that the call would wait for. */
  readonly approvalOf?: (output: Output) => NeededApproval | undefined;
}

/** Submits the dry run of a command. It has no key and no audit entry, and its answer shows what the command would do. */
export function submitDryRun<Input, Output>(
  engine: Engine,
  caller: Caller,
  { command, input, toAnswer, approvalOf }: DrySubmission<Input, Output>,
): Promise<Answered> {
  return engine.submit({
    platformId: caller.platformId,
    actor: actorOf(caller),
    command: dryRunOf(command, (output, changed) =>
      dryRunJson(toAnswer(output).body, { ...effectsOf(changed), approval: approvalOf?.(output) }),
    ),
    input,
    toAnswer: (body) => ({ status: 200, body }),
  });
}

export function actorOf(caller: Caller): Actor {
  if (isAgent(caller)) return { kind: "agent", id: caller.agentId, people: caller.people };
  const { people, personId } = caller;
  return isPerson(caller)
    ? { kind: "person", id: caller.personId, people, personId }
    : { kind: "token", id: caller.tokenId, people, personId };
}

/** An input that is found before its command. */
export interface FoundInput<Input> {
  readonly input: Input;
  /**
   * Asks another institution for what the input lacks. Until then the input holds an estimate, which is decided as a dry run first: a command
   * that is refused, or that is answered from its idempotency key, sends no request. A refusal of the institution is not stored.
   */
  readonly complete?: (() => Promise<Input>) | undefined;
}

interface CompletedSubmission<Input, Output> extends Omit<FoundSubmission<Input, Output>, "find"> {
  readonly find: () => Promise<FoundInput<Input>>;
}

interface FoundSubmission<Input, Output> extends Omit<CallerSubmission<Input, Output>, "input"> {
  readonly find: () => Promise<Input>;
  /**
   * Refuses with the refusal of the look-up, after checks that take precedence over it. Without it there are no such
   * checks.
   */
  readonly refuse?: Command<Refusal, never>;
}

/**
 * Submits a command whose input needs a look-up first. A replay of a stored answer takes precedence over a refusal of
 * the look-up: the refusal is submitted in the command's place, so the engine answers a stored answer again, or else
 * stores the refusal like one of the command.
 */
export function submitFound<Input, Output>(
  engine: Engine,
  caller: Caller,
  { find, ...submission }: FoundSubmission<Input, Output>,
): Promise<Answered> {
  return submitCompleted(engine, caller, {
    ...submission,
    find: async () => ({ input: await find() }),
  });
}

/** As `submitFound`, for an input that may have to be completed outside. */
export async function submitCompleted<Input, Output>(
  engine: Engine,
  caller: Caller,
  { find, refuse, ...submission }: CompletedSubmission<Input, Output>,
): Promise<Answered> {
  const found = await attempt(find);
  if (found.kind === "found") {
    const { input, complete } = found.input;
    if (complete === undefined || caller.isDryRun === true) {
      return submitForCaller(engine, caller, { ...submission, input });
    }
    const tried = await engine.submit(triedFor(caller, { ...submission, input }));
    if (tried.replayed || tried.status >= 400) return tried;
    return submitForCaller(engine, caller, { ...submission, input: await complete() });
  }
  return submitForCaller(engine, caller, {
    ...submission,
    command: refuse ?? refusingCommand(submission.command.name),
    input: found.refusal,
    toAnswer: neverAnswered,
  });
}

/** The dry run under the caller's key. Its refusal is stored as one of the command; its answer is not, because the command follows. */
function triedFor<Input, Output>(
  caller: Caller,
  { command, input, idempotency, secret }: CallerSubmission<Input, Output>,
): Submission<Input, null> {
  return {
    platformId: caller.platformId,
    actor: actorOf(caller),
    command: dryRunOf(command, () => null),
    input,
    toAnswer: () => ({ status: 200, body: "", isFinal: false }),
    idempotency,
    secret,
  };
}

type Found<Input> =
  | { readonly kind: "found"; readonly input: Input }
  | { readonly kind: "refused"; readonly refusal: Refusal };

async function attempt<Input>(find: () => Promise<Input>): Promise<Found<Input>> {
  try {
    return { kind: "found", input: await find() };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return { kind: "refused", refusal: thrown };
  }
}

/** A command that throws the refusal of the look-up. */
function refusingCommand(name: string): Command<Refusal, never> {
  return {
    name,
    needs: () => [],
    decide: (_world, refusal) => {
      throw refusal;
    },
  };
}

function neverAnswered(): never {
  throw new Bug("a refusal has no other answer");
}
