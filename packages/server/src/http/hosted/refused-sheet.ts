import { copyBox } from "./copy-script.ts";
import type { Sheet } from "./hosted-page.ts";
import type { TextKey } from "./language/catalogue.ts";
import type { Language } from "./language/language.ts";
import { html } from "./markup.ts";

/** The page that is shown when a page or a form is refused. */
export function refusedSheet(status: number, requestId: string, language: Language): Sheet {
  const [title, advice] = textsOf(status);
  const trace =
    status < 500
      ? undefined
      : html`<p class="soft">${language.text("askForHelp")}</p>${copyBox({
          id: "request-id",
          text: requestId,
          button: language.text("copyNumber"),
          done: language.text("copied"),
          failed: language.text("copyByHand"),
        })}`;
  return {
    status,
    title: language.text(title),
    content: html`<p>${language.text(advice)}</p>${trace}`,
    copies: trace !== undefined,
  };
}

function textsOf(status: number): readonly [title: TextKey, advice: TextKey] {
  if (status === 403) return ["outOfDate", "openAgain"];
  if (status === 404) return ["nothingHere", "checkLink"];
  if (status === 429) return ["tooMany", "waitMoment"];
  if (status === 503) return ["busy", "waitMoment"];
  if (status >= 500) return ["ourFault", "tryLater"];
  return ["unreadable", "openAgain"];
}
