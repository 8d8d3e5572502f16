import { fileNameOf, type SampleCall } from "./sample-call.ts";

export function curlSample(call: SampleCall): string {
  const { operation, url, json, form, takesKey, isText } = call;
  const { method } = operation;
  const lines = [
    `curl ${isText ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
  ];
  if (operation.caller === "TOKEN") lines.push('-u "$FLORIN_CLIENT_ID:$FLORIN_CLIENT_SECRET"');
  if (operation.caller === "AGENT") lines.push('-H "Authorization: Bearer $FLORIN_AGENT_TOKEN"');
  if (takesKey) lines.push(`-H 'Idempotency-Key: ${keyOf(operation.id)}'`);
  if (form !== undefined) {
    for (const [name, value] of Object.entries(form))
      lines.push(`-F ${quoted(`${name}=${value}`)}`);
    lines.push(`-F file=@${fileNameOf(call)}`);
  }
  if (json !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d ${quoted(JSON.stringify(json, null, 2))}`);
  }
  return lines.join(" \\\n  ");
}

/** A different idempotency key for each operation, because the server refuses one key with two requests. */
function keyOf(operationId: string): string {
  return `${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-1`;
}

/** Within single quotes a shell takes every character literally except the single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
