/** What a job has found out becomes a command of its platform. Such a command is never refused: a refusal is a bug. */
import { type ClaimedJob, type Command, SAME_BODY } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";

export interface ForJob<Input, Output> {
  readonly command: Command<Input, Output>;
  readonly input: Input;
  /** What the job wants to know of the outcome. */
  readonly tell?: (output: Output) => string;
  /**
   * The job's id, where nothing that the command reads shows that it was done: a job that runs again hears what came of
   * it the first time.
   */
  readonly onceAs?: string;
}

/** Answers what `tell` said. */
export async function submitForJob<Input, Output>(
  engine: Engine,
  { platformId, kind }: Pick<ClaimedJob, "platformId" | "kind">,
  { command, input, tell = () => "", onceAs }: ForJob<Input, Output>,
): Promise<string> {
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: kind },
    command,
    input,
    toAnswer: (output) => ({ status: 200, body: tell(output) }),
    // The id stands for the work, whatever the job finds by the time it runs.
    idempotency:
      onceAs === undefined ? undefined : { scope: "jobs", key: onceAs, bodyDigest: SAME_BODY },
  });
  assert(status === 200, `${command.name} is never refused when a job submits it`);
  return body;
}
