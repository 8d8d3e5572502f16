/**
 * Judges whether a statement names the platform of each table that it reads or writes, so that a distributed PostgreSQL runs it on the one
 * node that has the platform. The platform is named by `platform_id = $n` for the table itself, or for one that the statement joins it to by
 * `platform_id` in the same query. A subquery that takes the platform from a row of the query around it is run for the rows of every node.
 */

import { UNKNOWN } from "./composed-texts.ts";

export interface Unnamed {
  readonly table: string;
  readonly alias: string;
}

interface TableUse {
  readonly table: string;
  readonly alias: string;
  isNamed: boolean;
}

interface Query {
  readonly uses: TableUse[];
  /** Each is `[a, b]` for `a.platform_id = b.platform_id`; a parameter is `$`. */
  readonly equalities: (readonly [string, string])[];
}

const TOKEN =
  /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\d+|…|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d+)?|::|<>|<=|>=|\|\||->>|->|[^\s]/g;
const PLATFORM = "platform_id";
const PARAMETER = "$";

/** A word behind a table that is not its alias. */
const NO_ALIAS = new Set(
  (
    "where on using set select join left right full inner cross order group having limit offset for union except intersect " +
    "returning values natural lateral default with window fetch tablesample and or"
  ).split(" "),
);
const ENDS_TABLES = new Set(
  "where set select order group having limit offset returning values for".split(" "),
);
/** Before the parenthesis of a join; behind another word it has arguments or names of columns. */
const BEFORE_JOINS = new Set(["from", "join", ",", "("]);
const BETWEEN_QUERIES = new Set(["union", "except", "intersect"]);

/** The tables of the statement whose platform it does not name. `tables` are those of which each node has a part of the rows. */
export function unnamedTables(text: string, tables: ReadonlySet<string>): readonly Unnamed[] {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !token.startsWith("--"));
  const reader = new Reader(tokens.map(lower), tables);
  reader.read();
  return reader.queries
    .flatMap(judge)
    .filter(({ isNamed }) => !isNamed)
    .map(({ table, alias }) => ({ table, alias }));
}

const lower = (token: string) => (token.startsWith("'") ? token : token.toLowerCase());

class Reader {
  readonly queries: Query[] = [];
  readonly #tokens: readonly string[];
  readonly #tables: ReadonlySet<string>;
  #at = 0;

  constructor(tokens: readonly string[], tables: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#tables = tables;
  }

