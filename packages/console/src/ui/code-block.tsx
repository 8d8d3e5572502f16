import { visibleText } from "../std/outside-text.ts";
import { t } from "../text/messages.ts";
import { CopyButton } from "./copy-button.tsx";

/** A block of preformatted text: JSON, an API call, the bytes of an event. */
export function CodeBlock({ code, what }: { readonly code: string; readonly what: string }) {
  return (
    <div className="relative w-full min-w-0">
      <section
        aria-label={what}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="max-h-128 overflow-auto rounded-panel border border-line bg-panel p-3 pe-10"
      >
        <pre className="font-mono text-code whitespace-pre">{visibleText(code)}</pre>
      </section>
      <div className="absolute end-2 top-2 rounded-control bg-panel">
        <CopyButton text={code} what={what} />
      </div>
    </div>
  );
}

/** Formats a value as JSON, or as words where it has no JSON form. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? t("json.none");
}
