import { once } from "node:events";
import { connect, type Socket } from "node:net";
import Type from "typebox";
import { afterEach, describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { formOf } from "../../../test/kit/forms.ts";
import {
  type Shell,
  type ShellContext,
  sendRaw,
  startShell,
} from "../../../test/kit/http-shell.ts";
import { createManualClock, type ManualClock } from "../../../test/kit/manual-clock.ts";
import { defineUpload, type Operation } from "../request/operation.ts";
import type { HttpLimits } from "../server/limits.ts";

const MAX_BYTES = 1_000;

interface RefusedBody {
  readonly code: string;
  readonly details: { readonly errors: readonly { readonly field: string }[] };
}

/** What reached the operation. */
interface Kept {
  readonly bytes: Buffer[];
  readonly thrown: unknown[];
  /** Settles at the first bytes. */
  readonly begun: Promise<void>;
  /** Settles when the operation is over. */
  readonly ended: Promise<void>;
}

interface Rig {
  readonly shell: Shell;
  readonly clock: ManualClock;
  readonly kept: Kept;
}

const shells: Shell[] = [];
afterEach(async () => {
  await Promise.all(shells.splice(0).map((shell) => shell.server.close(0)));
});

async function start(
  options: {
    readonly limits?: Partial<HttpLimits>;
    readonly hold?: () => Promise<void>;
    readonly maxBytes?: number;
  } = {},
): Promise<Rig> {
  const clock = createManualClock(1_760_000_000_000);
  let begin: () => void = () => undefined;
  let end: () => void = () => undefined;
  const kept: Kept = {
    bytes: [],
    thrown: [],
    begun: new Promise((resolve) => {
      begin = resolve;
    }),
    ended: new Promise((resolve) => {
      end = resolve;
    }),
  };
  const upload: Operation<ShellContext> = defineUpload({
    id: "upload",
    method: "POST",
    path: "/files",
    access: "MANAGE",
    capability: "customers.read",
    tag: "Files",
    summary: "Upload a file",
    form: {
      fields: Type.Object({
        kind: Type.Enum(["A", "B"]),
        note: Type.Optional(Type.String({ maxLength: 9 })),
      }),
      file: {
        description: "A file that begins with an x.",
        maxBytes: options.maxBytes ?? MAX_BYTES,
        judge: (first) => (first[0] === 0x78 ? undefined : "must begin with an x"),
      },
    },
    answers: { 200: { description: "Kept." } },
    refusals: [],
    async handle({ body: form }) {
      try {
        const { fields, fileName, fileBytes, idempotency } = await form.read({
          async write(bytes) {
            kept.bytes.push(Buffer.from(bytes));
            begin();
            await options.hold?.();
          },
        });
        const key = idempotency?.bodyDigest.toString("hex");
        return { status: 200, body: JSON.stringify({ fields, fileName, fileBytes, key }) };
      } catch (thrown) {
        kept.thrown.push(thrown);
        throw thrown;
      } finally {
        end();
      }
    },
  });
  const shell = await startShell({ operations: [upload], clock, limits: options.limits ?? {} });
  shells.push(shell);
  return { shell, clock, kept };
}

const post = (shell: Shell, body: FormData, headers: Readonly<Record<string, string>> = {}) =>
  shell.call("/files", { method: "POST", body, headers });

const file = (bytes: Buffer | string, name = "x.bin") => ({ bytes, name });

/** The bytes of a request; `declared` is the length that its head claims. */
function request(
  body: string,
  {
    declared = body.length,
    more = "",
  }: { readonly declared?: number; readonly more?: string } = {},
): string {
  return (
    "POST /2025-10-13/files HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
    `Authorization: ${basic("client", "secret")}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
    `${more}Content-Length: ${declared}\r\n\r\n${body}`
  );
}

const FIELD = '--b\r\nContent-Disposition: form-data; name="kind"\r\n\r\nA\r\n';
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n';
const END = "\r\n--b--\r\n";

async function opened(
  shell: Shell,
  bytes: string,
): Promise<{ readonly socket: Socket; readonly answer: Promise<string> }> {
  const socket = connect(shell.port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  socket.write(bytes);
  return { socket, answer: closed.then(() => Buffer.concat(received).toString("latin1")) };
}

describe("a form", () => {
  it("returns its fields and its file in any order", async () => {
    const { shell, kept } = await start();
    const form = new FormData();
    form.append("file", new Blob(["x12"]), "a.bin");
    form.append("kind", "B");
    const answer = await post(shell, form);
    expect(await answer.json()).toEqual({ fields: { kind: "B" }, fileName: "a.bin", fileBytes: 3 });
    expect(Buffer.concat(kept.bytes).toString()).toBe("x12");
  });

  it("is refused when its credentials were withdrawn while it came", async () => {
    const { shell, clock, kept } = await start();
    const whole = FIELD + FILE + "x".repeat(100) + END;
    const { socket, answer } = await opened(
      shell,
      request(whole.slice(0, -END.length), { declared: whole.length }),
    );
    await kept.begun;
    shell.tokens.delete("client");
    await clock.advance(1_000);
    socket.write(END);
    expect(await answer).toMatch(/^HTTP\/1.1 401 /);
    expect(kept.thrown).toHaveLength(1);
  });

  it("ignores unknown fields", async () => {
    const { shell } = await start();
    const form = formOf({ kind: "A", other: "1", constructor: "2", toString: "3" }, file("x"));
    form.append("photo", new Blob(["zzz"]), "photo.png");
    expect((await post(shell, form)).status).toBe(400);
    form.delete("photo");
    expect((await post(shell, form)).status).toBe(200);
  });

  it.each([
    ["nothing", new FormData(), ["file", "kind"]],
    ["no file", formOf({ kind: "A" }), ["file"]],
    ["text in place of the file", formOf({ kind: "A", file: "x" }), ["file"]],
    ["an empty file", formOf({ kind: "A" }, file("")), ["file"]],
    ["a file without a name", formOf({ kind: "A" }, file("x", "")), ["file"]],
    ["a file whose name ends in a slash", formOf({ kind: "A" }, file("x", "a/")), ["file"]],
    ["a file with a long name", formOf({ kind: "A" }, file("x", "n".repeat(300))), ["file"]],
    ["a file with a line in its name", formOf({ kind: "A" }, file("x", "a\nb")), ["file"]],
    ["a file of another type", formOf({ kind: "A" }, file("y".repeat(50))), ["file"]],
    ["too large a file", formOf({ kind: "A" }, file("x".repeat(MAX_BYTES + 1))), ["file"]],
    [
      "a large file of another type",
      formOf({ kind: "A" }, file("y".repeat(MAX_BYTES + 1))),
      ["file", "file"],
    ],
    ["wrong fields", formOf({ kind: "C", note: "0123456789" }, file("x")), ["kind", "note"]],
    [
      "a field with a control character",
      formOf({ kind: "A", note: "a\u0001" }, file("x")),
      ["note"],
    ],
    ["too long a field", formOf({ kind: "A", other: "x".repeat(5_000) }, file("x")), ["other"]],
    ["all of it", formOf({ kind: "C", note: "0123456789" }, file("")), ["file", "kind", "note"]],
  ])("with %s gets all errors at once", async (_name, form, fields) => {
    const { shell, kept } = await start();
    const answer = await post(shell, form);
    const body = (await answer.json()) as RefusedBody;
    expect([answer.status, body.code]).toEqual([400, "INVALID_INPUT"]);
    const named = body.details.errors.map((error: { field: string }) => error.field);
    expect(named.sort()).toEqual(fields);
    expect(Buffer.concat(kept.bytes).length).toBeLessThanOrEqual(MAX_BYTES);
    expect(shell.log).toEqual([]);
  });

  it("with a field twice is refused", async () => {
    const { shell } = await start();
    const form = formOf({ kind: "A" }, file("x"));
    form.append("kind", "B");
    expect(await (await post(shell, form)).json()).toMatchObject({
      details: { errors: [{ field: "kind", message: "is sent twice" }] },
    });
  });

  it("with a repeated field gets that error together with all others, including that of its key", async () => {
    const { shell, kept } = await start();
    const form = formOf({ kind: "A", note: "0123456789" }, file("x"));
    form.append("kind", "B");
    form.append("kind", "C");
    form.append("file", new Blob(["xx"]), "y.bin");
    const answer = await post(shell, form, { "idempotency-key": "a b" });
    const { details } = (await answer.json()) as RefusedBody;
    const named = details.errors.map(({ field }) => field);
    expect(named).toEqual(["Idempotency-Key", "kind", "file", "note"]);
    expect(kept.bytes).toEqual([]);
  });

  it("with a field that is too long gets no errors for the rest of that field", async () => {
    const { shell } = await start();
    const answer = await post(shell, formOf({ kind: "A".repeat(200_000) }, file("x")));
    expect(((await answer.json()) as RefusedBody).details.errors).toEqual([
      { field: "kind", message: "must be at most 4096 bytes long" },
    ]);
  });

  it("that is not one is refused before it is read", async () => {
    const { shell, kept } = await start();
    for (const type of ["application/json", "text/plain", "multipart/mixed; boundary=b"]) {
      const answer = await shell.call("/files", {
        method: "POST",
        body: "{}",
        headers: { "content-type": type },
      });
      expect([type, answer.status]).toEqual([type, 415]);
    }
    expect(kept.bytes).toEqual([]);
  });

  it("has the same digest under a key wherever its boundary falls, and another for other content", async () => {
    const { shell } = await start();
    const digest = async (form: FormData) => {
      const answer = await post(shell, form, { "idempotency-key": "k" });
      return ((await answer.json()) as { readonly key: string }).key;
    };
    const same = await digest(formOf({ kind: "A" }, file("x1")));
    expect(same).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest(formOf({ kind: "A" }, file("x1")))).toBe(same);
    for (const other of [
      formOf({ kind: "B" }, file("x1")),
      formOf({ kind: "A" }, file("x2")),
      formOf({ kind: "A" }, file("x1", "other")),
    ]) {
      expect(await digest(other)).not.toBe(same);
    }
  });

  it("that is far too large is answered, and its connection closed", async () => {
    const { shell } = await start();
    const answer = await sendRaw(shell.port, request(`${FIELD}${FILE}`, { declared: 1e12 }));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain("Connection: close");
  });

  it("that is somewhat too large is read to its end, so that the caller reads the answer", async () => {
    const { shell } = await start();
    const answer = await post(shell, formOf({ kind: "A" }, file(Buffer.alloc(2_000_000, "x"))));
    expect(answer.status).toBe(400);
    expect((await post(shell, formOf({ kind: "A" }, file("x")))).status).toBe(200);
  });
});

it("a form in chunks of one byte is refused, however few bytes it has", async () => {
  const { shell } = await start({ maxBytes: 1_000_000 });
  const form = `${FIELD}${FILE}${"x".repeat(60_000)}${END}`;
  const chunks = [...form].map((byte) => `1\r\n${byte}\r\n`).join("");
  const head = request("", { more: "Transfer-Encoding: chunked\r\n" });
  const whole = `${head.replace("Content-Length: 0\r\n", "")}${chunks}0\r\n\r\n`;
  const answer = await sendRaw(shell.port, whole).catch((error: Error) => error.message);
  expect(answer).toMatch(/^HTTP\/1.1 413 |ECONNRESET|EPIPE/);
});

describe("a form that breaks off", () => {
  it.each([
    ["in a field", FIELD.slice(0, -4)],
    ["in the head of its file", `${FIELD}${FILE.slice(0, -10)}`],
    ["in its file", `${FIELD}${FILE}x1`],
    ["before its last boundary", `${FIELD}${FILE}x1\r\n`],
    ["in its last boundary", `${FIELD}${FILE}x1\r\n--b`],
  ])("%s is refused", async (_name, body) => {
    const { shell, kept } = await start();
    const answer = await sendRaw(shell.port, request(body));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain("INVALID_REQUEST_FORMAT");
    expect(kept.thrown).toHaveLength(1);
  });

  it("because its Content-Length was wrong is refused", async () => {
    const { shell } = await start();
    const body = `${FIELD}${FILE}x1${END}`;
    const answer = await sendRaw(shell.port, request(body, { declared: body.length - 12 }));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it("because the caller disconnects ends the operation, and no bug is logged", async () => {
    const { shell, kept } = await start();
    const { socket } = await opened(
      shell,
      request(`${FIELD}${FILE}x1`.padEnd(500, "x"), { declared: 5_000 }),
    );
    await kept.begun;
    socket.destroy();
    await kept.ended;
    expect(kept.thrown).toHaveLength(1);
    expect(shell.log).toEqual([]);
  });

  it("after a long pause is answered with 408", async () => {
    const { shell, clock, kept } = await start();
    const { answer } = await opened(
      shell,
      request(`${FIELD}${FILE}x`.padEnd(500, "x"), { declared: 5_000 }),
    );
    await kept.begun;
    while (kept.thrown.length === 0) await clock.advance(15_000);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    expect(kept.thrown).toHaveLength(1);
  });

  it("because it takes for ever, a byte at a time, is answered with 408", async () => {
    const { shell, clock, kept } = await start({ limits: { formTimeoutMs: 20_000 } });
    const { socket, answer } = await opened(
      shell,
      request(`${FIELD}${FILE}x`.padEnd(500, "x"), { declared: 5_000 }),
    );
    await kept.begun;
    await clock.advance(14_000);
    const before = kept.bytes.length;
    socket.write("x".repeat(200));
    while (kept.bytes.length === before) await clock.advance(0);
    while (kept.thrown.length === 0) await clock.advance(6_000);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe("a slow file sink", () => {
  it("slows the caller down without buffering", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const size = 64 * 1024 * 1024;
    const { shell, kept } = await start({ hold: () => gate, maxBytes: size });
    const body = `${FIELD}${FILE}${"x".repeat(size)}${END}`;
    const { socket, answer } = await opened(shell, request(body));
    await kept.begun;
    expect(Buffer.concat(kept.bytes).length).toBeLessThan(1024 * 1024);
    expect(socket.writableLength).toBeGreaterThan(0);
    open();
    expect(await answer).toMatch(/^HTTP\/1.1 200 /);
    expect(kept.bytes.reduce((sum, { length }) => sum + length, 0)).toBe(size);
  });

  it("lets only so many forms of a platform be read at once, and so many in all", async () => {
    for (const [limits, status] of [
      [{ formsOfPlatform: 1 }, 429],
      [{ forms: 1 }, 503],
    ] as const) {
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const { shell, kept } = await start({ hold: () => gate, limits });
      const first = post(shell, formOf({ kind: "A" }, file("x".repeat(20))));
      await kept.begun;
      const refused = await post(shell, formOf({ kind: "A" }, file("x")));
      expect(refused.status).toBe(status);
      expect(refused.headers.get("retry-after")).toBe("1");
      open();
      expect((await first).status).toBe(200);
      expect((await post(shell, formOf({ kind: "A" }, file("x")))).status).toBe(200);
    }
  });
});
