import { createHash } from "node:crypto";

/** The Content-Security-Policy of a page: its own style by hash; no script, no image, no framing. */
export function pagePolicy(style: string, formAction: "'none'" | "'self'"): string {
  const digest = createHash("sha256").update(style).digest("base64");
  return (
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action ${formAction}; ` +
    "frame-ancestors 'none'"
  );
}
