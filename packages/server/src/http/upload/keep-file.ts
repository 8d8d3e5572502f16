import type { Answered } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { SealedFiles } from "../../secrets/sealed-files.ts";
import type { IncomingForm, ReadForm } from "./form.ts";

/**
 * Reads a form, stores its file, and submits the command that refers to it. The file is removed when no command will
 * refer to it: the form or the command was refused, or the answer is a replay. The caller does not wait for the
 * removal, but the form slot stays taken until it is done. If the removal fails, the sweeper removes the file later. A
 * file of which nothing was sent to the database needs no removal. When it is unknown whether the command was
 * committed, the file stays, and the sweeper decides.
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
    // The engine returns a refusal of the command as an answer, so this one was thrown before the command ran.
    if (thrown instanceof Refusal) forget();
    throw thrown;
  });
  if (answer.replayed || answer.status >= 400) forget();
  return answer;
}
