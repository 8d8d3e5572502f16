import { type NounGroup, nounHref, slugOf } from "../api/nouns.ts";
import type { Block, Page, Section } from "../blocks/blocks.ts";
import { SAMPLE_BASE } from "../samples/sample-call.ts";

export const HOME_PATH = "/docs";

const FIRST_CALL = [
  `curl '${SAMPLE_BASE}/config' \\`,
  '  -u "$FLORIN_CLIENT_ID:$FLORIN_CLIENT_SECRET"',
].join("\n");

/** The home page: guides first, then the pages of the reference. */
export function homePage(guides: readonly Page[], groups: readonly NounGroup[]): Page {
  return {
    path: HOME_PATH,
    title: "Florin documentation",
    description:
      "Guides and reference of the Florin API: accounts, payments, quotes, webhooks, agents and wallets.",
    intro: [
      {
        kind: "prose",
        markdown:
          "Florin moves money for platforms: it holds customers' balances in a ledger, pays out to bank accounts and wallets, exchanges " +
          "currencies, and tells your program about each step by webhooks. The first start of the server prints a sandbox token.",
      },
      { kind: "code", title: "The first call", language: "bash", text: FIRST_CALL },
    ],
    sections: [
      ...(guides.length === 0 ? [] : [cards("Guides", guides.map(toLink))]),
      cards("Basics", BASICS),
      ...groups.map(({ title, nouns }) =>
        cards(
          title,
          nouns.map((noun) => ({
            title: noun.name,
            href: nounHref(noun),
            says: noun.says.split(/(?<=\.)\s/)[0] ?? "",
          })),
        ),
      ),
    ],
  };
}

const BASICS = [
  {
    title: "Authentication",
    href: "/docs/authentication",
    says: "Tokens of a platform, access tokens of agents, permissions.",
  },
  {
    title: "Conventions",
    href: "/docs/conventions",
    says: "Amounts, ids, lists, idempotency, retries, limits.",
  },
  { title: "Errors", href: "/docs/errors", says: "Every code with its cause and its cure." },
  { title: "Events", href: "/docs/events", says: "Every event type with its body." },
];

function toLink({ title, path, description }: Page) {
  return { title, href: path, says: description };
}

function cards(title: string, links: Extract<Block, { kind: "cards" }>["links"]): Section {
  return { id: slugOf(title), title, main: [{ kind: "cards", links }], aside: [] };
}
