/** The reference pages: one for each tag of the document, in groups. */
import type { ApiDocument, Operation } from "./document.ts";

export interface Noun {
  readonly name: string;
  readonly slug: string;
  readonly says: string;
  readonly operations: readonly Operation[];
}

export interface NounGroup {
  readonly title: string;
  readonly nouns: readonly Noun[];
}

/** The groups in the order of the navigation. A tag that is not listed here is in the last group. */
const GROUPS: readonly (readonly [title: string, tags: readonly string[]])[] = [
  ["Customers", ["Customers", "Verifications", "Beneficial owners", "Documents"]],
  ["Accounts", ["Internal accounts", "External accounts", "Discoveries"]],
  [
    "Payments",
    [
      "Transfers",
      "Holds",
      "Payment batches",
      "Quotes",
      "Transactions",
      "Receivers",
      "UMA providers",
      "Invitations",
      "Rails",
      "Rail receivables",
    ],
  ],
  ["Webhooks and events", ["Webhooks", "Events"]],
  ["Books", ["Ledger", "Statements", "Exports"]],
  ["Embedded wallets", ["Wallet credentials", "Wallet sessions"]],
  ["Agents", ["Agents", "Agent approvals", "For agents"]],
  ["Sandbox", ["Sandbox"]],
];
const LAST = "Platform";

export function groupNouns(
  document: ApiDocument,
  operations: readonly Operation[],
): readonly NounGroup[] {
  const nouns = document.tags.map(({ name, description }): Noun => {
    const own = operations.filter(({ tag }) => tag === name);
    return { name, slug: slugOf(name), says: description ?? "", operations: own };
  });
  const grouped = new Set(GROUPS.flatMap(([, tags]) => tags));
  const rest = nouns.filter(({ name }) => !grouped.has(name));
  const groups = GROUPS.map(([title, tags]) => ({
    title,
    nouns: tags.flatMap((tag) => nouns.filter(({ name }) => name === tag)),
  }));
  return [...groups, { title: LAST, nouns: rest }].filter((group) => group.nouns.length > 0);
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

export function nounHref({ slug }: Pick<Noun, "slug">): string {
  return `/docs/reference/${slug}`;
}
