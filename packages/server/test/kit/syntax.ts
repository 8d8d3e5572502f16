/** Parses sources for the tests that judge them: extents of functions, and string literals. */
import { parseSync } from "vite";

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface FoundFunction {
  readonly line: number;
  /** Lines from the name to the closing brace. */
  readonly length: number;
}

export interface FoundText {
  readonly line: number;
  /** For a template, the text without expressions. */
  readonly text: string;
  /** The innermost object member whose value contains it. */
  readonly member: string | undefined;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

/** All functions, with methods, accessors, arrow functions and nested ones. */
export function functionsIn(source: string, path?: string): readonly FoundFunction[] {
  const found: FoundFunction[] = [];
  const lineAt = linesOf(source);
  visit(programOf(source, path), (node) => {
    if (!FUNCTIONS.has(node.type)) return;
    const line = lineAt(node.start);
    found.push({ line, length: lineAt(node.end) - line + 1 });
  });
  return found;
}

export function textsIn(source: string): readonly FoundText[] {
  const found: FoundText[] = [];
  const lineAt = linesOf(source);
  visit(programOf(source), (node, member) => {
    const text = textOf(node);
    if (text !== undefined) found.push({ line: lineAt(node.start), text, member });
  });
  return found;
}

/** Attributes whose values a person reads. */
const READ_ATTRIBUTES = new Set(["aria-label", "title", "placeholder", "alt", "label"]);

/** Words between tags, and in attributes that a person reads. Signs and digits are no words. */
export function wordsInMarkup(
  source: string,
  path: string,
): readonly Pick<FoundText, "line" | "text">[] {
  const found: Pick<FoundText, "line" | "text">[] = [];
  const lineAt = linesOf(source);
  visit(programOf(source, path), (node) => {
    const text = shownText(node);
    if (text !== undefined && /\p{L}{2,}/u.test(text)) {
      found.push({ line: lineAt(node.start), text: text.trim() });
    }
  });
  return found;
}

function shownText(node: Node): string | undefined {
  if (node.type === "JSXText") return String(node.value);
  if (node.type !== "JSXAttribute") return undefined;
  const { name, value } = node as unknown as {
    readonly name: { readonly name: unknown };
    readonly value: { readonly type: string; readonly value: unknown } | null;
  };
  const isRead = READ_ATTRIBUTES.has(String(name.name)) && value?.type === "Literal";
  return isRead ? String(value.value) : undefined;
}

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join("…");
}

/** The name of a file says whether it has markup. */
export function programOf(source: string, path = "source.ts"): Node {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return program as unknown as Node;
}

type Visitor = (node: Node, member: string | undefined) => void;

function visit(value: unknown, see: Visitor, member?: string): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see, member);
  } else if (isNode(value)) {
    see(value, member);
    const inside = value.type === "Property" ? nameOf(value) : member;
    for (const part of Object.values(value)) visit(part, see, inside);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function nameOf({ key }: Node): string | undefined {
  return (key as { readonly name?: string }).name;
}

export function linesOf(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => ends.filter((end) => end < offset).length + 1;
}
