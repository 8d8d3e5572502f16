import { StartRefused } from "../../std/errors.ts";
import { fromWireId, isUuid } from "../../std/ids.ts";

/** One line of text, without spaces around it and without control characters. */
export function textOption(option: string, text: string, longest: number): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new StartRefused(`${option} must not be empty`);
  if ([...trimmed].length > longest)
    throw new StartRefused(`${option} must have at most ${longest} characters`);
  if (/\p{Cc}/u.test(trimmed))
    throw new StartRefused(`${option} must be one line without control characters`);
  return trimmed;
}

/** An id as on the wire, or the uuid alone, as it stands in the database. */
export function idOption(option: string, kind: string, text: string): string {
  const id = isUuid(text) ? text : fromWireId(kind, text);
  if (id === undefined) throw new StartRefused(`${option} must be an id like ${kind}:<uuid>`);
  return id;
}
