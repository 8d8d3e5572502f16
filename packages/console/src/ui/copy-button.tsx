import { Check, Copy } from "lucide-react";
import { createContext, useContext, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { t } from "../text/messages.ts";
import { classes } from "./classes.ts";

const SHOWN_MS = 1_500;

/** Called when something was copied, so that a dialog with a secret can close without a warning. */
export const CopiedContext = createContext<() => void>(() => undefined);

/** Copies a text. `isQuiet` hides the button until the pointer or the focus is near. */
export function CopyButton({
  text,
  what,
  isQuiet = false,
}: {
  readonly text: string;
  readonly what: string;
  readonly isQuiet?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  const onCopied = useContext(CopiedContext);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        onCopied();
      },
      () => setCopied(false),
    );
  };
  return (
    <Button
      aria-label={isCopied ? t("copy.done") : t("copy.label", { what })}
      onPress={copy}
      className={classes(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-control text-soft hover:bg-panel hover:text-ink",
        isQuiet &&
          "-my-1 in-[dd]:order-first opacity-0 group-hover/id:opacity-100 group-focus-within/id:opacity-100 pointer-coarse:opacity-100",
      )}
    >
      {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
    </Button>
  );
}
