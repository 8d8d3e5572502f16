/** Converts links between files of the repository to links between pages. */
import { posix } from "node:path";

/** Files outside of the guides that have a page. */
export const OPERATOR_FILES: Readonly<Record<string, string>> = {
  "docs/approvals.md": "/docs/operators/approvals",
  "docs/runbook.md": "/docs/operators/runbook",
  "docs/rails.md": "/docs/operators/rails",
  "docs/reference/settings.md": "/docs/operators/settings",
  "docs/scaling.md": "/docs/operators/scaling",
  "docs/wallets.md": "/docs/operators/wallets",
  "CHANGELOG.md": "/docs/operators/changelog",
};

const MADE: Readonly<Record<string, string>> = {
  "docs/reference/errors.md": "/docs/errors",
  "docs/reference/events.md": "/docs/events",
  "docs/reference/openapi.json": "/openapi.json",
};

const LINK = /\[((?:`[^`]*`|[^\][`])*)\]\(([^()\s]+)\)/g;
const FENCE = /(^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\2[^\n]*$)/m;

/** Converts the links of a file's text. A link to a file without a page becomes its label. */
export function linkPages(markdown: string, file: string): string {
  const parts = markdown.split(FENCE);
  // The split yields groups of three: text, a code block, and the fence of the block.
  return parts
    .map((part, index) => {
      if (index % 3 === 2) return "";
      return index % 3 === 1 ? part : part.replaceAll(LINK, (...found) => linkOf(file, found));
    })
    .join("");
}

function linkOf(file: string, [whole, label, target]: readonly unknown[]): string {
  const href = pageOf(file, String(target));
  if (href === target) return String(whole);
  return href === undefined ? String(label) : `[${label}](${href})`;
}

function pageOf(file: string, target: string): string | undefined {
  if (/^([a-z]+:|\/|#)/.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const found = posix.join(posix.dirname(file), path);
  const guide = /^docs\/guides\/([\w-]+)\.md$/.exec(found)?.[1];
  const page = guide === undefined ? OPERATOR_FILES[found] : `/docs/guides/${guide}`;
  if (page === undefined) return MADE[found];
  return anchor === undefined ? page : `${page}#${anchor}`;
}
