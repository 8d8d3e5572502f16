/** Runs one sign-in attempt at a time and keeps the error of the last one. */
import { useState } from "react";
import { toFailure } from "../../../api/failures.ts";
import { t } from "../../../text/messages.ts";
import { SignInAgain } from "../../../ui/states.tsx";

export function useAttempt(run: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    isBusy,
    error,
    go() {
      setBusy(true);
      setError(undefined);
      run()
        .then(undefined, setError)
        .finally(() => setBusy(false));
    },
  };
}

export function Fault({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const { message, asksForSignIn } = toFailure(error);
  return (
    <div role="alert" className="tint-bad rounded-control p-3 text-form">
      <p>{passkeyWord(error) ?? message}</p>
      {asksForSignIn && <SignInAgain />}
    </div>
  );
}

/** Texts for the browser's errors: the dialog was closed, no passkey for this host, or a passkey that exists already. */
function passkeyWord(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "InvalidStateError") return t("me.samePasskey");
  return error.name === "NotAllowedError" || error.name === "AbortError"
    ? t("entry.noPasskey")
    : undefined;
}
