import type { Actor, Answered, Submission } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Caller, isAgent, isPerson } from "./operation.ts";

/** Listed by name: a member that is not passed on below would be lost silently. */
export type CallerSubmission<Input, Output> = Pick<
  Submission<Input, Output>,
  "command" | "input" | "toAnswer" | "idempotency" | "secret"
>;

/**
 * Submits a command to the caller's own platform, with the caller as the actor. Payments take this path, so there are
 * no spreads.
 */
export function submitForCaller<Input, Output>(
  engine: Engine,
  caller: Caller,
  { command, input, toAnswer, idempotency, secret }: CallerSubmission<Input, Output>,
): Promise<Answered> {
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

export function actorOf(caller: Caller): Actor {
  if (isAgent(caller)) return { kind: "agent", id: caller.agentId, people: caller.people };
  const { people, personId } = caller;
  return isPerson(caller)
    ? { kind: "person", id: caller.personId, people, personId }
    : { kind: "token", id: caller.tokenId, people, personId };
}
