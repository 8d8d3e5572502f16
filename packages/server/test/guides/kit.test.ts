/** What runs the guides finds their mistakes. */
import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Block, type Guide, readGuide } from "../kit/guides/blocks.ts";
import { runGuide } from "../kit/guides/run-guide.ts";
import { lastJson, missingLines, wrongIn } from "../kit/guides/shown.ts";
import { compile, makeWorkplace } from "../kit/guides/workplace.ts";

const FRONT = '---\ntitle: "A guide"\ndescription: A sentence.\norder: 1\n---\n';
const fence = (info: string, text: string) => `\n\`\`\`${info}\n${text}\n\`\`\`\n`;

let server: Server;
let url = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    const status = request.url === "/no" ? 404 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end(`{"status":${status}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => server.close());

async function run(...blocks: readonly string[]): Promise<void> {
  const guide = readGuide(FRONT + blocks.join(""));
  const guides = new Map<string, Guide>([["trial", guide]]);
  const workplace = makeWorkplace({});
  try {
    const compiled = await compile(guides);
    const substitutions = new Map([["http://127.0.0.1:8080", url]]);
    await runGuide({ name: "trial", guide, workplace, compiled, substitutions });
  } finally {
    workplace.remove();
  }
}

describe("a guide that is right", () => {
  it("keeps the shell's variables from block to block, and hands them to programs", async () => {
    await run(
      fence("bash", "export CALL=http://127.0.0.1:8080/yes"),
      fence("bash", 'curl -sS "$CALL"'),
      fence("json", '{ "status": 200 }'),
      fence("ts", 'console.log((await fetch(process.env.CALL ?? "")).status);'),
      fence("text", "200"),
      fence("bash background", "echo started; sleep 30"),
      fence("text background", "started"),
      fence("bash refused", "curl -sS http://127.0.0.1:8080/no"),
    );
  });
});

describe("a guide that is wrong", () => {
  it.each([
    ["a command that fails", [fence("bash", "false\necho later")], /line 7: Error: failed/],
    [
      "a refusal that it does not announce",
      [fence("bash", "curl -sS http://127.0.0.1:8080/no > answer.json\necho later")],
      /refused: 404 GET/,
    ],
    [
      "a refusal that does not come",
      [fence("bash refused", "curl -sS http://127.0.0.1:8080/yes")],
      /no call was refused/,
    ],
    [
      "another answer",
      [fence("bash", "curl -sS http://127.0.0.1:8080/yes"), fence("json", '{ "status": 201 }')],
      /the answer\.status is 200/,
    ],
    ["other words", [fence("bash", "echo one"), fence("text", "two")], /not printed: two/],
    [
      "an option of curl that is not known",
      [fence("bash", "curl -k http://127.0.0.1")],
      /-k is not/,
    ],
    ["a program that is not there", [fence("bash", "npx cowsay hello")], /npx cowsay is not/],
  ])("by %s is found", async (_what, blocks, message) => {
    await expect(run(...blocks)).rejects.toThrow(message);
  });

  it("by its types is found", async () => {
    const block = fence("ts", 'import { createClient } from "@florin/client";\ncreateClient({});');
    const { complaints } = await compile(new Map([["trial", readGuide(FRONT + block)]]));
    expect(complaints).toMatch(/trial-7\.ts.*baseUrl/);
  });

  it.each([
    ["a language that nothing runs", fence("sh", "true")],
    ["a word that means nothing", fence("bash quietly", "true")],
    ["no reason for a block that is not run", fence("bash no-run", "true")],
    ["a block without an end", "\n```bash\ntrue\n"],
  ])("by %s is found when it is read", (_what, text) => {
    expect(() => readGuide(FRONT + text)).toThrow(/line \d+/);
  });
});

describe("a block that is not run", () => {
  it("has its reason above it", () => {
    const { blocks } = readGuide(
      `${FRONT}\n<!-- no-run: for a browser -->${fence("bash no-run", "x")}`,
    );
    expect(blocks.map(({ reason }: Block) => reason)).toEqual(["for a browser"]);
  });
});

describe("what a guide shows", () => {
  const id = (digit: string) => `Customer:${digit.repeat(8)}-0000-7000-8000-000000000001`;

  it.each([
    ["a part", { a: 1 }, { a: 1, b: 2 }],
    ["another id of its kind", { id: id("1") }, { id: id("2") }],
    ["another time", { at: "2026-11-21T10:00:00.000Z" }, { at: "2026-01-01T00:00:00.000Z" }],
    ["the first elements", { data: [{ a: 1 }] }, { data: [{ a: 1, b: 1 }, { a: 2 }] }],
    ["a text with a gap", { key: "-----BEGIN…" }, { key: "-----BEGIN PUBLIC KEY-----\nMF" }],
  ])("fits with %s", (_what, shown, real) => {
    expect(wrongIn(shown, real)).toEqual([]);
  });

  it.each([
    ["a member that is not there", { a: 1 }, { b: 1 }],
    ["another number", { a: 1 }, { a: 2 }],
    ["another type", { a: "1" }, { a: 1 }],
    ["an id of another kind", { id: id("1") }, { id: id("1").replace("Customer", "Quote") }],
    ["a list in place of an object", { a: [] }, { a: {} }],
    ["null", { a: null }, { a: 0 }],
  ])("does not fit with %s", (_what, shown, real) => {
    expect(wrongIn(shown, real)).toHaveLength(1);
  });

  it("is a list of lines in their order, with gaps", () => {
    expect(missingLines("one …\nthree", "zero\none 1\ntwo\nthree")).toEqual([]);
    expect(missingLines("three\none …", "one 1\nthree")).toEqual(["one …"]);
  });

  it("is compared with the last JSON of the output", () => {
    expect(lastJson('a line\n{"a":1}')).toEqual({ a: 1 });
    expect(() => lastJson("no JSON")).toThrow("does not end in JSON");
  });
});

describe("curl", () => {
  const curl = fileURLToPath(new URL("../kit/guides/curl.mjs", import.meta.url));
  const call = (...words: readonly string[]) =>
    execFileSync(process.execPath, [curl, ...words], { encoding: "utf8", stdio: "pipe" });

  it.each([
    [["--location", "http://127.0.0.1:1"]],
    [["-sL", "http://127.0.0.1:1"]],
    [["-H"]],
    [["-"]],
    [[]],
    [["http://127.0.0.1:1", "http://127.0.0.1:1"]],
    [["http://127.0.0.1:1/[1-3]"]],
  ])("refuses %j", (words) => {
    expect(() => call(...words)).toThrow(expect.objectContaining({ status: 2 }));
  });

  it("ends with 7 where nothing listens", () => {
    expect(() => call("-sS", "http://127.0.0.1:1")).toThrow(expect.objectContaining({ status: 7 }));
  });
});
