import Type from "typebox";
import type { PartiesOfPage } from "../../domain/reading/parties/parties.sql.ts";
import type { PartyReference } from "../../domain/reading/parties/party.ts";
import type { PaymentParties } from "../../domain/reading/parties/payment-parties.ts";
import type { FoundObject, IndexState } from "../../domain/reading/search/find.sql.ts";
import { searchFields } from "../../domain/reading/search/terms.ts";
import { toIso } from "../../std/clock.ts";
import { groupBy } from "../../std/group.ts";
import { partiesMember, wireParty } from "./party.ts";

export const SearchSchema = Type.Object(
  {
    indexedTo: Type.Integer({
      minimum: 0,
      description: "The sequence of the last event that is in the index.",
    }),
    lastEvent: Type.Integer({ minimum: 0, description: "The sequence of the last event." }),
    isBuilding: Type.Boolean({
      description: "The index is being built, so what is found is not all there is.",
    }),
    groups: Type.Array(
      Type.Object({
        kind: Type.String({ examples: ["Customer"] }),
        results: Type.Array(
          Type.Object({
            id: Type.String({ description: "With its kind." }),
            title: Type.String({
              description: "Initials, where it is a name that a person may not see.",
            }),
            subtitle: Type.Optional(Type.String()),
            status: Type.Optional(Type.String()),
            at: Type.String({ format: "date-time", description: "When it was created." }),
            matched: Type.Enum([...searchFields], { description: "What it was found by." }),
            parties: partiesMember("from", "to"),
          }),
        ),
      }),
    ),
  },
  { $id: "SearchResults" },
);

export function searchJson(
  found: readonly FoundObject[],
  { state, withPersonal, parties }: Shown,
): string {
  const groups = [...groupBy(found, ({ kind }) => kind)].map(([kind, own]) => ({
    kind,
    results: own.map(({ id, hit, matched }) => ({
      id: `${kind}:${id}`,
      title: hit.isTitlePersonal && !withPersonal ? initials(hit.title) : hit.title,
      ...(hit.subtitle === null || (hit.isSubtitlePersonal && !withPersonal)
        ? {}
        : { subtitle: hit.subtitle }),
      ...(hit.status === null ? {} : { status: hit.status }),
      at: toIso(hit.at),
      matched,
      ...(parties === undefined || hit.sides === undefined
        ? {}
        : { parties: sidesJson(hit.sides, parties) }),
    })),
  }));
  const { indexedTo, lastEvent, isBuilding } = state;
  return JSON.stringify({
    indexedTo: Number(indexedTo),
    lastEvent: Number(lastEvent),
    isBuilding,
    groups,
  });
}

interface Shown {
  readonly state: IndexState;
  readonly withPersonal: boolean;
  /** Absent when no parties were asked for. */
  readonly parties: PartiesOfPage | undefined;
}

function sidesJson({ from, to }: PaymentParties, parties: PartiesOfPage) {
  const json = (reference: PartyReference | undefined) => {
    const party = reference && parties(reference);
    return party === undefined ? undefined : JSON.parse(wireParty.json(party));
  };
  return { from: json(from), to: json(to) };
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== "");
  return words.map((word) => `${[...word][0]}.`).join(" ");
}

export const searchExample = {
  indexedTo: 17,
  lastEvent: 17,
  isBuilding: false,
  groups: [
    {
      kind: "Customer",
      results: [
        {
          id: "Customer:019a4f00-0000-7000-8000-000000000002",
          title: "Ana Ruiz",
          subtitle: "customer-1042",
          status: "APPROVED",
          at: "2026-11-21T10:00:00.000Z",
          matched: "name",
        },
      ],
    },
  ],
};
