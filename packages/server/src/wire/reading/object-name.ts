/** The name of an object, for a page of the console that has only its id. */
import type { ObjectName } from "../../domain/reading/parties/object-names.sql.ts";
import { CurrencyAmountSchema, wireAmount } from "../fields.ts";
import { exampleId } from "../id-fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { wireParty } from "./party.ts";

export const wireObjectName = wireObject("ObjectName", ({ of, maybe }: Kit<ObjectName>) => ({
  id: of.text({ example: exampleId("ExternalAccount", "3") }),
  party: maybe.object(wireParty, {
    description: "The object itself, or the other side of a payment or a quote.",
    example: wireParty.example,
  }),
  amount: maybe.json(CurrencyAmountSchema, {
    from: ({ amount }) => amount && wireAmount(amount.minor, amount.currency),
  }),
  label: maybe.text({
    description: "The name of a connection, the URL of an endpoint, the type of an event.",
  }),
}));
