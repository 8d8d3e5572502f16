/** What a type of the client and a schema of the API have in common, so that one can be laid over the other. */

export interface Member {
  readonly isRequired: boolean;
  readonly shape: Shape;
}

export type Members = Readonly<Record<string, Member>>;

interface Kinds {
  /** `words` are all that it can be; with `isOpen`, or without words, it can be any text. */
  readonly text: { readonly words: readonly string[]; readonly isOpen: boolean };
  readonly number: object;
  readonly boolean: object;
  readonly file: object;
  readonly anything: object;
  /** No content, or null alone. */
  readonly nothing: object;
  readonly list: { readonly items: Shape };
  readonly record: { readonly values: Shape };
  /** With `isOpen`, members that are not named may be there. */
  readonly object: { readonly members: Members; readonly isOpen: boolean };
  readonly choice: { readonly variants: readonly Shape[] };
}

type OfKind<Kind extends keyof Kinds> = Kinds[Kind] & {
  readonly kind: Kind;
  readonly isNullable?: boolean;
  /** The schema's name, where it has one. */
  readonly name?: string;
};

export type Shape = { [Kind in keyof Kinds]: OfKind<Kind> }[keyof Kinds];

export function textOf(words: readonly string[], isOpen = words.length === 0): Shape {
  return { kind: "text", words, isOpen };
}

/** Each difference once, with where it is: from the nearest schema that has a name. */
export function differences(client: Shape, schema: Shape, at: string): readonly string[] {
  const here = schema.name === undefined ? at : `${at.split(" ")[0]} ${schema.name}`;
  const found: string[] = [];
  if ((client.isNullable ?? false) !== (schema.isNullable ?? false)) {
    found.push(`${here}: ${schema.isNullable === true ? "can" : "cannot"} be null`);
  }
  return [...found, ...differencesOfKind(client, schema, here)];
}

function differencesOfKind(client: Shape, schema: Shape, at: string): readonly string[] {
  if (schema.kind === "anything") return [];
  if (client.kind === "choice" && schema.kind === "choice") {
    return differencesOfVariants(client.variants, schema.variants, at);
  }
  if (client.kind === "choice") return differences(merged(client.variants), schema, at);
  if (schema.kind === "choice") return differences(client, merged(schema.variants), at);
  if (client.kind === "object" && schema.kind === "object") {
    return differencesOfMembers(client, schema, at);
  }
  if (client.kind === "list" && schema.kind === "list") {
    return differences(client.items, schema.items, `${at}[]`);
  }
  if (client.kind === "record" && schema.kind === "record") {
    return differences(client.values, schema.values, `${at}{}`);
  }
  if (client.kind === "text" && schema.kind === "text") {
    return differencesOfWords(client, schema, at);
  }
  return client.kind === schema.kind ? [] : [`${at}: is ${schema.kind}, not ${client.kind}`];
}

function differencesOfMembers(
  client: OfKind<"object">,
  schema: OfKind<"object">,
  at: string,
): readonly string[] {
  const found: string[] = [];
  for (const [name, wanted] of Object.entries(schema.members)) {
    const given = client.members[name];
    const here = `${at}.${name}`;
    if (given === undefined) {
      found.push(`${here}: is missing`);
      continue;
    }
    if (given.isRequired !== wanted.isRequired) {
      found.push(`${here}: is ${wanted.isRequired ? "required" : "optional"}`);
    }
    found.push(...differences(given.shape, wanted.shape, here));
  }
  if (schema.isOpen) return found;
  const unknown = Object.keys(client.members).filter((name) => !(name in schema.members));
  return [...found, ...unknown.map((name) => `${at}.${name}: does not exist`)];
}

/** A client's open list of words suggests; nothing is known about it where the schema takes any text. */
function differencesOfWords(
  client: OfKind<"text">,
  schema: OfKind<"text">,
  at: string,
): readonly string[] {
  if (schema.words.length === 0) return client.isOpen ? [] : [`${at}: is any text`];
  const lacking = schema.words.filter((word) => !client.words.includes(word));
  const superfluous = client.words.filter((word) => !schema.words.includes(word));
  return [
    ...lacking.map((word) => `${at}: can be ${word}`),
    ...superfluous.map((word) => `${at}: cannot be ${word}`),
  ];
}

/** As many on both sides are compared one by one, each with the one that is most like it. */
function differencesOfVariants(
  client: readonly Shape[],
  schema: readonly Shape[],
  at: string,
): readonly string[] {
  if (client.length !== schema.length) return differences(merged(client), merged(schema), at);
  const left = [...client];
  return schema.flatMap((wanted) => {
    const all = left.map((given) => differences(given, wanted, at));
    const least = Math.min(...all.map((some) => some.length));
    const best = all.findIndex((some) => some.length === least);
    left.splice(best, 1);
    return all[best] ?? [];
  });
}

/** One shape for all: a member is required when it is in each of them. */
export function merged(shapes: readonly Shape[]): Shape {
  const [first, ...rest] = shapes;
  if (first === undefined) return { kind: "nothing" };
  return rest.reduce(mergedPair, plain(first));
}

function plain(shape: Shape): Shape {
  return shape.kind === "choice" ? merged(shape.variants) : shape;
}

function mergedPair(one: Shape, other: Shape): Shape {
  const [a, b] = [plain(one), plain(other)];
  const isNullable = a.isNullable === true || b.isNullable === true;
  if (a.kind === "text" && b.kind === "text") {
    const isAny = a.words.length === 0 || b.words.length === 0;
    const words = isAny ? [] : [...new Set([...a.words, ...b.words])];
    return { kind: "text", words, isOpen: a.isOpen || b.isOpen, isNullable };
  }
  if (a.kind === "object" && b.kind === "object") {
    const members = mergedMembers(a.members, b.members);
    return { kind: "object", members, isOpen: a.isOpen || b.isOpen, isNullable };
  }
  if (a.kind === "list" && b.kind === "list") {
    return { kind: "list", items: mergedPair(a.items, b.items), isNullable };
  }
  if (a.kind !== b.kind) throw new Error(`${a.kind} and ${b.kind} are no one shape`);
  return { ...a, isNullable };
}

function mergedMembers(a: Members, b: Members): Members {
  const all = new Map<string, Member>();
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[name], b[name]];
    const either = one ?? other;
    if (either === undefined) continue;
    if (one === undefined || other === undefined) {
      all.set(name, { isRequired: false, shape: either.shape });
      continue;
    }
    const isRequired = one.isRequired && other.isRequired;
    all.set(name, { isRequired, shape: mergedPair(one.shape, other.shape) });
  }
  return Object.fromEntries(all);
}
