import { hostedPalette } from "./palette.ts";

/** The style of a hosted page: one column, large touch targets, light or dark as the browser prefers. */
export const hostedStyle = `
${hostedPalette}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; color: var(--ink); background: var(--panel);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums;
}
[hidden] { display: none; }
header, main, footer { width: 100%; max-width: 36rem; margin: 0 auto; padding: 0 1rem; }
header {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; min-height: 4rem; padding-top: 0.75rem;
  padding-bottom: 0.75rem; font-weight: 600;
}
header bdi { min-width: 0; }
.logo { display: flex; border-radius: 6px; }
.logo img { display: block; object-fit: contain; max-width: 100%; }
main { background: var(--ground); border: 1px solid var(--line); padding-top: 1.5rem; padding-bottom: 2rem; }
footer { padding-top: 1rem; padding-bottom: 2rem; color: var(--soft); font-size: 0.875rem; line-height: 1.25rem; }
h1 { font-size: 1.5rem; line-height: 2rem; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.0625rem; line-height: 1.5rem; font-weight: 600; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; line-height: 1.5rem; font-weight: 600; margin: 1rem 0 0.25rem; }
p { margin: 0 0 0.75rem; }
ol, ul { margin: 0 0 0.75rem; padding-inline-start: 1.5rem; }
li { margin: 0.25rem 0; }
main > ol:not([class]) > li { margin: 0.75rem 0; }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.amount { font-size: 1.75rem; line-height: 2.25rem; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 0.5rem; }
.soft, .hint { color: var(--soft); font-size: 0.875rem; line-height: 1.25rem; }
.hint { margin: 0 0 0.25rem; }
.hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.notice {
  margin: 0 0 1rem; padding: 0.75rem 1rem; color: var(--wait); background: var(--wait-tint); border-radius: 6px;
  font-size: 0.875rem; line-height: 1.25rem;
}
.notice.bad { color: var(--bad); background: var(--bad-tint); }
.notice.bad a { color: inherit; }
.notice > :last-child { margin-bottom: 0; }
.code {
  display: block; padding: 0.625rem 0.75rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  user-select: all;
}
.copy { display: flex; flex-wrap: wrap; align-items: stretch; gap: 0.5rem; margin: 0.5rem 0 0.75rem; }
.copy .code { flex: 1 1 20rem; min-width: 0; }
.copy-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; margin: 0; }
.said { color: var(--soft); font-size: 0.875rem; }
.step { margin: 0 0 0.5rem; color: var(--soft); font-size: 0.875rem; line-height: 1.25rem; }
.bar { display: flex; gap: 4px; margin: 0 0 1.5rem; padding: 0; list-style: none; }
.bar li { flex: 1; height: 4px; margin: 0; border-radius: 2px; background: var(--line); }
.bar .filled { background: var(--accent); }
.steps ul:not(.papers) { list-style: disc; }
.steps { margin: 1.5rem 0 0; padding: 0; list-style: none; counter-reset: step; }
.steps > li { margin: 0; padding: 1.25rem 0; border-top: 1px solid var(--line); counter-increment: step; }
.steps > li:last-child { padding-bottom: 0; }
.steps > li > :last-child { margin-bottom: 0; }
.step-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem; margin: 0 0 0.5rem; }
.step-head h2 { margin: 0; }
.step-head h2::before { content: counter(step) ". "; color: var(--soft); }
.pill {
  display: inline-flex; align-items: center; gap: 6px; padding: 0 8px; border-radius: 10px; font-size: 0.75rem;
  line-height: 1.25rem; font-weight: 600;
}
.pill::before { content: ""; width: 6px; height: 6px; border-radius: 50%; background: currentColor; }
.pill.done { color: var(--good); background: var(--good-tint); }
.pill.todo { color: var(--wait); background: var(--wait-tint); }
.papers { list-style: none; padding: 0; }
.papers li { padding: 0.25rem 0; }
form { margin: 1.25rem 0 0; }
.steps form { margin: 0; }
.field { margin: 0 0 1.25rem; }
label, legend { display: block; font-weight: 600; margin: 0 0 0.25rem; padding: 0; }
input[type="text"], select, input[type="file"] {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--edge); border-radius: 6px;
}
input.short { width: 7rem; }
fieldset { min-width: 0; margin: 0 0 1.25rem; padding: 0; border: 0; }
.date { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.part { flex: 0 0 auto; }
.part label { font-weight: 400; font-size: 0.875rem; line-height: 1.25rem; color: var(--soft); }
.part.day input { width: 4rem; }
.part.month { flex: 1 1 9rem; max-width: 14rem; }
.part.year input { width: 5.5rem; }
.country { margin: 0 0 0.5rem; }
.box { display: flex; gap: 0.75rem; align-items: center; margin: 0; min-height: 2.75rem; }
.box input { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--accent); }
.box label { margin: 0; font-weight: 400; flex: 1; padding: 0.5rem 0; }
[aria-invalid="true"] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.error { color: var(--bad); font-size: 0.875rem; line-height: 1.25rem; font-weight: 600; margin: 0 0 0.25rem; }
.actions { margin: 1.5rem 0 0; }
.back { margin: 1.25rem 0 0; }
button, a.button {
  display: block; width: 100%; min-height: 2.75rem; padding: 0.625rem 1.25rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; color: var(--on-button); background: var(--button);
  border: 1px solid var(--accent); border-radius: 6px; cursor: pointer;
}
button.second { width: auto; color: var(--accent); background: transparent; border-color: var(--edge); font-size: 0.875rem; }
.languages { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; padding: 0; list-style: none; }
.languages li { margin: 0; padding: 0.25rem 0; }
.languages [aria-current] { color: var(--ink); font-weight: 600; }
@media (min-width: 40rem) {
  body { padding: 1.5rem 1rem; }
  main { padding: 2rem 2.5rem 2.5rem; border-radius: 8px; box-shadow: 0 1px 2px rgb(0 0 0 / 0.06), 0 8px 24px rgb(0 0 0 / 0.08); }
  header, footer { padding-left: 2.5rem; padding-right: 2.5rem; }
  button:not(.second), a.button { display: inline-block; width: auto; min-width: 12rem; }
}
@media (max-width: 39.99rem) { main { border-left: 0; border-right: 0; flex: 1; } }
@media (prefers-color-scheme: dark) { .logo { padding: 4px; background: #ffffff; } main { box-shadow: none; } }
@media print { body { background: none; } main { border: 0; box-shadow: none; } form, nav, .copy-row { display: none; } }
`;
