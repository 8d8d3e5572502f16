/**
 * The part of curl that the guides use, for machines that have Node alone. An option that is not listed here ends with 2, so a
 * guide cannot rely on one that was never tried. The status of each answer is appended to the file of GUIDE_CALLS.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

class Wrong extends Error {}

const withoutValue = { s: "silent", S: "show-error", N: "no-buffer", G: "get", i: "include" };
const withValue = {
  u: "user",
  H: "header",
  d: "data",
  X: "request",
  F: "form",
  o: "output",
  "data-urlencode": "data-urlencode",
  "data-binary": "data-binary",
  "max-time": "max-time",
};

function readArguments(words) {
  const given = { urls: [], header: [], data: [], form: [], "data-urlencode": [] };
  const many = (name) => Array.isArray(given[name]);
  const queue = [...words];
  const takeValue = (name, value) => {
    if (value === undefined) throw new Wrong(`option ${name} needs a value`);
    if (many(name)) given[name].push(value);
    else given[name] = value;
  };
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word.startsWith("--")) {
      const name = word.slice(2);
      if (!(name in withValue)) throw new Wrong(`option ${word} is not known here`);
      takeValue(withValue[name], queue.shift());
    } else if (word.startsWith("-") && word.length > 1) {
      for (let at = 1; at < word.length; at++) {
        const letter = word[at];
        if (letter in withoutValue) given[withoutValue[letter]] = true;
        else if (letter.length === 1 && letter in withValue) {
          const rest = word.slice(at + 1);
          takeValue(withValue[letter], rest === "" ? queue.shift() : rest);
          break;
        } else throw new Wrong(`option -${letter} is not known here`);
      }
    } else given.urls.push(word);
  }
  if (given.urls.length !== 1) throw new Wrong(`one URL is expected, not ${given.urls.length}`);
  // curl takes these for a range or a list of URLs.
  if (/[[\]{}]/.test(given.urls[0])) throw new Wrong("the URL has brackets or braces");
  return given;
}

/** `-d` removes line ends of a file, `--data-binary` keeps them. */
function fileOrText(value, keep) {
  if (!value.startsWith("@")) return value;
  const text = readFileSync(value === "@-" ? 0 : value.slice(1), "utf8");
  return keep ? text : text.replaceAll(/[\r\n]/g, "");
}

function encoded(value) {
  const at = value.indexOf("=");
  if (at === -1) throw new Wrong("--data-urlencode is known here as name=content alone");
  return `${value.slice(0, at)}=${encodeURIComponent(value.slice(at + 1))}`;
}

function formOf(parts) {
  const form = new FormData();
  for (const part of parts) {
    const at = part.indexOf("=");
    const [name, value] = [part.slice(0, at), part.slice(at + 1)];
    if (!value.startsWith("@")) {
      form.append(name, value);
      continue;
    }
    const [path, ...rest] = value.slice(1).split(";");
    const type = rest.find((word) => word.startsWith("type="))?.slice(5);
    if (type === undefined) throw new Wrong("a file of -F needs its ;type= here");
    form.append(name, new Blob([readFileSync(path)], { type }), path.split("/").at(-1));
  }
  return form;
}

function requestOf(given) {
  const binary = given["data-binary"];
  const pieces = [
    ...given.data.map((value) => fileOrText(value, false)),
    ...(binary === undefined ? [] : [fileOrText(binary, true)]),
    ...given["data-urlencode"].map(encoded),
  ];
  const data = pieces.length === 0 ? undefined : pieces.join("&");
  const headers = new Headers({ "user-agent": "curl", accept: "*/*" });
  if (given.user !== undefined)
    headers.set("authorization", `Basic ${Buffer.from(given.user).toString("base64")}`);
  const inBody = data !== undefined && given.get !== true;
  if (inBody) headers.set("content-type", "application/x-www-form-urlencoded");
  for (const line of given.header) {
    const at = line.indexOf(":");
    if (at === -1) throw new Wrong(`the header ${line} has no colon`);
    headers.set(line.slice(0, at), line.slice(at + 1).trim());
  }
  const body = given.form.length > 0 ? formOf(given.form) : inBody ? data : undefined;
  const method = given.request ?? (body === undefined ? "GET" : "POST");
  const query = given.get === true && data !== undefined ? data : undefined;
  const url = given.urls[0];
  return {
    url: query === undefined ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`,
    init: {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
      ...(given["max-time"] === undefined
        ? {}
        : { signal: AbortSignal.timeout(Number(given["max-time"]) * 1000) }),
    },
  };
}

/** `fetch` lowers the names of headers; the server sends each word with a capital. */
function asSent(name) {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

async function run(words) {
  const given = readArguments(words);
  const { url, init } = requestOf(given);
  const answer = await fetch(url, init);
  if (process.env.GUIDE_CALLS !== undefined) {
    const said = answer.ok ? "" : (await answer.clone().text()).slice(0, 500);
    appendFileSync(process.env.GUIDE_CALLS, `${answer.status} ${init.method} ${url} ${said}\n`);
  }
  if (given.include === true) {
    process.stdout.write(`HTTP/1.1 ${answer.status} ${answer.statusText}\r\n`);
    for (const [name, value] of answer.headers) process.stdout.write(`${asSent(name)}: ${value}\r\n`);
    process.stdout.write("\r\n");
  }
  if (given.output !== undefined)
    writeFileSync(given.output, Buffer.from(await answer.arrayBuffer()));
  else for await (const piece of answer.body ?? []) process.stdout.write(piece);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isLate = error.name === "TimeoutError";
  process.stderr.write(`curl: ${error.message}${error.cause ? `: ${error.cause.message}` : ""}\n`);
  process.exitCode = error instanceof Wrong ? 2 : isLate ? 28 : 7;
}
