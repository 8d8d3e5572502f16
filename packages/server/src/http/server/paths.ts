import type { Method } from "../request/operation.ts";

export interface RoutedPath {
  readonly methods: readonly (Method | "HEAD")[];
  /** OpenAPI style, from the root. */
  readonly path: string;
}

/** `/customers/{customerId}` in the router's spelling. */
export function toRouterPath(path: string): string {
  return path.replaceAll("{", ":").replaceAll("}", "");
}

/** A GET answers HEAD as well; Node leaves the body out. */
export function routedMethods(method: Method): readonly (Method | "HEAD")[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/**
 * For requests that the router found nothing for: the methods that the path does take, as an `Allow` header, or
 * undefined when there is nothing at this path whatever the method.
 */
export function createAllowTable(
  routed: readonly RoutedPath[],
): (target: string) => string | undefined {
  const plain = methodsByPath(routed.filter(isPlain));
  const patterns = routed.map(({ methods, path }) => ({ methods, segments: path.split("/") }));
  return (target) => {
    const path = pathOf(target);
    const segments = path.split("/");
    const matching = patterns.filter((pattern) => matches(pattern.segments, segments));
    const allowed = plain.get(path) ?? new Set(matching.flatMap(({ methods }) => methods));
    return allowed.size === 0 ? undefined : [...allowed].sort().join(", ");
  };
}

/**
 * Paths without parameters, each with the methods that it does not take itself and that the router would look for at a
 * path with a parameter in that place: `/customers/internal-accounts` is no customer to delete.
 */
export function methodsToRefuse(routed: readonly RoutedPath[]): readonly RoutedPath[] {
  const refused = [...methodsByPath(routed.filter(isPlain))].map(([path, own]) => {
    const segments = path.split("/");
    const others = routed.filter((other) => matches(other.path.split("/"), segments));
    const methods = new Set(others.flatMap((other) => other.methods));
    return { path, methods: [...methods].filter((method) => !own.has(method)) };
  });
  return refused.filter(({ methods }) => methods.length > 0);
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
 * The path as the router reads it: behind an origin too, and however it is percent-encoded; a `%2F` parts nothing. What
 * cannot be decoded has been refused by then, whatever the method.
 */
function pathOf(target: string): string {
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
