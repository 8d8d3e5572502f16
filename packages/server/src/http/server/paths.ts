import type { Method } from "../request/operation.ts";

export interface RoutedPath {
  readonly methods: readonly (Method | "HEAD")[];
  /** The path from the root, in OpenAPI style. */
  readonly path: string;
}

/** `/customers/{customerId}` in the syntax of the router. */
export function toRouterPath(path: string): string {
  return path.replaceAll("{", ":").replaceAll("}", "");
}

/** A GET route answers HEAD as well; Node omits the body. */
export function routedMethods(method: Method): readonly (Method | "HEAD")[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** For requests without a route: the methods of the path as an `Allow` header, or undefined when the path has none. */
export function createAllowTable(
  routed: readonly RoutedPath[],
): (target: string) => string | undefined {
  const plain = methodsByPath(routed.filter(isPlain));
  const patterns = patternsOf(routed);
  return (target) => {
    const path = pathOf(target);
    const segments = path.split("/");
    const matching = patterns.filter((pattern) => matches(pattern.segments, segments));
    const allowed = plain.get(path) ?? new Set(matching.flatMap(({ methods }) => methods));
    return allowed.size === 0 ? undefined : [...allowed].sort().join(", ");
  };
}

/**
 * Static paths, each with the methods that only a parameterised path at the same place supports. They must be refused,
 * or the router would read `DELETE /customers/internal-accounts` as the deletion of a customer.
 */
export function methodsToRefuse(routed: readonly RoutedPath[]): readonly RoutedPath[] {
  const patterns = patternsOf(routed);
  const refused = [...methodsByPath(routed.filter(isPlain))].map(([path, own]) => {
    const segments = path.split("/");
    const others = patterns.filter((other) => matches(other.segments, segments));
    const methods = new Set(others.flatMap((other) => other.methods));
    return { path, methods: [...methods].filter((method) => !own.has(method)) };
  });
  return refused.filter(({ methods }) => methods.length > 0);
}

function patternsOf(routed: readonly RoutedPath[]) {
  return routed.map(({ methods, path }) => ({ methods, segments: path.split("/") }));
}

function isPlain({ path }: RoutedPath): boolean {
  return !path.includes("{");
}

function methodsByPath(routed: readonly RoutedPath[]) {
  const byPath = new Map<string, Set<RoutedPath["methods"][number]>>();
  for (const { path, methods } of routed) {
    byPath.set(path, new Set([...(byPath.get(path) ?? []), ...methods]));
  }
  return byPath;
}

const ORIGIN = /^https?:\/\/[^/?#]+/i;

/**
 * The path as the router reads it: without an origin, percent-decoded except for `%2F`. A path that cannot be decoded
 * was refused before.
 */
export function pathOf(target: string): string {
  const [path = ""] = target.replace(ORIGIN, "").split(/[?#]/, 1);
  return decodeURI(path);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index];
    return part.startsWith("{") ? segment !== "" : part === segment;
  });
}
