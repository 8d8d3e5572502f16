/** The tokens that may import data of the external account: typed-in entries and balances. */
import type { Actor, Loaded } from "../../../engine/command.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { tokens } from "../../token.ts";
import type { ConnectionControl, RailConnection } from "./rail-connection.ts";

type Sent = Pick<Partial<ConnectionControl>, "importers">;

export function importerNeeds({ importers }: Sent): readonly AnyRef[] {
  return (importers ?? []).map((id) => tokens.ref(id));
}

/** INVALID_INPUT names each id that is not a token of the platform. A token deleted later stays listed and cannot import. */
export function refuseUnknownImporters(world: Loaded, { importers }: Sent): void {
  const faults = (importers ?? []).flatMap((id, index): readonly FieldError[] => {
    const token = world.find(tokens.ref(id));
    const isThere = token !== undefined && token.deletedAt === null;
    return isThere ? [] : [{ field: `control.importers[${index}]`, message: "names no token" }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** FORBIDDEN for a caller that is not on the connection's list of importers, when it has a list. */
export function refuseOtherImporter(
  { actor }: { readonly actor: Actor },
  { control: { importers } }: RailConnection,
): void {
  if (importers === null || (actor.kind === "token" && importers.includes(actor.id))) return;
  const message =
    "The connection lists the tokens that may bring entries and balances in (control.importers), and this caller is none of them.";
  throw new Refusal("FORBIDDEN", { rule: "IMPORTERS" }, message);
}
