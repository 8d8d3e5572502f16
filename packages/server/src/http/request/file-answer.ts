import type { StreamedAnswer } from "./operation.ts";

/** The answer that is saved as a file: `body` makes it piece by piece. */
export function fileAnswer(
  name: string,
  contentType: string,
  body: StreamedAnswer["body"],
): StreamedAnswer {
  const headers = ["Content-Disposition", `attachment; filename="${name}"`];
  return { status: 200, contentType, headers, body };
}
