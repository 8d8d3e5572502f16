import { createHash } from "node:crypto";

/** What a page of ours may do: show its own style, known by its hash. No script, no picture, no frame around it. */
export function pagePolicy(style: string, formAction: "'none'" | "'self'"): string {
  const digest = createHash("sha256").update(style).digest("base64");
  return (
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action ${formAction}; ` +
    "frame-ancestors 'none'"
  );
}