  /** Up to the closing parenthesis of this query, or the end. */
  read(): void {
    let query = this.#begin();
    let areTables = false;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#peek();
      if (token === ")") return;
      if (token === "(") {
        this.#at += 1;
        if (isPart(this.#peek())) this.read();
        else areTables = this.#parenthesis(query, areTables) && areTables;
      } else if (BETWEEN_QUERIES.has(token)) {
        query = this.#begin();
        areTables = false;
      } else if (token === "insert" && this.#peek(1) === "into") {
        this.#insert(query);
      } else if (this.#opensTables(token)) {
        areTables = true;
        this.#table(query);
      } else if (token === "," && areTables) {
        this.#table(query);
      } else if (ENDS_TABLES.has(token)) {
        areTables = false;
      } else {
        this.#equality(query);
      }
    }
  }

  /** Arguments, values or a join in parentheses, which belong to the query around them. */
  #parenthesis(query: Query, areTables: boolean): boolean {
    const isTable = BEFORE_JOINS.has(this.#peek(-2)) && this.#tables.has(this.#peek());
    // An unknown text in parentheses is a query, which is judged where it is composed.
    if (areTables && isTable && this.#peek() !== UNKNOWN) {
      this.#at -= 1;
      this.#table(query);
      this.#at += 1;
    }
    let areInside = areTables;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#peek();
      if (token === ")") return areTables;
      if (token === "(") {
        this.#at += 1;
        if (isPart(this.#peek())) this.read();
        else this.#parenthesis(query, false);
      } else if (areInside && (token === "join" || token === ",")) {
        this.#table(query);
      } else if (token === "where") {
        areInside = false;
      } else {
        this.#equality(query);
      }
    }
    return areTables;
  }

  #begin(): Query {
    const query: Query = { uses: [], equalities: [] };
    this.queries.push(query);
    return query;
  }

  #opensTables(token: string): boolean {
    if (token === "from") return this.#peek(-1) !== "distinct";
    if (token === "update") return !["do", "for", "no", "key"].includes(this.#peek(-1));
    return token === "join" || token === "using";
  }

  /** The table behind the current token, if it is one of those that are judged. */
  #table(query: Query): void {
    const next = ["lateral", "only"].includes(this.#peek(1)) ? 2 : 1;
    const table = this.#peek(next);
    if (!this.#tables.has(table) || this.#peek(next + 1) === "(") return;
    const behind = this.#peek(next + 1);
    const alias = behind === "as" ? this.#peek(next + 2) : behind;
    const isAlias = /^[a-z_]/.test(alias) && !NO_ALIAS.has(alias);
    query.uses.push({ table, alias: isAlias ? alias : table, isNamed: false });
    this.#at += next + (isAlias ? (behind === "as" ? 2 : 1) : 0);
  }

  /** `insert into t (platform_id, …) values ($1 …`, or `select $1 …`, or `select x.platform_id …` of a table that is judged itself. */
  #insert(query: Query): void {
    const table = this.#peek(2);
    this.#at += 2;
    if (!this.#tables.has(table)) return;
    const rest = this.#tokens.slice(this.#at + 1).join(" ");
    const columns = /^(?:as \w+ )?\( platform_id\b[^)]*\) /.exec(rest);
    const source = columns === null ? "" : rest.slice(columns[0].length);
    const isNamed =
      /^values \( \$\d/.test(source) ||
      /^(with .*?\) )?select (distinct )?\$\d/.test(source) ||
      /^select (distinct )?(\w+ \. )?platform_id\b/.test(source);
    query.uses.push({ table, alias: table, isNamed });
  }

  #equality(query: Query): void {
    const [left, length] = this.#place(0);
    if (left === undefined || this.#peek(length) !== "=") return;
    const [right] = this.#place(length + 1);
    if (right !== undefined && (left !== PARAMETER || right !== PARAMETER))
      query.equalities.push([left, right]);
  }

  /** The alias whose platform, or the parameter, that begins so many tokens from here, and its length. */
  #place(from: number): readonly [string | undefined, number] {
    const [first, second, third] = [this.#peek(from), this.#peek(from + 1), this.#peek(from + 2)];
    if (/^\$\d/.test(first)) {
      const isCast = second === "::" && third === "uuid";
      return [PARAMETER, isCast ? from + 3 : from + 1];
    }
    if (second === "." && third === PLATFORM) return [first, from + 3];
    if (first === PLATFORM && this.#peek(from - 1) !== ".") return ["", from + 1];
    return [undefined, from];
  }

  #peek(offset = 0): string {
    return this.#tokens[this.#at + offset] ?? "";
  }
}

function isPart(token: string): boolean {
  return ["select", "with", "update", "insert", "delete", "values"].includes(token);
}

/** Names the tables of a query whose platform equals the parameter, over any number of joins. */
function judge(query: Query): readonly TableUse[] {
  for (let changed = true; changed; ) {
    changed = false;
    for (const [left, right] of query.equalities) {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ] as const) {
        const use = own(query, one);
        if (use === undefined || use.isNamed || !isNamed(query, other)) continue;
        use.isNamed = true;
        changed = true;
      }
    }
  }
  return query.uses;
}

function own(query: Query, alias: string): TableUse | undefined {
  if (alias !== "") return query.uses.find((use) => use.alias === alias);
  return query.uses.find((use) => use.alias === use.table) ?? query.uses[0];
}

function isNamed(query: Query, alias: string): boolean {
  return alias === PARAMETER || own(query, alias)?.isNamed === true;
}
