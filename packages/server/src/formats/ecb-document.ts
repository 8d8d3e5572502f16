/**
 * The daily reference rates of the European Central Bank. The document is read as a stream of its elements: only `Cube` elements with a
 * time, or with a currency and a rate, are used.
 *
 * Bounds: the caller's bound of the document; 64 levels, 32 attributes of an element, 256 characters of a name, `MOST_RATES`
 * currencies. A document type ends the reading, so no entity is ever declared; the parser fetches nothing.
 */
import { SaxesParser } from "saxes";
import { ecbMomentOf } from "../domain/prices/rate-sources/ecb-days.ts";
import type { ObservedValue } from "../domain/prices/rate-sources/observed-rates.ts";
import type { ReadDocument } from "../domain/prices/rate-sources/rate-documents.port.ts";
import { MOST_RATES } from "../domain/prices/rate-sources/rate-source.ts";
import { isCalendarDate } from "../std/calendar/calendar-date.ts";

/** The document of a day has about 2 kB. */
export const MAX_ECB_BYTES = 128 * 1024;

const BASE = "EUR";
const ROOT = "Envelope";
const CUBE = "Cube";
const MOST_LEVELS = 64;
const MOST_ATTRIBUTES = 32;
const LONGEST_NAME = 256;

type DocumentFault = Extract<ReadDocument, { kind: "failed" }>;

/** Thrown to stop the parser; `code` is the reason. */
class Unsound extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function readEcbDocument(text: string, digest: string): ReadDocument {
  try {
    const { day, values } = parse(text);
    return { kind: "values", asOf: ecbMomentOf(day), digest, values };
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): DocumentFault {
  if (error instanceof Unsound) return { kind: "failed", code: error.code, message: error.message };
  const message = `The document is no well-formed XML: ${String(error).slice(0, 200)}`;
  return { kind: "failed", code: "XML_NOT_WELL_FORMED", message };
}

function parse(text: string): { readonly day: string; readonly values: readonly ObservedValue[] } {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const found: { day: string | undefined; values: ObservedValue[] } = {
    day: undefined,
    values: [],
  };
  let levels = 0;
  let attributes = 0;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Unsound("DTD_FORBIDDEN", "The document has a document type, which is not read.");
  });
  parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
    if (encoding.toUpperCase() === "UTF-8") return;
    throw new Unsound("ENCODING", "The document must be in UTF-8.");
  });
  parser.on("opentagstart", ({ name }) => {
    levels += 1;
    attributes = 0;
    if (levels > MOST_LEVELS) throw new Unsound("DEPTH", `It has more than ${MOST_LEVELS} levels.`);
    refuseLongName(name);
    if (levels === 1 && localName(name) !== ROOT) {
      throw new Unsound("UNKNOWN_MESSAGE", `Its root is not ${ROOT}: it has no reference rates.`);
    }
  });
  parser.on("attribute", ({ name }) => {
    attributes += 1;
    refuseLongName(name);
    if (attributes <= MOST_ATTRIBUTES) return;
    throw new Unsound("DEPTH", `An element has more than ${MOST_ATTRIBUTES} attributes.`);
  });
  parser.on("opentag", ({ name, attributes: given }) => {
    if (localName(name) === CUBE) readCube(found, given as Readonly<Record<string, string>>);
  });
  parser.on("closetag", () => {
    levels -= 1;
  });
  parser.write(text).close();
  const { day, values } = found;
  if (day === undefined || values.length === 0) {
    throw new Unsound("UNKNOWN_MESSAGE", "It has no Cube with a time and rates.");
  }
  return { day, values };
}

function readCube(
  found: { day: string | undefined; values: ObservedValue[] },
  { time, currency, rate }: Readonly<Record<string, string>>,
): void {
  if (time !== undefined) {
    if (found.day !== undefined) {
      throw new Unsound("UNKNOWN_MESSAGE", "It has several days; the daily document has one.");
    }
    if (!isCalendarDate(time)) throw new Unsound("UNKNOWN_MESSAGE", "Its time is no date.");
    found.day = time;
  }
  if (currency === undefined) return;
  if (!/^[A-Z]{3}$/.test(currency) || found.day === undefined) {
    throw new Unsound(
      "UNKNOWN_MESSAGE",
      "It has a rate without a currency of three letters or a day.",
    );
  }
  if (currency === BASE || found.values.some(({ quote }) => quote === currency)) {
    throw new Unsound("UNKNOWN_MESSAGE", `It has ${currency} twice.`);
  }
  if (found.values.length >= MOST_RATES) {
    throw new Unsound("UNKNOWN_MESSAGE", `It has more than ${MOST_RATES} currencies.`);
  }
  found.values.push({ base: BASE, quote: currency, value: rate });
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function refuseLongName(name: string): void {
  if (name.length <= LONGEST_NAME) return;
  throw new Unsound("DEPTH", `It has a name of more than ${LONGEST_NAME} characters.`);
}
