/**
 * The colours of every hosted page, light or dark as the browser prefers. Each pair of text and background has enough
 * contrast.
 */
export const palette = `:root {
  color-scheme: light dark;
  --ink: #1b1f27; --soft: #566072; --paper: #ffffff; --panel: #f4f6f9; --line: #d9dee7; --link: #1f56c4;
  --get: #17683f; --patch: #87500a; --delete: #ab2431;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e5e9f0; --soft: #a3adbd; --paper: #12151b; --panel: #1b2029; --line: #313947; --link: #8ab1ff;
    --get: #6fd19e; --patch: #f0b866; --delete: #ff8f98;
  }
}
`;
