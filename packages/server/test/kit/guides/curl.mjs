/**
 * The part of curl that the guides use, for machines that have Node alone. An option that is not listed here ends with 2, so a
 * guide cannot rely on one that was never tried. Each call is appended to the file of GUIDE_CALLS: status, method, URL and, of a
 * refusal, the answer.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { request } from "node:http";

class Wrong extends Error {}

const FLAGS = { s: "silent", S: "show-error", i: "include" };
const OPTIONS = { u: "user", H: "header", d: "data", F: "form", X: "request" };

function readArguments(words) {
  const given = { urls: [], header: [], data: [], form: [] };
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word.startsWith("-")) readOption(given, word, queue);
    else given.urls.push(word);
  }
  if (given.urls.length !== 1) throw new Wrong(`one URL is expected, not ${given.urls.length}`);
  // curl takes these for a range or a list of URLs.
  if (/[[\]{}]/.test(given.urls[0])) throw new Wrong("the URL has brackets or braces");
  return given;
}

/** Letters of one word belong together: `-sSu name:password`. */
function readOption(given, word, queue) {
  for (let at = 1; at < word.length || at === 1; at++) {
    const letter = word[at];
    if (letter in FLAGS) given[FLAGS[letter]] = true;
    else if (letter in OPTIONS) {
      const name = OPTIONS[letter];
      const rest = word.slice(at + 1);
      const value = rest === "" ? queue.shift() : rest;
      if (value === undefined) throw new Wrong(`option -${letter} needs a value`);
      if (Array.isArray(given[name])) given[name].push(value);
      else given[name] = value;
      return;
    } else throw new Wrong(`option ${word} is not known here`);
  }
}

/** `-d @file` leaves out the file's line ends. */
function dataOf(value) {
  if (!value.startsWith("@")) return value;
  return readFileSync(value.slice(1), "utf8").replaceAll(/[\r\n]/g, "");
}

const BOUNDARY = "a-form-of-a-guide";

/** `-F name=value` and `-F name=@file`. */
function formOf(parts) {
  const texts = parts.map((part) => {
    const [name, value] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
    const isFile = value.startsWith("@");
    const head = `content-disposition: form-data; name="${name}"${isFile ? `; filename="${value.slice(1)}"` : ""}`;
    const content = isFile ? readFileSync(value.slice(1), "utf8") : value;
    return `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`;
  });
  return `${texts.join("")}--${BOUNDARY}--\r\n`;
}

function bodyOf({ data, form }) {
  if (form.length > 0) return formOf(form);
  return data.length === 0 ? undefined : data.map(dataOf).join("&");
}

function requestOf(given) {
  const body = bodyOf(given);
  const headers = { accept: "*/*" };
  if (given.user !== undefined)
    headers.authorization = `Basic ${Buffer.from(given.user).toString("base64")}`;
  if (body !== undefined)
    headers["content-type"] =
      given.form.length > 0
        ? `multipart/form-data; boundary=${BOUNDARY}`
        : "application/x-www-form-urlencoded";
  for (const line of given.header) {
    const at = line.indexOf(":");
    if (at === -1) throw new Wrong(`the header ${line} has no colon`);
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  if (body !== undefined) headers["content-length"] = Buffer.byteLength(body);
  const method = given.request ?? (body === undefined ? "GET" : "POST");
  return { url: given.urls[0], method, headers, body };
}

function send({ url, method, headers, body }) {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, resolve).on("error", reject).end(body);
  });
}

function headOf({ statusCode, statusMessage, rawHeaders }) {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

async function run(words) {
  const given = readArguments(words);
  const call = requestOf(given);
  const answer = await send(call);
  if (given.include === true) process.stdout.write(headOf(answer));
  const pieces = [];
  for await (const piece of answer) {
    process.stdout.write(piece);
    pieces.push(piece);
  }
  if (process.env.GUIDE_CALLS === undefined) return;
  const said = answer.statusCode < 400 ? "" : Buffer.concat(pieces).toString().slice(0, 500);
  const line = `${answer.statusCode} ${call.method} ${call.url} ${said}`;
  appendFileSync(process.env.GUIDE_CALLS, `${line.replaceAll(/[\r\n]+/g, " ")}\n`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`curl: ${error.message}\n`);
  process.exitCode = error instanceof Wrong ? 2 : 7;
}
