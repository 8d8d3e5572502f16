/** What a job has found out becomes a command of its platform. Such a command is never refused: a refusal is a bug. */
import type { ClaimedJob, Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";

export interface ForJob<Input, Output> {
  readonly command: Command<Input, Output>;
  readonly input: Input;
  /** What the job wants to know of the outcome. */
  readonly tell?: (output: Output) => string;
}

/** Answers what `tell` said. */
export async function submitForJob<Input, Output>(
  engine: Engine,
  { platformId, kind }: Pick<ClaimedJob, "platformId" | "kind">,
  { command, input, tell = () => "" }: ForJob<Input, Output>,
): Promise<string> {
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: kind },
    command,
    input,
    toAnswer: (output) => ({ status: 200, body: tell(output) }),
  });
  assert(status === 200, `${command.name} is never refused when a job submits it`);
  return body;
}
