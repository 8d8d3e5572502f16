/**
 * Reads the records of a CSV file like the server: RFC 4180 quotes, lines that end in CR LF or LF, an optional byte order mark, empty
 * lines skipped. The file is read in pieces. At most one record of `LONGEST_RECORD` characters is kept in memory, which also bounds a
 * quote that is never closed.
 */

/** Stops the reading of an invalid file. */
export class CsvFault extends Error {
  readonly says: "import.csv.notUtf8" | "import.csv.badQuotes" | "import.csv.tooLong";
  constructor(says: CsvFault["says"]) {
    super(`the file is no table: ${says}`);
    this.says = says;
  }
}

const LONGEST_RECORD = 256 * 1024;
const QUOTE = 0x22;
const LF = 0x0a;

export async function* recordsOf(file: Blob): AsyncGenerator<readonly string[]> {
  let text = "";
  let looked = 0;
  let isQuoted = false;
  for await (const piece of piecesOf(file)) {
    text += piece;
    let from = 0;
    for (; looked < text.length; looked++) {
      const character = text.charCodeAt(looked);
      // A quote inside quotes is doubled, so an odd count of quotes means that the position is inside quotes.
      if (character === QUOTE) isQuoted = !isQuoted;
      if (character !== LF || isQuoted) continue;
      const line = withoutReturn(text.slice(from, looked));
      from = looked + 1;
      if (line !== "") yield cellsOf(line);
    }
    text = text.slice(from);
    looked = text.length;
    if (text.length > LONGEST_RECORD) throw new CsvFault("import.csv.tooLong");
  }
  const last = withoutReturn(text);
  if (last !== "") yield cellsOf(last);
}

/** Decodes the file in pieces. The decoder drops the byte order mark. */
async function* piecesOf(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield decode(decoder, value, !done);
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new CsvFault("import.csv.notUtf8");
  }
}

const withoutReturn = (line: string) => (line.endsWith("\r") ? line.slice(0, -1) : line);

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

function cellsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const match = CELL.exec(line);
    if (match === null) throw new CsvFault("import.csv.badQuotes");
    const [, quoted, bare = "", close] = match;
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (close === "") return cells;
  }
}

/** First characters that make a spreadsheet run a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** One CSV line. A cell that a spreadsheet would run gets an apostrophe in front, as in the server's exports. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
