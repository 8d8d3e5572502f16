import { describe, expect, it } from "vitest";
import { checkFile, MOST_BYTES, MOST_COLUMNS, ROWS_CHECKED } from "./check-file.ts";

const HEADER = [
  "umaAddress",
  "platformCustomerId",
  "customerType",
  "fullName",
  "birthDate",
  "addressLine1",
  "city",
  "state",
  "postalCode",
  "country",
];
const GOOD = "$ana@x.test,ana-1,INDIVIDUAL,Ana Ruiz,1990-01-31,1 Main St,Reno,NV,89501,US";

const check = (...lines: readonly string[]) => checkFile(new Blob([lines.join("\n")]));
const withCell = (name: string, cell: string) =>
  GOOD.split(",")
    .map((was, at) => (HEADER[at] === name ? cell : was))
    .join(",");

describe("a file whose columns are right", () => {
  it("has no fault, and its first rows are looked at", async () => {
    const rows = Array.from({ length: ROWS_CHECKED + 5 }, () => GOOD);
    const checked = await check(HEADER.join(","), ...rows);
    expect(checked).toMatchObject({ header: HEADER, fatal: [], refused: [], unknown: [] });
    expect(checked.rows).toHaveLength(ROWS_CHECKED);
  });

  it("names columns that are passed over, also those that objects have by themselves", async () => {
    const checked = await check(`${HEADER.join(",")},notes,constructor`, GOOD);
    expect(checked.fatal).toEqual([]);
    expect(checked.unknown).toEqual(["notes", "constructor"]);
  });

  it.each([
    ["customerType", "PERSON", "import.cellChoice"],
    ["fullName", "", "import.cellMissing"],
    ["fullName", "x".repeat(256), "import.cellTooLong"],
    ["fullName", " ", "import.cellWrong"],
    ["birthDate", "31.1.1990", "import.cellWrong"],
    ["country", "usa", "import.cellWrong"],
  ])("has a row whose %s is %j", async (column, cell, says) => {
    const { refused } = await check(HEADER.join(","), GOOD, withCell(column, cell));
    expect(refused).toMatchObject([{ line: 2, column, says }]);
  });

  it("counts a character of two code units as one", async () => {
    const { refused } = await check(HEADER.join(","), withCell("fullName", "🏦".repeat(255)));
    expect(refused).toEqual([]);
  });

  it("asks a business for other cells than a person", async () => {
    const columns = [...HEADER, "businessLegalName"];
    const business = `$b@x.test,b-1,BUSINESS,,,1 Main St,Reno,NV,89501,US`;
    const { refused } = await check(columns.join(","), `${business},Acme`, `${business},`);
    expect(refused).toMatchObject([{ line: 2, column: "businessLegalName" }]);
  });

  it("has a row with more cells than columns", async () => {
    const { refused } = await check(HEADER.join(","), `${GOOD},more`);
    expect(refused).toMatchObject([{ line: 1, says: "import.tooManyCells" }]);
  });
});

describe("a file of which nothing can be imported", () => {
  it.each([
    ["", "import.empty"],
    [HEADER.join(","), "import.noRows"],
    [`${HEADER.join(",")},city\n${GOOD},Reno`, "import.columnTwice"],
    [`${HEADER.slice(1).join(",")}\n${GOOD}`, "import.columnMissing"],
    [`${HEADER.join(",")}\n"a"b,c`, "import.csv.badQuotes"],
    [`${HEADER.join(",")}${",x".repeat(MOST_COLUMNS)}\n${GOOD}`, "import.tooManyColumns"],
  ])("%j", async (text, says) => {
    const { fatal, refused } = await check(text);
    expect(fatal).toMatchObject([{ says }]);
    expect(refused).toEqual([]);
  });

  it("is not read when it is too large", async () => {
    const file = Object.assign(new Blob(["a"]), { stream: () => expect.unreachable() });
    Object.defineProperty(file, "size", { value: MOST_BYTES + 1 });
    expect((await checkFile(file)).fatal).toMatchObject([{ says: "import.tooLarge" }]);
  });
});
