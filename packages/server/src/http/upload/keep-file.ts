import type { Answered } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { SealedFiles } from "../../secrets/sealed-files.ts";
import type { IncomingForm, ReadForm } from "./form.ts";

/**
 * Reads a form, keeps its file, and submits the command that refers to it. A file that no command will refer to is
 * forgotten: one that is refused, and one whose answer was given before. The caller does not wait until the file is removed,
 * but the form's slot stays taken; what cannot be removed now is swept later. A file of which no chunk was sent off needs no
 * removal. When it is not known whether the command was committed, the file stays, and the sweeper finds out.
 */
export async function keepFile<Fields>(
  upload: {
    readonly platformId: string;
    readonly form: IncomingForm<Fields>;
    readonly submit: (read: ReadForm<Fields>, fileId: string) => Promise<Answered>;
  },
  files: SealedFiles,
): Promise<Answered> {
  const { platformId, form, submit } = upload;
  const file = files.create(platformId);
  const forget = () => {
    if (file.hasSent()) form.holdSlot(files.remove(platformId, file.fileId).catch(() => undefined));
  };
  let read: ReadForm<Fields>;
  try {
    read = await form.read(file);
    await file.end();
  } catch (thrown) {
    forget();
    throw thrown;
  }
  const answer = await submit(read, file.fileId).catch((thrown: unknown) => {
    // A refusal of the command is an answer: this one came before it.
    if (thrown instanceof Refusal) forget();
    throw thrown;
  });
  if (answer.replayed || answer.status >= 400) forget();
  return answer;
}
