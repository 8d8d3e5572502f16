// `npm run generate`: writes docs/reference from the built server and the migrations. The same sources always give the
// same bytes, so a check that nothing has changed afterwards shows whether the copies are those of this version.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const target = new URL("docs/reference/", root);
const migrations = new URL("packages/server/migrations/", root);
const built = (path) => import(new URL(`packages/server/dist/${path}`, root).href);

const [
  { operations },
  { referenceNotes },
  { buildOpenApi },
  { refusalsOf },
  refusals,
  config,
  { eventCatalogue },
] = await Promise.all([
  built("http/operations/routes.js"),
  built("http/reference/reference-notes.js"),
  built("http/reference/openapi.js"),
  built("http/reference/openapi-errors.js"),
  built("engine/refusal.js"),
  built("config.js"),
  built("domain/event-catalogue.js"),
]);

/** Refusals that come before an operation is found. */
const OUTSIDE = {
  NOT_FOUND: "any path that does not exist",
  METHOD_NOT_ALLOWED: "any path, with a method it does not take",
};

await mkdir(target, { recursive: true });
await write("openapi.json", await openApi());
await write("errors.md", errors());
await write("events.md", events());
await write("settings.md", settings());
await write("schema.md", await schema());

async function write(name, text) {
  await writeFile(new URL(name, target), `${text.trimEnd()}\n`);
}

async function openApi() {
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
  const document = buildOpenApi(operations, {
    ...referenceNotes,
    publicUrl: "http://127.0.0.1:8080",
    version,
  });
  return compact(document, "");
}

/** What fits on a line stands on one; a document of this size is then readable, and a change of it too. */
function compact(value, indent) {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= 100)
    return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => compact(item, deeper))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${compact(member, deeper)}`);
  const [start, end] = Array.isArray(value) ? "[]" : "{}";
  return `${start}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${end}`;
}

function page(title, introduction) {
  return `# ${title}\n\n${introduction}\n\nWritten by \`npm run generate\`; not to be changed by hand.\n`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function errors() {
  const lists = operations.map((operation) => ({
    id: operation.id,
    codes: new Set(refusalsOf(operation)),
  }));
  const rows = refusals.refusalCodes.map((code) => {
    const ids = lists.filter(({ codes }) => codes.has(code)).map(({ id }) => `\`${id}\``);
    const share = ids.length === lists.length ? "every operation" : ids.join(", ");
    return [
      `\`${code}\``,
      String(refusals.statusOf(code)),
      refusals.messageOfCode(code),
      share === "" ? (OUTSIDE[code] ?? "none in this version") : share,
    ];
  });
  const introduction =
    "Every refusal has the body `{status, code, message, details?}`. `code` is for programs, and the list may grow; `message` " +
    "is for people and may be more exact than the sentence here. Under an idempotency key, a refusal that needed the state of " +
    "the books (an account, a balance, a customer) is kept and given again; one that only needed the request itself, and " +
    "`401`, `429`, `500` and `503`, leave the key free.\n\n" +
    "Before any operation is found, `INVALID_REQUEST_FORMAT` also comes with 408 (a request that does not arrive in time), 417 " +
    "(an `Expect` other than `100-continue`) and 431 (a path or headers that are too large).";
  return `${page("Errors", introduction)}\n${table(["Code", "HTTP", "Meaning", "Operations"], rows)}`;
}

function events() {
  const introduction =
    "A webhook's body is `{id, type, timestamp, data}`. `data` is what the GET of its resource answered at that moment. The " +
    "bytes are made once; every attempt sends the same ones, signed. Delivery is at least once: tell repeats by `id`.\n\n" +
    "They are posted to the `webhookEndpoint` that `PATCH /config` sets. The header `X-Service-Signature` is " +
    '`{"v":"1","s":"<base64>"}`: an ECDSA P-256 SHA-256 signature (DER) over the exact bytes of the body, to be checked with ' +
    "the key of `GET /webhooks/public-key`. `X-Event-Sequence` numbers a platform's events; a TEST that was asked for has " +
    "none. `X-Redelivery: true` marks an event that the platform has asked for again. Any 2xx takes a delivery, and so does 409; 410 ends all of them until the endpoint is set again; whatever else is " +
    "answered, it is sent again for seven days. Where an answer says more, it stands beside the event. The schemas are in " +
    "`openapi.json`, under `webhooks`.";
  const list = table(
    ["Type", "When", "`data`"],
    referenceNotes.webhooks.map(({ type, meaning }) => [
      `\`${type}\``,
      meaning,
      eventCatalogue[type].data,
    ]),
  );
  return `${page("Events", introduction)}\n${list}\n\n${referenceNotes.webhooks.map(event).join("\n")}`;
}

