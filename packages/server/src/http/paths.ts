import type { Method } from "./operation.ts";

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
  const patterns = routed.map(({ methods, path }) => ({ methods, segments: path.split("/") }));
  return (target) => {
    const segments = pathOf(target).split("/");
    const allowed = new Set<string>();
    for (const pattern of patterns) {
      if (!matches(pattern.segments, segments)) continue;
      for (const method of pattern.methods) allowed.add(method);
    }
    return allowed.size === 0 ? undefined : [...allowed].sort().join(", ");
  };
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
