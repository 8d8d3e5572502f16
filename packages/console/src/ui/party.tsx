/** Shows a party, that is who pays, is paid or acts, in the same way on every page. */
import type { Party } from "../api/names.ts";
import { shorten, visibleText } from "../std/outside-text.ts";
import { wordOf } from "../text/messages.ts";
import { NameLink } from "./place-link.tsx";
import { Missing, OutsideText, OutsideWord } from "./values.tsx";

interface PartyProps {
  readonly party: Party | undefined;
}

/** On one line: the name, which links to the object, and what tells it from others. The column cuts the end off. */
export function PartyName({ party }: PartyProps) {
  if (party === undefined) return <Missing />;
  return (
    <span
      className="flex min-w-0 items-baseline"
      title={shorten(visibleText(partyText(party))).shown}
    >
      <Name party={party} />
      {party.detail !== "" && (
        <span className="min-w-0 flex-1 truncate ps-2 text-caption text-soft">
          <OutsideWord text={party.detail} />
        </span>
      )}
    </span>
  );
}

/** On two lines, for the facts of a detail. */
export function PartyLines({ party }: PartyProps) {
  if (party === undefined) return <Missing />;
  return (
    <span className="inline-flex min-w-0 max-w-full flex-col items-end">
      <Name party={party} />
      {party.detail !== "" && (
        <span className="max-w-full text-caption text-soft">
          <OutsideText text={detailOf(party)} />
        </span>
      )}
    </span>
  );
}

/** What a token may do stands in codes of the API. */
function detailOf({ kind, detail }: Party): string {
  if (kind !== "TOKEN") return detail;
  return detail
    .split(", ")
    .map((permission) => wordOf("permission", permission))
    .join(", ");
}

function Name({ party: { id, name } }: { readonly party: Party }) {
  return (
    <NameLink id={id}>
      <OutsideText text={name} isLine />
    </NameLink>
  );
}

/** The name alone, for a sentence and for a line that is a link itself. */
export function partyName(party: Party | undefined): string {
  return party?.name ?? "\u2013";
}

export function partyText({ name, detail }: Party): string {
  return detail === "" ? name : `${name} \u00b7 ${detail}`;
}
