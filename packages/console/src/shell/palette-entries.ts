/** What the palette lists for a text: an object by its id, pages, acts, and what the search finds. */
import type { SearchResults } from "@florin/client";
import { placeOf, readId } from "../std/ids.ts";
import { accountTypeWord } from "../text/field-word.ts";
import { type MessageKey, t, wordOf } from "../text/messages.ts";
import { type PaletteAct, paletteActs } from "./acts.ts";
import type { PlaceGroup } from "./navigation.ts";

export interface Entry {
  readonly key: string;
  /** Below the platform. */
  readonly place: string;
  readonly act?: string;
  readonly name: string;
  readonly detail: string;
  /** What it is: a page, an act, or the kind of an object. */
  readonly what: string;
  readonly status?: string;
}

/** What to ask the search for; undefined when the text is answered without it. */
export interface Asked {
  readonly q: string;
  readonly kinds?: readonly string[];
}

export interface ReadText {
  readonly asked: Asked | undefined;
  /** The act that is done to what is found. */
  readonly onFound: PaletteAct | undefined;
}

const BARE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHORTEST_SEARCH = 2;
const LONGEST_SEARCH = 200;

/** A text that names exactly one object, so it is opened without a choice. */
export const isId = (text: string) => readId(text) !== undefined || BARE_ID.test(text.trim());

export function readText(text: string, capabilities: readonly string[]): ReadText {
  const trimmed = text.trim();
  const nothing = { asked: undefined, onFound: undefined };
  if (trimmed.length < SHORTEST_SEARCH || placeOf(trimmed) !== undefined) return nothing;
  const act = allowedActs(capabilities).find(
    ({ title, kinds }) => kinds !== undefined && plain(trimmed).startsWith(`${plain(t(title))} `),
  );
  if (act?.kinds === undefined) return { asked: { q: cut(trimmed) }, onFound: undefined };
  const q = cut(trimmed.slice(t(act.title).length).trim());
  return { asked: { q, kinds: act.kinds }, onFound: act };
}

const cut = (text: string) => text.slice(0, LONGEST_SEARCH);

const allowedActs = (capabilities: readonly string[]) =>
  paletteActs.filter(({ capability }) => capabilities.includes(capability));

const plain = (text: string) =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, " ");

interface Known {
  readonly groups: readonly PlaceGroup[];
  readonly capabilities: readonly string[];
  /** What the search found for this text; undefined until it has answered. */
  readonly found: SearchResults | undefined;
}

/** The likeliest first: pages and acts whose names begin with the text, then what was found, then pages that contain the text. */
export function entriesFor(text: string, { groups, capabilities, found }: Known): readonly Entry[] {
  const trimmed = text.trim();
  const place = placeOf(trimmed);
  if (place !== undefined) return [objectEntry(trimmed, place)];
  const pages = groups.flatMap(({ places }) => places.map(pageEntry));
  if (trimmed === "") return pages;
  const { onFound } = readText(text, capabilities);
  const begins = ({ name }: Entry) => wordsBegin(plain(name), plain(trimmed));
  const contains = (entry: Entry) => !begins(entry) && plain(entry.name).includes(plain(trimmed));
  const acts = allowedActs(capabilities).flatMap(({ act, title, place: at }) =>
    at === undefined ? [] : [actEntry({ act, title, place: at })],
  );
  const hits = foundEntries(found, onFound);
  return [
    ...pages.filter(begins),
    ...acts.filter(begins),
    ...hits,
    ...pages.filter(contains),
    ...acts.filter(contains),
  ];
}

/** Each typed word is the beginning of a word of the name, in this order: `new pay` of `New payment`. */
function wordsBegin(name: string, typed: string): boolean {
  const words = name.split(" ");
  return typed.split(" ").every((word, place) => words[place]?.startsWith(word) === true);
}

function pageEntry({ path, title }: { readonly path: string; readonly title: MessageKey }): Entry {
  return { key: `page ${path}`, place: path, name: t(title), detail: "", what: t("palette.page") };
}

function actEntry({
  act,
  title,
  place,
}: {
  readonly act: string;
  readonly title: MessageKey;
  readonly place: string;
}): Entry {
  const key = `act ${title}`;
  return { key, place, act, name: t(title), detail: "", what: t("palette.act") };
}

function objectEntry(id: string, place: string): Entry {
  const kind = wordOf("kind", readId(id)?.kind ?? "id");
  return { key: id, place, name: t("palette.object", { kind }), detail: "", what: "" };
}

type Parties = SearchResults["groups"][number]["results"][number]["parties"];

/** Who pays whom; undefined for an object that is no payment. */
function routeOf(parties: Parties): string | undefined {
  if (parties === undefined) return undefined;
  return [parties.from, parties.to].map((party) => party?.name ?? "\u2013").join(" \u2192 ");
}

const TYPE_WORDS: Readonly<Record<string, (type: string) => string>> = {
  Transaction: (type) => wordOf("payments.type", type),
  ExternalAccount: accountTypeWord,
};

const HEXADECIMAL = /[0-9a-f]{8}/i;

/** Ids of machines say nothing to a person. A payment and an external account begin with their type. */
function detailOf(kind: string, subtitle: string): string {
  const parts = subtitle.split(" \u00b7 ").filter((part) => !HEXADECIMAL.test(part));
  const [type = "", ...others] = parts;
  const word = TYPE_WORDS[kind]?.(type) ?? type;
  return [word, ...others].join(" \u00b7 ");
}

/** Objects without a page are left out. */
function foundEntries(
  found: SearchResults | undefined,
  act: PaletteAct | undefined,
): readonly Entry[] {
  return (found?.groups ?? []).flatMap(({ kind, results }) =>
    results.flatMap(({ id, title, subtitle, status, parties }): readonly Entry[] => {
      const place = placeOf(id);
      if (place === undefined) return [];
      const shown = {
        place,
        detail: routeOf(parties) ?? detailOf(kind, subtitle ?? ""),
        what: wordOf("kind", kind),
        ...(status === undefined ? {} : { status }),
      };
      return act === undefined
        ? [{ ...shown, key: id, name: title }]
        : [
            {
              ...shown,
              key: `${act.act} ${id}`,
              act: act.act,
              name: `${t(act.title)} \u00b7 ${title}`,
            },
          ];
    }),
  );
}
