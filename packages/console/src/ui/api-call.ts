/** The API call behind a page, in three languages. It names variables for credentials and never contains their values. */
const VERSION = "/2025-10-13";

function baseUrl(): string {
  return `${location.origin}${VERSION}`;
}

export function curlCall(method: string, path: string, body?: unknown): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(baseUrl() + path)}`,
    '-u "$FLORIN_CLIENT_ID:$FLORIN_CLIENT_SECRET"',
  ];
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d ${quoted(JSON.stringify(body))}`);
  }
  return lines.join(" \\\n  ");
}

/** Within single quotes a shell takes every character literally except the single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function typescriptCall(path: string): string {
  return [
    "const { FLORIN_CLIENT_ID, FLORIN_CLIENT_SECRET } = process.env;",
    'const pair = FLORIN_CLIENT_ID + ":" + FLORIN_CLIENT_SECRET;',
    `const answer = await fetch("${baseUrl()}${path}", {`,
    '  headers: { authorization: "Basic " + Buffer.from(pair).toString("base64") },',
    "});",
    "console.log(await answer.json());",
  ].join("\n");
}

export function pythonCall(path: string): string {
  return [
    "import base64, json, os, urllib.request",
    "",
    'pair = os.environ["FLORIN_CLIENT_ID"] + ":" + os.environ["FLORIN_CLIENT_SECRET"]',
    "request = urllib.request.Request(",
    `    "${baseUrl()}${path}",`,
    '    headers={"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()},',
    ")",
    "with urllib.request.urlopen(request) as answer:",
    "    print(json.load(answer))",
  ].join("\n");
}
