import type { Sheet } from "./hosted-page.ts";
import { html } from "./markup.ts";

/** The page that is shown when a page or a form is refused. */
export function refusedSheet(status: number, requestId: string): Sheet {
  const [title, advice] = words(status);
  const trace =
    status < 500 ? undefined : html`<p class="soft">If you ask for help, say: ${requestId}</p>`;
  return { status, title, content: html`<p>${advice}</p>${trace}` };
}

function words(status: number): readonly [title: string, advice: string] {
  if (status === 403) {
    return [
      "This form is out of date",
      "Open the link that you were sent once more and try again.",
    ];
  }
  if (status === 404) return ["There is nothing here", "Check that the whole link was copied."];
  if (status === 429) return ["Too many requests", "Wait a moment, then try again."];
  if (status === 503) return ["We are busy", "Wait a moment, then try again."];
  if (status >= 500) return ["Something went wrong on our side", "Try again in a few minutes."];
  return ["We could not read that", "Open the link that you were sent once more and try again."];
}
