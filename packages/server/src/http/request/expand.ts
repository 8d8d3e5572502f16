/** `expand=parties`: an answer names the parties of its objects, which are looked up together for a whole page. */
import Type from "typebox";
import { type PartiesOfPage, readParties } from "../../domain/reading/parties/parties.sql.ts";
import type { Party, PartyReference } from "../../domain/reading/parties/party.ts";
import type { Reads } from "../../postgres/database.ts";
import { type NamedParties, withParties } from "../../wire/reading/party.ts";

export const expandParameter = {
  expand: Type.Optional(
    Type.Enum(["parties"], {
      description: "`parties`: the answer names the parties, in `parties`.",
    }),
  ),
};

/** The references of a row, by the names that the parties have in the answer. */
type References = Readonly<Record<string, PartyReference | undefined>>;

/** The references of each row of a page. What else has to be read for them is read for the whole page. */
export type PartiesOf<Row> = (
  rows: readonly Row[],
  at: { readonly reads: Reads; readonly platformId: string },
) => readonly References[] | Promise<readonly References[]>;

/** Parties of rows that name them themselves. */
export function ofEach<Row>(partiesOf: (row: Row) => References): PartiesOf<Row> {
  return (rows) => rows.map(partiesOf);
}

interface Expansion<Row> {
  readonly platformId: string;
  readonly rows: readonly Row[];
  readonly partiesOf: PartiesOf<Row>;
  readonly toJson: (row: Row) => string;
}

/** The rows' JSON with their parties. */
export async function jsonWithParties<Row>(
  reads: Reads,
  { toJson, ...page }: Expansion<Row>,
): Promise<readonly string[]> {
  const parties = await partiesIn(reads, page);
  return page.rows.map((row, index) => withParties(toJson(row), parties[index] ?? {}));
}

/** The parties of each row, looked up together. */
export async function partiesIn<Row>(
  reads: Reads,
  { platformId, rows, partiesOf }: Omit<Expansion<Row>, "toJson">,
): Promise<readonly NamedParties[]> {
  const references = await partiesOf(rows, { reads, platformId });
  const wanted = references.flatMap((each) =>
    Object.values(each).filter((reference) => reference !== undefined),
  );
  const found = await readParties(reads, platformId, wanted);
  return references.map((each) => named(each, found));
}

function named(references: References, found: PartiesOfPage): NamedParties {
  const parties: Record<string, Party | undefined> = {};
  for (const name in references) {
    const reference = references[name];
    parties[name] = reference && found(reference);
  }
  return parties;
}
