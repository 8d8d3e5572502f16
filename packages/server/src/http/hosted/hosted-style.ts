import { palette } from "./palette.ts";

/** The style of a hosted page: one column, large touch targets, light or dark as the browser prefers. */
export const hostedStyle = `
${palette}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; color: var(--ink); background: var(--panel);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
header, main, footer { width: 100%; max-width: 36rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; padding-bottom: 1rem; font-weight: 700; letter-spacing: 0.01em; }
main {
  background: var(--paper); border: 1px solid var(--line); border-radius: 12px;
  padding-top: 1.75rem; padding-bottom: 1.75rem;
}
footer { padding-top: 1rem; padding-bottom: 2rem; color: var(--soft); font-size: 0.875rem; }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 0.75rem; text-wrap: balance; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
p { margin: 0.5rem 0; }
ol { margin: 0.5rem 0; padding-left: 1.5rem; }
li { margin: 0.5rem 0; }
code { font: 0.9375em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.amount { font-size: min(2rem, 1rem + 4vw); font-weight: 700; line-height: 1.2; margin: 1rem 0; }
.soft { color: var(--soft); font-size: 0.9375rem; }
.code {
  display: block; margin: 0.5rem 0; padding: 0.75rem 1rem; background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; user-select: all;
}
.notice { padding: 0.75rem 1rem; border-left: 4px solid var(--patch); background: var(--panel); border-radius: 4px; }
label { display: block; font-weight: 600; margin-top: 0.75rem; }
input[type="text"], select, input[type="file"] {
  width: 100%; margin: 0.35rem 0 0.75rem; padding: 0.7rem 0.8rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: 6px;
}
fieldset { margin: 1rem 0; padding: 0.5rem 1rem 0.75rem; border: 1px solid var(--soft); border-radius: 6px; }
legend { font-weight: 600; padding: 0 0.35rem; }
.box { display: flex; gap: 0.75rem; align-items: center; margin: 0; min-height: 2.75rem; }
.box input { width: 1.35rem; height: 1.35rem; flex: none; }
.box label { margin: 0; font-weight: 400; flex: 1; padding: 0.4rem 0; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
ul { margin: 0.35rem 0; padding-left: 1.35rem; }
ul li { margin: 0.25rem 0; }
.done { color: var(--get); font-weight: 600; }
.todo { color: var(--patch); font-weight: 600; }
.actions { margin-top: 1.5rem; }
a.button {
  display: inline-block; padding: 0.8rem 1rem; font-weight: 600; color: var(--paper); background: var(--link);
  border-radius: 6px; text-decoration: none;
}
input[aria-invalid="true"], select[aria-invalid="true"] { border: 2px solid var(--delete); }
.error { color: var(--delete); font-weight: 600; margin: 0.35rem 0 0; }
button {
  width: 100%; padding: 0.8rem 1rem; font: inherit; font-weight: 600; color: var(--paper); background: var(--link);
  border: 1px solid var(--link); border-radius: 6px; cursor: pointer;
}
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
@media (min-width: 40rem) {
  body { padding: 1.5rem 1rem; }
  main { padding: 2.25rem 2.5rem; }
  header, footer { padding-left: 2.5rem; padding-right: 2.5rem; }
  button { width: auto; min-width: 14rem; }
}
@media (max-width: 39.99rem) { main { border-left: 0; border-right: 0; border-radius: 0; flex: 1; } }
@media print { body { background: none; } main { border: 0; } form { display: none; } }
`;
