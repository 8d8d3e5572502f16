/** `expand=parties`: an answer names the parties of its objects, which are looked up together for a whole page. */
import Type from "typebox";
import { type PartiesOfPage, readParties } from "../../domain/reading/parties/parties.sql.ts";
import type { PartyReference } from "../../domain/reading/parties/party.ts";
import type { Reads } from "../../postgres/database.ts";
import { withParties } from "../../wire/reading/party.ts";

export const expandParameter = {
  expand: Type.Optional(
    Type.Enum(["parties"], {
      description: "`parties`: the answer names the parties, in `parties`.",
    }),
  ),
};

/** The references of a row, by the names that the parties have in the answer. */
export type PartiesOf<Row> = (row: Row) => Readonly<Record<string, PartyReference | undefined>>;

interface Expansion<Row> {
  readonly platformId: string;
  readonly rows: readonly Row[];
  readonly partiesOf: PartiesOf<Row>;
  readonly toJson: (row: Row) => string;
}

/** The rows' JSON with their parties. */
export async function jsonWithParties<Row>(
  reads: Reads,
  { platformId, rows, partiesOf, toJson }: Expansion<Row>,
): Promise<readonly string[]> {
  const references = rows.map(partiesOf);
  const wanted = references.flatMap((each) =>
    Object.values(each).filter((reference) => reference !== undefined),
  );
  const found = await readParties(reads, platformId, wanted);
  return rows.map((row, index) => withParties(toJson(row), named(references[index], found)));
}

function named(
  references: Readonly<Record<string, PartyReference | undefined>> = {},
  found: PartiesOfPage,
) {
  return Object.fromEntries(
    Object.entries(references).map(([name, reference]) => [name, reference && found(reference)]),
  );
}
