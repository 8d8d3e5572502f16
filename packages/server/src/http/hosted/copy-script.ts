/**
 * Buttons that copy a text, and the only script of the hosted pages. Without it the buttons stay hidden. Where the browser gives
 * no clipboard, as on a page without TLS, the text is selected instead.
 */
import { html, type Markup } from "./markup.ts";

export const copyScript = `
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  const said = document.getElementById(button.dataset.copy + "-said");
  button.hidden = false;
  button.addEventListener("click", async () => {
    said.textContent = "";
    try {
      await navigator.clipboard.writeText(source.textContent);
      said.textContent = button.dataset.done;
    } catch {
      getSelection().selectAllChildren(source);
      said.textContent = button.dataset.failed;
    }
  });
}
`;

/** A text in a box of its own, with a button that copies it. */
export function copyBox(box: {
  readonly id: string;
  readonly text: string;
  readonly button: string;
  readonly done: string;
  readonly failed: string;
}): Markup {
  const { id, text, button, done, failed } = box;
  return html`<div class="copy"><code class="code" id="${id}">${text}</code>
<p class="copy-row"><button type="button" class="second" hidden data-copy="${id}" data-done="${done}" data-failed="${failed}">${button}</button>
<span class="said" id="${id}-said" role="status"></span></p></div>`;
}
