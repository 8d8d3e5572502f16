/**
 * Submits the command of a job. The commands of jobs record what has happened, so a refusal is not expected: it is thrown as
 * `JobRefused`, which the job worker logs and counts. The job is then tried again with a growing pause.
 */
import { type ClaimedJob, type Command, SAME_BODY } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";

export interface ForJob<Input, Output> {
  readonly command: Command<Input, Output>;
  readonly input: Input;
  /** Extracts from the outcome what the job needs. */
  readonly tell?: (output: Output) => string;
  /**
   * The job's id as idempotency key, for a command that cannot see from its rows that it was done: a job that runs again gets the first
   * answer.
   */
  readonly onceAs?: string;
}

export class JobRefused extends Error {
  override readonly name = "JobRefused";
  readonly code: string;

  constructor(command: string, code: string) {
    super(`${command} was refused with ${code}`);
    this.code = code;
  }
}

/** Answers the text that `tell` extracted. Throws `JobRefused`. */
export async function submitForJob<Input, Output>(
  engine: Pick<Engine, "submit">,
  { platformId, kind }: Pick<ClaimedJob, "platformId" | "kind">,
  { command, input, tell = () => "", onceAs }: ForJob<Input, Output>,
): Promise<string> {
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: kind },
    command,
    input,
    toAnswer: (output) => ({ status: 200, body: tell(output) }),
    // The key identifies the work, even if a later run of the job finds other input.
    idempotency:
      onceAs === undefined ? undefined : { scope: "jobs", key: onceAs, bodyDigest: SAME_BODY },
  });
  if (status !== 200) throw new JobRefused(command.name, codeIn(body));
  return body;
}

/** The code of a refusal's answer. */
function codeIn(body: string): string {
  const { code } = JSON.parse(body) as { readonly code?: string };
  return code ?? "an answer without a code";
}
