/** Assigns each API object to the page that describes it: the first page with an operation that returns it. */
import {
  type ApiDocument,
  follow,
  isNode,
  type Operation,
  refOf,
  type Schema,
} from "./document.ts";
import { type Noun, nounHref } from "./nouns.ts";

export const ACCOUNT_TYPES = "AccountInfo";
export const ACCOUNT_TYPES_PATH = "/docs/reference/account-types";

export interface ObjectHomes {
  /** The address of an object's description, by its name. */
  readonly hrefs: ReadonlyMap<string, string>;
  /** The objects that a page describes, by the page's noun. */
  readonly byNoun: ReadonlyMap<string, readonly string[]>;
}

export function objectAnchor(name: string): string {
  return `object-${name}`;
}

export function findHomes(document: ApiDocument, nouns: readonly Noun[]): ObjectHomes {
  const hrefs = new Map<string, string>();
  if (ACCOUNT_TYPES in document.components.schemas) hrefs.set(ACCOUNT_TYPES, ACCOUNT_TYPES_PATH);
  const byNoun = new Map<string, string[]>();
  for (const noun of nouns) {
    const own: string[] = [];
    for (const name of noun.operations.flatMap((operation) =>
      answeredObjects(document, operation),
    )) {
      if (hrefs.has(name)) continue;
      hrefs.set(name, `${nounHref(noun)}#${objectAnchor(name)}`);
      own.push(name);
    }
    byNoun.set(noun.name, own);
  }
  return { hrefs, byNoun };
}

/** The objects that an operation returns, directly or at the top level of its answer. */
function answeredObjects(document: ApiDocument, operation: Operation): readonly string[] {
  return operation.answers.flatMap(({ content }) => {
    const schema = content?.["application/json"]?.schema;
    if (schema === undefined) return [];
    const own = refOf(schema);
    if (own !== undefined) return [own];
    const { properties } = follow(document, schema);
    return Object.values(isNode(properties) ? properties : {}).flatMap((member) => {
      const found = isNode(member) ? objectIn(member) : undefined;
      return found !== undefined && isObject(document, found) ? [found] : [];
    });
  });
}

function isObject(document: ApiDocument, name: string): boolean {
  return isNode(document.components.schemas[name]?.properties);
}

function objectIn(schema: Schema): string | undefined {
  return refOf(schema) ?? (isNode(schema.items) ? refOf(schema.items) : undefined);
}
