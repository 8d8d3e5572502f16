/**
 * The texts of SQL in the sources, composed as the program composes them: constants of other files, templates, concatenations and small
 * functions are evaluated. What is known at run time alone becomes `…`.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { isNode, linesOf, type Node, programOf } from "../syntax.ts";

export interface ComposedText {
  readonly path: string;
  readonly line: number;
  /** The innermost object member whose value it is. */
  readonly member: string | undefined;
  readonly text: string;
}

/** What a name stands for, and where it is read. */
interface Bound {
  readonly node: Node;
  readonly scope: Scope;
}

/** A file and the arguments of the functions that are being evaluated in it. */
interface Scope {
  readonly file: SourceFile;
  readonly bindings: ReadonlyMap<string, Bound>;
}

interface Declared {
  readonly name: string;
  readonly value: Node | undefined;
  /** The extent in which the name is known. */
  readonly start: number;
  readonly end: number;
}

interface SourceFile {
  readonly path: string;
  readonly program: Node;
  readonly declared: readonly Declared[];
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  lineAt(offset: number): number;
}

export const UNKNOWN = "…";
/** A call within a call, and so on: no statement is composed deeper. */
const DEEPEST = 24;
/** A text with more conditional parts is composed from the first alternatives. */
const MOST_ALTERNATIVES = 8;

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);
const WRAPPERS: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "ParenthesizedExpression",
]);

/** Every text of the files that is not a part of another one. */
export function composedTexts(paths: readonly string[]): readonly ComposedText[] {
  const composer = new Composer();
  return paths.flatMap((path) => composer.candidatesOf(path)).filter(composer.isWhole);
}

interface Candidate extends ComposedText {
  readonly node: Node;
}

class Composer {
  readonly #files = new Map<string, SourceFile>();
  readonly #parts = new Set<Node>();
  #depth = 0;

  readonly isWhole = ({ node }: Candidate) => !this.#parts.has(node);

  candidatesOf(path: string): readonly Candidate[] {
    const file = this.#file(path);
    const scope: Scope = { file, bindings: new Map() };
    const found: Candidate[] = [];
    const see = (value: unknown, member: string | undefined): void => {
      if (Array.isArray(value)) {
        for (const item of value) see(item, member);
      } else if (isNode(value)) {
        if (value.type === "ImportDeclaration") return;
        if (isText(value) || (value.type === "CallExpression" && member === "text")) {
          const texts = this.#textsOf(value, scope, value);
          const line = file.lineAt(value.start);
          found.push(...texts.map((text) => ({ path, line, member, text, node: value })));
        }
        const inside = value.type === "Property" ? nameOf(value.key) : member;
        for (const part of Object.values(value)) see(part, inside);
      }
    };
    see(file.program, undefined);
    return found;
  }

  /** The alternatives of a text; all nodes but `whole` are parts of another one from now on. */
  #textsOf(node: Node, scope: Scope, whole?: Node): readonly string[] {
    if (this.#depth > DEEPEST) return [UNKNOWN];
    this.#depth += 1;
    try {
      if (isText(node) && node !== whole) this.#parts.add(node);
      return this.#alternativesOf(node, scope).slice(0, MOST_ALTERNATIVES);
    } finally {
      this.#depth -= 1;
    }
  }

