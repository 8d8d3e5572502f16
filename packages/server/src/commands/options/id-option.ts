import { StartRefused } from "../../std/errors.ts";
import { fromWireId, isUuid } from "../../std/ids.ts";

/** An id as on the wire, or the uuid alone, as it stands in the database. */
export function idOption(option: string, kind: string, text: string): string {
  const id = isUuid(text) ? text : fromWireId(kind, text);
  if (id === undefined) throw new StartRefused(`${option} must be an id like ${kind}:<uuid>`);
  return id;
}
