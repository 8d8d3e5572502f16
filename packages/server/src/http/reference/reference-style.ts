import { palette } from "./palette.ts";

/** The style of the reference: system fonts, two columns if there is room, light or dark as the browser prefers. */
export const referenceStyle = `
${palette}* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible, .scroll:focus-visible, nav:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px;
}
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--paper); z-index: 2; }
.layout { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem;
  border-right: 1px solid var(--line); background: var(--panel);
}
nav h2 {
  margin: 1.25rem 0 0.25rem; font-size: 0.8125rem; letter-spacing: 0.04em; text-transform: uppercase;
  color: var(--soft);
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a {
  display: flex; gap: 0.5rem; align-items: baseline; padding: 0.2rem 0; color: inherit;
  text-decoration: none; font-size: 0.9375rem; overflow-wrap: anywhere;
}
nav li a:hover { text-decoration: underline; }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 64rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.5rem; }
main h2 { font-size: 1.5rem; margin: 3.5rem 0 0; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.2rem; margin: 2.5rem 0 0.25rem; overflow-wrap: anywhere; }
h4 { font-size: 0.9375rem; margin: 1.25rem 0 0.4rem; color: var(--soft); }
p { margin: 0.4rem 0; }
.where { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 0.4rem 0; }
.where code { font-size: 1rem; }
.method { font: 700 0.75rem/1.6 ui-monospace, monospace; min-width: 3.75em; }
.where .method { border: 1px solid; border-radius: 4px; padding: 0 0.5em; text-align: center; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); }
.delete { color: var(--delete); } .put { color: var(--put); }
.needs, .required { font-size: 0.8125rem; color: var(--soft); }
.required { font-weight: 400; font-style: italic; }
.limits { color: var(--soft); font-size: 0.875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; font-size: 0.8125rem; }
tbody th { font-weight: 500; }
tbody th code { overflow-wrap: normal; white-space: nowrap; }
tbody th.variant { padding-top: 1.25rem; color: var(--soft); }
td p:first-child { margin-top: 0; }
pre {
  margin: 0; padding: 0.9rem 1rem; overflow-x: auto; background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px;
}
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--soft); font-size: 0.9375rem; }
@media (max-width: 52rem) {
  .layout { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
@media (max-width: 40rem) {
  thead { position: absolute; left: -100vw; }
  tbody tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { display: block; padding: 0.1rem 0; border: 0; }
  tbody td:empty { display: none; }
}
@media print { nav { display: none; } .layout { display: block; } }
`;