function event({ type, meaning, example, answers = {} }) {
  const rows = Object.entries(answers).map(([status, answer]) => [
    status === "default" ? "others" : status,
    answer.description,
    answer.example === undefined ? "" : `\`${JSON.stringify(answer.example)}\``,
  ]);
  const decided = rows.length === 0 ? "" : `\n${table(["Answer", "Meaning", "Body"], rows)}\n`;
  return `## ${type}\n\n${meaning}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n${decided}`;
}

function settings() {
  const introduction =
    "All settings are read from the environment; an empty one counts as not set. `npx florin config` shows them with the " +
    "values in effect.";
  const rows = config
    .describeSettings({})
    .map(({ name, meaning, fallback }) => [`\`${name}\``, meaning, `\`${fallback}\``]);
  return `${page("Settings", introduction)}\n${table(["Setting", "Meaning", "Default"], rows)}`;
}

async function schema() {
  const files = (await readdir(migrations)).filter((name) => name.endsWith(".sql")).sort();
  const parts = [];
  for (const file of files) {
    parts.push(`## ${file}\n`);
    parts.push(...describeSql(await readFile(new URL(file, migrations), "utf8")));
  }
  const introduction =
    "The tables as the migrations make them, in their order, with the migrations' own comments.";
  return `${page("Schema", introduction)}\n${parts.join("\n")}`;
}

/** Tables, indexes, functions and triggers; a comment belongs to the statement it stands above. */
function describeSql(sql) {
  const parts = [];
  let comment = [];
  let open;
  for (const line of sql.split("\n")) {
    if (open !== undefined) {
      open.lines.push(line);
      if (/^\)/.test(line)) {
        parts.push(describeTable(open));
        open = undefined;
      }
      continue;
    }
    const table = /^create table (\w+) \(/.exec(line)?.[1];
    const index = /^create (unique )?index (\w+) on (\w+)/.exec(line);
    const change = /^alter table (\w+) /.exec(line);
    if (line.startsWith("--")) {
      comment.push(line.replace(/^--\s?/, ""));
      continue;
    }
    if (table !== undefined) open = { name: table, comment, lines: [] };
    else if (index !== null) {
      const what = index[1] === undefined ? "Index" : "Unique index";
      parts.push(`${what} \`${index[2]}\` on \`${index[3]}\`.${said(comment, " ")}\n`);
    } else if (change !== null && comment.length > 0) {
      parts.push(`Change of \`${change[1]}\`.${said(comment, " ")}\n`);
    } else if (comment.length > 0) {
      parts.push(`${comment.join(" ")}\n`);
    }
    comment = [];
  }
  return parts;
}

function said(comment, before) {
  return comment.length === 0 ? "" : before + comment.join(" ");
}

function describeTable({ name, comment, lines }) {
  const columns = [];
  const rules = [];
  for (const line of lines) {
    const text = line.trim().replace(/,$/, "");
    const rule = /^constraint (\w+) (.+)$/.exec(text);
    const column = /^(\w+) (\S+)(.*)$/.exec(text);
    if (rule !== null) rules.push(`- \`${rule[1]}\`: ${rule[2]}`);
    else if (column !== null && !text.startsWith(")")) {
      const rest = column[3].trim();
      const isNullable = !/\bnot null\b/.test(rest);
      columns.push([
        `\`${column[1]}\``,
        column[2],
        isNullable ? "yes" : "",
        rest.replace(/\bnot null\b/, "").trim(),
      ]);
    }
  }
  const meaning = comment.length === 0 ? "" : `${comment.join(" ")}\n\n`;
  const head = ["Column", "Type", "Null", "More"];
  return `### ${name}\n\n${meaning}${table(head, columns)}\n\n${rules.join("\n")}\n`;
}
