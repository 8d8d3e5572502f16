import type { StreamedAnswer } from "./operation.ts";

/** An answer that the caller saves as a file; `body` yields it piece by piece. */
export function fileAnswer(
  name: string,
  contentType: string,
  body: StreamedAnswer["body"],
): StreamedAnswer {
  const headers = ["Content-Disposition", `attachment; filename="${name}"`];
  return { status: 200, contentType, headers, body };
}