  #alternativesOf(node: Node, scope: Scope): readonly string[] {
    if (WRAPPERS.has(node.type)) return this.#textsOf(child(node, "expression"), scope);
    switch (node.type) {
      case "Literal":
        return [typeof node.value === "object" ? UNKNOWN : String(node.value)];
      case "TemplateLiteral":
        return this.#templateOf(node, scope);
      case "BinaryExpression": {
        if (node.operator !== "+") return [UNKNOWN];
        const right = this.#textsOf(child(node, "right"), scope);
        return this.#textsOf(child(node, "left"), scope).flatMap((left) =>
          right.map((rest) => left + rest),
        );
      }
      case "ConditionalExpression":
        return [
          ...this.#textsOf(child(node, "consequent"), scope),
          ...this.#textsOf(child(node, "alternate"), scope),
        ];
      case "CallExpression": {
        const joined = this.#joined(node, scope);
        if (joined !== undefined) return [joined];
      }
    }
    const value = this.#valueOf(node, scope);
    return value === undefined || value.node === node
      ? [UNKNOWN]
      : this.#textsOf(value.node, value.scope);
  }

  #templateOf(node: Node, scope: Scope): readonly string[] {
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
    const parts = (node.expressions as readonly Node[]).map((part) => this.#textsOf(part, scope));
    let texts: readonly string[] = [quasis[0]?.value.cooked ?? ""];
    for (const [index, alternatives] of parts.entries()) {
      const after = quasis[index + 1]?.value.cooked ?? "";
      texts = texts
        .flatMap((text) => alternatives.map((part) => text + part + after))
        .slice(0, MOST_ALTERNATIVES);
    }
    return texts;
  }

  /** `[…].join(" ")` */
  #joined(call: Node, scope: Scope): string | undefined {
    const callee = child(call, "callee");
    if (callee.type !== "MemberExpression" || nameOf(callee.property) !== "join") return undefined;
    const [separator] = call.arguments as readonly Node[];
    const between = separator === undefined ? "," : (this.#textsOf(separator, scope)[0] ?? "");
    const elements = this.#elementsOf(child(callee, "object"), scope);
    return elements
      .map(({ node, scope: its }) => this.#textsOf(node, its)[0] ?? UNKNOWN)
      .join(between);
  }

  /** Of an array or of what `map` makes of one; one unknown element when the array is not known. */
  #elementsOf(node: Node, scope: Scope): readonly Bound[] {
    const unknown: Bound = { node: UNKNOWN_NODE, scope };
    if (node.type === "ConditionalExpression")
      return this.#elementsOf(child(node, "consequent"), scope);
    const value = this.#valueOf(node, scope);
    if (value === undefined) return [unknown];
    if (value.node.type === "ArrayExpression") {
      return (value.node.elements as readonly (Node | null)[]).flatMap((element) => {
        if (element === null) return [];
        if (element.type === "SpreadElement")
          return this.#elementsOf(child(element, "argument"), value.scope);
        return [{ node: element, scope: value.scope }];
      });
    }
    if (value.node.type === "ConditionalExpression")
      return this.#elementsOf(value.node, value.scope);
    if (value.node.type !== "CallExpression") return [unknown];
    const callee = child(value.node, "callee");
    const [work] = value.node.arguments as readonly Node[];
    if (nameOf(callee.property) !== "map" || work === undefined) return [unknown];
    return this.#elementsOf(child(callee, "object"), value.scope).flatMap((element) => {
      const mapped = this.#called({ node: work, scope: value.scope }, [element]);
      return mapped === undefined ? [unknown] : [mapped];
    });
  }

  /** Follows names, members and calls to the node that makes the value. */
  #valueOf(node: Node, scope: Scope): Bound | undefined {
    if (this.#depth > DEEPEST) return undefined;
    this.#depth += 1;
    try {
      return this.#followed(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #followed(node: Node, scope: Scope): Bound | undefined {
    if (WRAPPERS.has(node.type)) return this.#valueOf(child(node, "expression"), scope);
    switch (node.type) {
      case "Identifier": {
        const named = this.#named(node, scope);
        return named === undefined ? undefined : this.#valueOf(named.node, named.scope);
      }
      case "MemberExpression": {
        const object = this.#valueOf(child(node, "object"), scope);
        return object === undefined ? undefined : this.#member(object, nameOf(node.property));
      }
      case "CallExpression": {
        const callee = this.#valueOf(child(node, "callee"), scope);
        if (callee === undefined) return { node, scope };
        const given = (node.arguments as readonly Node[]).map((argument) => ({
          node: argument,
          scope,
        }));
        const result = this.#called(callee, given);
        return result === undefined ? undefined : this.#valueOf(result.node, result.scope);
      }
      default:
        return { node, scope };
    }
  }

  /** What a function returns at its end. */
  #called({ node, scope }: Bound, given: readonly Bound[]): Bound | undefined {
    if (!FUNCTIONS.has(node.type)) return undefined;
    const bindings = new Map(scope.bindings);
    for (const [index, parameter] of (node.params as readonly Node[]).entries()) {
      for (const name of namesIn(parameter)) bindings.delete(name);
      const value = given[index];
      if (value === undefined) continue;
      for (const [name, its] of boundBy(parameter, value.node))
        if (its !== undefined) bindings.set(name, { node: its, scope: value.scope });
    }
    const body = child(node, "body");
    const inside: Scope = { file: scope.file, bindings };
    if (body.type !== "BlockStatement") return { node: body, scope: inside };
    const last = (body.body as readonly Node[]).findLast(({ type }) => type === "ReturnStatement");
    return isNode(last?.argument) ? { node: last.argument, scope: inside } : undefined;
  }

  /** Of an object literal, or of one that it spreads. */
  #member({ node, scope }: Bound, name: string | undefined): Bound | undefined {
    if (node.type !== "ObjectExpression" || name === undefined) return undefined;
    for (const property of (node.properties as readonly Node[]).toReversed()) {
      if (property.type === "Property" && nameOf(property.key) === name)
        return this.#valueOf(child(property, "value"), scope);
      if (property.type !== "SpreadElement") continue;
      const spread = this.#valueOf(child(property, "argument"), scope);
      const found = spread === undefined ? undefined : this.#member(spread, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #named(node: Node, scope: Scope): Bound | undefined {
    const name = nameOf(node) ?? "";
    const { file } = scope;
    const [nearest] = file.declared
      .filter((each) => each.name === name && each.start <= node.start && node.end <= each.end)
      .toSorted((a, b) => a.end - a.start - (b.end - b.start));
    if (nearest !== undefined)
      return nearest.value === undefined
        ? scope.bindings.get(name)
        : { node: nearest.value, scope };
    const imported = file.imports.get(name);
    if (imported === undefined) return undefined;
    const there = this.#file(imported.path);
    const declared = there.declared.find(
      (each) => each.name === imported.name && each.start === there.program.start,
    );
    return declared?.value === undefined
      ? undefined
      : { node: declared.value, scope: { file: there, bindings: new Map() } };
  }

  #file(path: string): SourceFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = readSource(path);
      this.#files.set(path, file);
    }
    return file;
  }
}

