/** The samples are programs: TypeScript compiles against the client, Python and curl are well formed and send what is shown. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Operation, readOperations } from "../src/api/document.ts";
import { clientCalls } from "../src/samples/client-calls.ts";
import { samplesOf } from "../src/samples/samples.ts";
import { siteSources } from "./built-site.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

let folder: string;
let operations: readonly Operation[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "florin-samples-"));
  operations = readOperations((await siteSources()).document);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function sampleOf(operation: Operation, language: string): string {
  return samplesOf(operation).find((sample) => sample.language === language)?.text ?? "";
}

async function write(language: string, suffix: string): Promise<readonly string[]> {
  return Promise.all(
    operations.map(async (operation) => {
      const path = join(folder, `${operation.id}.${suffix}`);
      await writeFile(path, `${sampleOf(operation, language)}\n`);
      return path;
    }),
  );
}

describe("the samples in TypeScript", () => {
  it("compile in strict mode", async () => {
    const files = await write("ts", "ts");
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const options = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: true,
        strict: true,
        moduleDetection: "force",
        rootDir: "/",
        typeRoots: [join(root, "node_modules/@types")],
      },
      include: files,
      exclude: [],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    const tsc = join(root, "node_modules/.bin/tsc");
    const said = await run(tsc, ["-p", folder]).then(
      () => "",
      (error: { readonly stdout: string }) => error.stdout,
    );
    expect(said).toBe("");
  });

  it("use the client for every operation that it has, and the client has no other", () => {
    const without = operations.filter(({ id }) => clientCalls[id] === undefined);
    expect(without.map(({ id }) => id)).toEqual([
      "getPaymentBatchTemplate",
      "getPaymentBatchItemsFile",
      "streamEvents",
      "getEventRaw",
      "getStatementFile",
      "getExportFile",
      "streamRequestLogs",
      "getRailQueueFile",
      "getRailReconciliationFile",
      "takeRailCallback",
      "redeemAgentDeviceCode",
    ]);
    const ids = operations.map(({ id }) => id);
    expect(Object.keys(clientCalls).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

/** Prints what a program would send instead of sending it, as JSON. */
const RECORDER = `
import io, json, sys, urllib.request
class Answer(io.BytesIO):
    status = 200
def record(request):
    body = request.data.decode("latin1") if request.data else None
    print(json.dumps({"method": request.get_method(), "url": request.full_url, "headers": dict(request.header_items()), "body": body}))
    return Answer(b"{}")
urllib.request.urlopen = record
for path in sys.argv[1:]:
    with open(path) as file:
        text = file.read()
    exec(compile(text, path, "exec"), {"open": lambda *_: Answer(b"file"), "print": print if "urlopen" not in text else (lambda *_, **__: None)})
`;

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);

describe.runIf(hasPython)("the samples in Python", () => {
  it("send the method, the body and the credentials that the reference shows", async () => {
    const files = await write("python", "py");
    const recorder = join(folder, "recorder");
    await writeFile(recorder, RECORDER);
    const env = {
      ...process.env,
      FLORIN_CLIENT_ID: "id",
      FLORIN_CLIENT_SECRET: "secret",
      FLORIN_AGENT_TOKEN: "token",
    };
    const { stdout } = await run("python3", [recorder, ...files], { env, maxBuffer: 10_000_000 });
    const sent: readonly Sent[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(sent).toHaveLength(operations.length);
    for (const [index, operation] of operations.entries()) {
      const { method, url, headers, body } = sent[index] as Sent;
      expect([operation.id, method]).toEqual([operation.id, operation.method]);
      expect(new URL(url).pathname.startsWith("/2025-10-13/"), operation.id).toBe(true);
      const scheme = { TOKEN: /^Basic /, AGENT: /^Bearer token$/, ANYONE: /^$/ }[operation.caller];
      expect(headers.Authorization ?? "", operation.id).toMatch(scheme);
      if (operation.body === undefined) expect(body, operation.id).toBeNull();
      else if (operation.body.type !== "application/json") expect(body).toContain('name="file"');
      else expect(JSON.parse(body ?? ""), operation.id).toEqual(operation.body.content.example);
    }
  });
});

describe("the samples in curl", () => {
  it("are well formed and send the body that the reference shows", async () => {
    // In place of curl, a function that prints its arguments, one a line, with a mark at the end.
    const fake = 'curl() { printf "%s\\0" "$@"; printf "\\1"; }\n';
    const script = operations.map((operation) => sampleOf(operation, "bash")).join("\n");
    const { stdout } = await run("bash", ["-euc", fake + script], {
      env: {
        ...process.env,
        FLORIN_CLIENT_ID: "id",
        FLORIN_CLIENT_SECRET: "secret",
        FLORIN_AGENT_TOKEN: "token",
      },
      maxBuffer: 10_000_000,
    });
    const calls = stdout
      .split("\u0001")
      .slice(0, -1)
      .map((text) => text.split("\0").slice(0, -1));
    expect(calls).toHaveLength(operations.length);
    for (const [index, { id, method, caller, body }] of operations.entries()) {
      const words = calls[index] ?? [];
      const after = (flag: string) => words[words.indexOf(flag) + 1] ?? "";
      expect([id, words.includes("-X") ? after("-X") : "GET"]).toEqual([id, method]);
      if (caller === "TOKEN") expect(after("-u"), id).toBe("id:secret");
      if (caller === "AGENT") expect(words, id).toContain("Authorization: Bearer token");
      if (body?.type === "application/json") {
        expect(JSON.parse(after("-d")), id).toEqual(body.content.example);
      }
    }
  });
});
