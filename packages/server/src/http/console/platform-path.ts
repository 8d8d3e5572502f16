/** Paths of the console's own operations at a platform, which stand beside those of the public API there. */

const AT_PLATFORM = "/p/{platformId}";

export function ofPlatform(path: string): string {
  return AT_PLATFORM + path;
}

/** The path below the platform; undefined for an operation that is about no platform. */
export function pathAtPlatform(path: string): string | undefined {
  return path.startsWith(`${AT_PLATFORM}/`) ? path.slice(AT_PLATFORM.length) : undefined;
}