const UNKNOWN_NODE: Node = { type: "Unknown", start: 0, end: 0 };

function isText({ type, value, operator }: Node): boolean {
  return (
    (type === "Literal" && typeof value === "string") ||
    type === "TemplateLiteral" ||
    (type === "BinaryExpression" && operator === "+")
  );
}

function readSource(path: string): SourceFile {
  const source = readFileSync(path, "utf8");
  const program = programOf(source);
  const declared: Declared[] = [];
  const imports = new Map<string, { path: string; name: string }>();
  const see = (value: unknown, extent: Node): void => {
    if (Array.isArray(value)) {
      for (const item of value) see(item, extent);
    } else if (isNode(value)) {
      declare(value, extent);
      const inside = value.type === "BlockStatement" || FUNCTIONS.has(value.type) ? value : extent;
      for (const part of Object.values(value)) see(part, inside);
    }
  };
  const declare = (node: Node, extent: Node) => {
    const { start, end } = extent;
    if (node.type === "VariableDeclarator") {
      const value = isNode(node.init) ? node.init : undefined;
      for (const [name, its] of boundBy(node.id, value))
        declared.push({ name, value: its, start, end });
    } else if (node.type === "ImportDeclaration") {
      addImports(node, { path, imports });
    }
    if (!FUNCTIONS.has(node.type)) return;
    const own = nameOf(node.id);
    if (own !== undefined) declared.push({ name: own, value: node, start, end });
    for (const parameter of node.params as readonly Node[])
      for (const name of namesIn(parameter))
        declared.push({ name, value: undefined, start: node.start, end: node.end });
  };
  see(program, program);
  return { path, program, declared, imports, lineAt: linesOf(source) };
}

function addImports(
  node: Node,
  { path, imports }: { path: string; imports: Map<string, { path: string; name: string }> },
): void {
  const from = (node.source as { readonly value: string }).value;
  if (!from.startsWith(".")) return;
  for (const specifier of node.specifiers as readonly Node[]) {
    const local = nameOf(specifier.local);
    const name = nameOf(specifier.imported);
    if (local !== undefined && name !== undefined)
      imports.set(local, { path: normalize(join(dirname(path), from)), name });
  }
}

/** The names that a pattern binds, each to the value or to a member of it. */
function boundBy(
  pattern: unknown,
  value: Node | undefined,
): readonly (readonly [string, Node | undefined])[] {
  const name = nameOf(pattern);
  if (name !== undefined) return [[name, value]];
  if (!isNode(pattern) || pattern.type !== "ObjectPattern") return [];
  return (pattern.properties as readonly Node[]).flatMap(({ type, key, value: local }) => {
    const its = nameOf(local);
    if (type !== "Property" || its === undefined || value === undefined) return [];
    const { start, end } = value;
    return [[its, { type: "MemberExpression", object: value, property: key, start, end }] as const];
  });
}

/** The names that a parameter binds. */
function namesIn(pattern: unknown): readonly string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesIn);
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [nameOf(pattern) ?? ""];
  if (pattern.type === "Property") return namesIn(pattern.value);
  return [pattern.properties, pattern.elements, pattern.left, pattern.argument].flatMap(namesIn);
}

function nameOf(node: unknown): string | undefined {
  return (node as { readonly name?: string } | null | undefined)?.name;
}

function child(node: Node, member: string): Node {
  return node[member] as Node;
}
