/** Keyboard shortcuts of a list: `j` and `k` move, `x` selects the row, `c` copies its id, `e` exports what the list shows. */
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { shortId } from "../std/ids.ts";
import { t } from "../text/messages.ts";

const COPIED_MS = 1_500;

/** Wraps the button that the key `e` presses. */
export function ExportKey({ children }: { readonly children: ReactNode }) {
  return <span className="export-key contents">{children}</span>;
}

export function useRowKeys() {
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const onKeyDown = (event: KeyboardEvent, body: HTMLElement | null) => {
    if (event.ctrlKey || event.metaKey || event.altKey || body === null) return;
    // React bubbles events of a dialog to here, although the dialog is elsewhere in the DOM.
    if (!body.contains(event.target as Node)) return;
    const row = document.activeElement?.closest<HTMLElement>("[data-row-id]");
    if (event.key === "j") moveBy(1, event, body);
    else if (event.key === "k") moveBy(-1, event, body);
    else if (event.key === "x") row?.querySelector<HTMLElement>(".row-check")?.click();
    else if (event.key === "e") document.querySelector<HTMLElement>(".export-key button")?.click();
    else if (event.key === "c" && row?.dataset.rowId !== undefined) {
      const id = row.dataset.rowId;
      // When the browser refuses access to the clipboard, no confirmation is shown.
      navigator.clipboard.writeText(id).then(
        () => setCopied(id),
        () => setCopied(undefined),
      );
    }
  };
  const note = copied !== undefined && (
    <p
      role="status"
      className="tint-good sticky bottom-4 z-10 mt-2 w-fit rounded-control px-3 py-2 text-body"
    >
      {t("copy.id", { id: shortId(copied) })}
    </p>
  );
  return { onKeyDown, note };
}

function moveBy(step: 1 | -1, event: KeyboardEvent, body: HTMLElement): void {
  const links = [...body.querySelectorAll<HTMLElement>(".row-link")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at + step] ?? (at === -1 ? links[0] : undefined);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
