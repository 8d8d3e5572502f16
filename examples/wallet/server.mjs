/**
 * The server of a shop whose customers have wallets. It serves a page and carries its calls to Florin: the credentials of the
 * platform stay here, the keys of the wallet stay in the browser.
 *
 *   CLIENT_ID=… CLIENT_SECRET=… node examples/wallet/server.mjs
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createClient, FlorinError } from "@florin/client";
import { createCalls, Wrong } from "./calls.mjs";

const {
  FLORIN_URL = "http://127.0.0.1:8080",
  CLIENT_ID,
  CLIENT_SECRET,
  PORT = "3000",
} = process.env;
if (CLIENT_ID === undefined || CLIENT_SECRET === undefined) {
  console.error("CLIENT_ID and CLIENT_SECRET must be those of a sandbox platform");
  process.exit(1);
}
const florin = createClient({
  baseUrl: `${FLORIN_URL}/2025-10-13`,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});
const calls = createCalls(florin);

const TYPES = { html: "text/html", css: "text/css", js: "text/javascript" };
const ownFiles = new URL("page/", import.meta.url);
/** The wallet module as it was built: a browser loads it as it is. */
const walletFiles = new URL(".", import.meta.resolve("@florin/client/wallet"));

async function serveFile(path, response) {
  const [, isWallet, name, extension] =
    /^\/(wallet\/)?([a-z0-9-]+)\.(html|css|js)$/.exec(path) ?? [];
  if (name === undefined) throw new Wrong(404, "There is nothing here.");
  const file = fileURLToPath(new URL(`${name}.${extension}`, isWallet ? walletFiles : ownFiles));
  const bytes = await readFile(file).catch(() => {
    throw new Wrong(404, "There is nothing here.");
  });
  response.writeHead(200, {
    "content-type": `${TYPES[extension]}; charset=utf-8`,
    "content-security-policy":
      "default-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
  });
  response.end(bytes);
}

/** Who is at the other end: in a shop of your own, whoever signed in to it. The oldest is forgotten when there are many. */
const visitors = new Map();
const MOST_VISITORS = 1_000;
const COOKIE = /(?:^|; )visitor=([0-9a-f]{64})(?:;|$)/;

function visitorOf(request, response) {
  const known = visitors.get(COOKIE.exec(request.headers.cookie ?? "")?.[1]);
  if (known !== undefined) return known;
  const name = randomBytes(32).toString("hex");
  const visitor = {};
  visitors.set(name, visitor);
  if (visitors.size > MOST_VISITORS) visitors.delete(visitors.keys().next().value);
  response.setHeader("set-cookie", `visitor=${name}; HttpOnly; SameSite=Strict; Path=/`);
  return visitor;
}

const MOST_BYTES = 100_000;

async function bodyOf(request) {
  // A form of another site cannot send this type.
  if (request.headers["content-type"] !== "application/json") throw new Wrong(415, "Send JSON.");
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST_BYTES) throw new Wrong(413, "That is too much.");
  }
  const body = parsed(text);
  if (typeof body !== "object" || body === null) throw new Wrong(400, "Send a JSON object.");
  return body;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the owner signed, on the second of two calls. */
function signatureOf({ headers }) {
  const { "request-id": requestId, "service-wallet-signature": stamp } = headers;
  return requestId === undefined || stamp === undefined ? undefined : { requestId, stamp };
}

async function answer(request, response) {
  const [pathname] = request.url.split("?");
  const call = calls[pathname];
  if (call === undefined) {
    return serveFile(pathname === "/" ? "/index.html" : pathname, response);
  }
  if (request.method !== "POST") throw new Wrong(405, "Use POST.");
  const visitor = visitorOf(request, response);
  const given = { body: await bodyOf(request), signature: signatureOf(request) };
  const made = await call(visitor, given);
  // Something to sign is told from something done by its status, as Florin does.
  response.writeHead(made?.payloadToSign === undefined ? 200 : 202, {
    "content-type": "application/json",
    "cache-control": "no-store",
  });
  response.end(JSON.stringify(made ?? {}));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    const isTold = error instanceof Wrong || error instanceof FlorinError;
    if (!isTold) console.error(error);
    response.writeHead(isTold && error.status >= 400 ? error.status : 500, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify({ message: isTold ? error.message : "Something went wrong." }));
  });
});
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`open http://localhost:${server.address().port}`);
});
