import { createHash } from "node:crypto";

export interface PageSources {
  readonly styles: readonly string[];
  readonly script?: string | undefined;
  /** Whether it shows images of this server. */
  readonly hasImages?: boolean;
  readonly formAction: "'none'" | "'self'";
}

/** The Content-Security-Policy of a page: its own styles and its own script by their hashes; no framing. */
export function pagePolicy({ styles, script, hasImages = false, formAction }: PageSources): string {
  return [
    "default-src 'none'",
    `style-src ${styles.map(hashOf).join(" ")}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    ...(hasImages ? ["img-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
