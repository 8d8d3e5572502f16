import { engineOn } from "../app.ts";
import type { Command } from "../engine/command.ts";
import { StartRefused } from "../std/errors.ts";
import type { AtPlatform } from "./at-platform.ts";

/** The platform or the workspace that the command changes. */
interface Operated extends Pick<AtPlatform, "store" | "surroundings"> {
  readonly platform: { readonly id: string };
}

/** Submits a command as the operator; `by` names a known person. Returns the text of `tell`; throws the message of a refusal. */
export async function operate<Input, Output>(
  { store, platform, surroundings }: Operated,
  work: {
    readonly command: Command<Input, Output>;
    readonly input: Input;
    readonly by?: string;
    readonly tell: (output: Output) => string;
  },
): Promise<string> {
  const engine = engineOn(store, surroundings);
  const { status, body } = await engine
    .submit({
      platformId: platform.id,
      actor: { kind: "operator", id: work.by ?? "shell" },
      command: work.command,
      input: work.input,
      toAnswer: (output) => ({ status: 200, body: work.tell(output) }),
    })
    .finally(() => engine.close());
  if (status === 200) return body;
  const { message } = JSON.parse(body) as { readonly message: string };
  throw new StartRefused(message);
}
