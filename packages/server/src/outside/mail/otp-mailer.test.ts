import { createServer } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endMailServers, startMailServer } from "../../../test/kit/mail-server.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { endReceivers, rawReceiver, started } from "../../../test/kit/receivers.ts";
import { soon } from "../../../test/kit/soon.ts";
import type { OtpMail, OtpMailer } from "../../domain/wallets/credentials/otp-mail.port.ts";
import { systemClock } from "../../std/clock.ts";
import { createLog, type Log } from "../../std/log.ts";
import { isMailAddress, parseMailbox } from "./mail-address.ts";
import { createOtpMailer } from "./otp-mailer.ts";
import { otpMessage } from "./otp-message.ts";
import { parseSmtpUrl } from "./smtp-address.ts";

const lines: string[] = [];
const log: Log = {
  ...createLog("silent"),
  warn: (fields, message) => void lines.push(JSON.stringify({ ...fields, message })),
};

beforeEach(() => {
  lines.length = 0;
});
afterEach(async () => {
  await endMailServers();
  await endReceivers();
});

const mail: OtpMail = {
  key: "mail-1",
  to: "ana@example.com",
  code: "483920",
  expiresInSeconds: 300,
  config: null,
};

const mailerAt = (port: number, more: { url?: string; mailFrom?: string } = {}): OtpMailer =>
  createOtpMailer({
    smtpUrl: more.url ?? `smtp://127.0.0.1:${port}`,
    mailFrom: more.mailFrom ?? "codes@florin.example",
    clock: systemClock,
    log,
  });

describe("a mail with a code", () => {
  test("reaches a real mail server with the right sender and recipient", async () => {
    const server = await startMailServer();
    expect(await mailerAt(server.port).send(mail)).toEqual({ kind: "sent" });
    const [received] = server.received;
    expect(received).toMatchObject({ from: "codes@florin.example", to: ["ana@example.com"] });
    expect(received?.headers.get("from")).toBe("Notifications <codes@florin.example>");
    expect(received?.headers.get("to")).toBe("ana@example.com");
    expect(received?.headers.get("subject")).toBe("Your one-time code");
    expect(received?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(received?.headers.has("sender")).toBe(false);
    expect(received?.headers.has("x-mailer")).toBe(false);
    expect(received?.raw).toContain("483920");
    expect(received?.headers.get("subject")).not.toContain("483920");
    expect(lines).toEqual([]);
  });

  test("has the sender that the platform chose, and this server as its Sender", async () => {
    const server = await startMailServer();
    const config = {
      appName: "Käse & Söhne",
      sendFromEmailAddress: "hello@shop.example",
      sendFromEmailSenderName: "The Shop, Ltd.",
      replyToEmailAddress: "help@shop.example",
      logoUrl: "https://shop.example/logo.png?a=1&b=2",
    };
    await mailerAt(server.port, { mailFrom: "Florin <codes@florin.example>" }).send({
      ...mail,
      config,
    });
    const [received] = server.received;
    expect(received?.headers.get("from")).toBe('"The Shop, Ltd." <hello@shop.example>');
    expect(received?.headers.get("sender")).toBe("codes@florin.example");
    expect(received?.headers.get("reply-to")).toBe("help@shop.example");
    expect(received?.from).toBe("codes@florin.example");
    expect(received?.headers.get("subject")).toMatch(/^=\?UTF-8\?/);
  });

  test("has one message id for all tries, which does not reveal its key", async () => {
    const server = await startMailServer();
    const mailer = mailerAt(server.port);
    await mailer.send(mail);
    await mailer.send(mail);
    await mailer.send({ ...mail, key: "mail-2" });
    const ids = server.received.map(({ headers }) => headers.get("message-id"));
    expect(ids[0]).toMatch(/^<[0-9a-f]{40}@florin\.example>$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("logs in with the user and password of the URL, percent-decoded", async () => {
    const seen: string[] = [];
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _, done) {
        seen.push(username ?? "", password ?? "");
        done(null, { user: username ?? "" });
      },
    });
    const url = `smtp://me%40x:p%3A%2Fss@127.0.0.1:${server.port}`;
    expect(await mailerAt(server.port, { url }).send(mail)).toEqual({ kind: "sent" });
    expect(seen).toEqual(["me@x", "p:/ss"]);
  });
});

describe("headers", () => {
  const hostile = [
    "Shop\r\nBcc: evil@example.com",
    "Shop\nBcc: evil@example.com",
    "Shop\rBcc: evil@example.com",
    "Shop\u2028Bcc: evil@example.com",
    'Shop" <evil@example.com>, "',
    "Shop\u0000\u202e\u200b",
    "=?utf-8?q?=0d=0aBcc:_evil@example.com?=",
  ];

  test.each(hostile)("hold no line that a platform's text makes: %j", async (text) => {
    const server = await startMailServer();
    const config = { appName: text, sendFromEmailSenderName: text };
    expect(await mailerAt(server.port).send({ ...mail, config })).toEqual({ kind: "sent" });
    const [received] = server.received;
    expect(received?.to).toEqual(["ana@example.com"]);
    expect([...(received?.headers.keys() ?? [])].sort()).toEqual([
      "auto-submitted",
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ]);
    expect(received?.headers.get("from")).toMatch(/<codes@florin\.example>$/);
  });

  test("never hold an address that a platform made up of more than one", async () => {
    const server = await startMailServer();
    const address = "a@shop.example\r\nBcc: evil@example.com";
    const config = { sendFromEmailAddress: address, replyToEmailAddress: address };
    expect(await mailerAt(server.port).send({ ...mail, config })).toEqual({ kind: "sent" });
    const [received] = server.received;
    expect(received?.headers.get("from")).toBe("Notifications <codes@florin.example>");
    expect(received?.headers.has("reply-to")).toBe(false);
    expect(received?.headers.has("bcc")).toBe(false);
  });
});

describe("an address", () => {
  test.each([
    "ana@example.com",
    "a.b+c@example.co.uk",
    "o'neil_#1@xn--bcher-kva.example",
    `${"a".repeat(64)}@example.com`,
  ])("can be %s", (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  const bad = [
    "",
    "ana",
    "@example.com",
    "ana@",
    "ana@localhost",
    "ana@exa mple.com",
    "ana@@example.com",
    "ana@example.com\n",
    "ana@example.com\r\nBcc: b@example.com",
    "ana@example.com,b@example.com",
    "ana@example.com;b@example.com",
    "Ana <ana@example.com>",
    "<ana@example.com>",
    '"ana"@example.com',
    "ana(comment)@example.com",
    "ana..b@example.com",
    ".ana@example.com",
    "ana.@example.com",
    "ana@-example.com",
    "ana@example..com",
    "ana@[127.0.0.1]",
    "ana@exаmple.com",
    "аna@example.com",
    "ana@example.com\u0000",
    "ana%0d%0a@example.com ",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(250)}.com`,
    `a@${"b".repeat(64)}.com`,
  ];

  test.each(bad)("cannot be %j, and nothing is sent to it", async (to) => {
    expect(isMailAddress(to)).toBe(false);
    const server = await startMailServer();
    expect(await mailerAt(server.port).send({ ...mail, to })).toEqual({
      kind: "refused",
      reason: "This is not an email address.",
    });
    expect(server.received).toEqual([]);
  });

  test("that is taken never holds what ends a header", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (isMailAddress(text)) expect(text).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });

  test("with a name is read as the operator writes it", () => {
    expect(parseMailbox("Florin <a@example.com>")).toEqual({
      name: "Florin",
      address: "a@example.com",
    });
    expect(parseMailbox('"Florin, Inc." <a@example.com>')?.name).toBe("Florin, Inc.");
    expect(parseMailbox("a@example.com")).toEqual({ name: "", address: "a@example.com" });
    for (const text of [
      "",
      "Florin",
      "Florin <a>",
      "a@example.com, b@example.com",
      "A\r\nB <a@example.com>",
    ]) {
      expect(parseMailbox(text)).toBeUndefined();
    }
  });
});

describe("the message", () => {
  test("says the code, how long it lives and what it is for", () => {
    const { subject, text, html } = otpMessage({ ...mail, config: { appName: "Shop" } });
    expect(subject).toBe("Your one-time code for Shop");
    expect(text).toContain("    483920\n");
    expect(text).toContain("within 5 minutes.");
    expect(html).toContain("<strong>483920</strong>");
  });

  test.each([
    [1, "1 second"],
    [59, "59 seconds"],
    [60, "1 minute"],
    [119, "1 minute"],
    [300, "5 minutes"],
    [86_400, "1440 minutes"],
  ])("never promises more time than there is: %i s", (expiresInSeconds, words) => {
    expect(otpMessage({ ...mail, expiresInSeconds }).text).toContain(`within ${words}.`);
  });

  test("escapes what a platform chose", () => {
    const appName = `<script>alert("1")</script>&'`;
    const { html } = otpMessage({ ...mail, code: "<b>", config: { appName } });
    expect(html).not.toContain("<script>");
    expect(html).not.toContain("<b>");
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
  });

  test.each([
    ["https://shop.example/logo.png?a=1&b=2", 'src="https://shop.example/logo.png?a=1&amp;b=2"'],
    ['https://shop.example/"onerror="x', "%22onerror=%22x"],
  ])("shows the logo %j and nothing more", (logoUrl, expected) => {
    const { html } = otpMessage({ ...mail, config: { logoUrl } });
    expect(html).toContain(expected);
    expect(html).toContain('width="340" height="124"');
    expect(html).not.toContain('"onerror');
  });

  test.each(["http://shop.example/logo.png", "javascript:alert(1)", "data:image/png,x", "no url"])(
    "shows no logo for %j",
    (logoUrl) => {
      expect(otpMessage({ ...mail, config: { logoUrl } }).html).not.toContain("<img");
    },
  );
});

describe("what goes wrong", () => {
  const refusing = (responseCode: number) =>
    startMailServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error("no such ana@example.com"), { responseCode })),
    });

  test("is final after a permanent refusal, and reported without the address or the code", async () => {
    const server = await refusing(550);
    const outcome = await mailerAt(server.port).send(mail);
    expect(outcome).toEqual({
      kind: "refused",
      reason: "The mail server did not take it (EENVELOPE, answer 550).",
    });
    expect(lines).toHaveLength(1);
    for (const secret of ["ana@example.com", "483920"]) expect(lines.join()).not.toContain(secret);
  });

  test("may be retried after a temporary refusal", async () => {
    const server = await refusing(451);
    expect(await mailerAt(server.port).send(mail)).toMatchObject({ kind: "failed" });
  });

  test("may be retried when the login fails, and the password does not appear", async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error("wrong: hunter2")),
    });
    const url = `smtp://me:hunter2@127.0.0.1:${server.port}`;
    expect(await mailerAt(server.port, { url }).send(mail)).toMatchObject({ kind: "failed" });
    expect(lines.join()).not.toContain("hunter2");
  });

  test("may be tried again when there is no server", async () => {
    const server = await startMailServer();
    await endMailServers();
    expect(await mailerAt(server.port).send(mail)).toMatchObject({ kind: "failed" });
  });

  test("may be tried again when the server hangs up in the middle", async () => {
    const server = await started(createServer((socket) => socket.end("220 mail.example\r\n")));
    expect(await mailerAt(server.port).send(mail)).toMatchObject({ kind: "failed" });
  });

  test("ends with the deadline when the server does not answer", async () => {
    const silent = await rawReceiver(() => {});
    const clock = createManualClock(0);
    const mailer = createOtpMailer({
      smtpUrl: `smtp://127.0.0.1:${silent.port}`,
      mailFrom: "codes@florin.example",
      clock,
      log,
    });
    const sending = mailer.send(mail);
    await clock.advance(20_000);
    expect(await sending).toEqual({ kind: "failed", reason: "The mail server took too long." });
    expect(clock.pendingTimers).toBe(0);
  });

  test("ends with the deadline, connection included, when the server drips", async () => {
    const dripping = await started(
      createServer((socket) => {
        socket.write("220 mail.example\r\n");
        socket.once("data", () => {
          const drops = setInterval(() => socket.write("250-one\r\n"), 5);
          socket.once("close", () => clearInterval(drops));
        });
      }),
    );
    const clock = createManualClock(0);
    const smtpUrl = `smtp://127.0.0.1:${dripping.port}`;
    const mailer = createOtpMailer({ smtpUrl, mailFrom: "codes@florin.example", clock, log });
    const sending = mailer.send(mail);
    const connection = await soon(() => {
      const [accepted] = dripping.accepted;
      if (accepted === undefined) throw new Error("nobody has come yet");
      return { isClosed: accepted };
    });
    await clock.advance(20_000);
    expect(await sending).toMatchObject({ kind: "failed" });
    await connection.isClosed;
  });

  test("is not sent in clear where TLS is required", async () => {
    const server = await startMailServer();
    const url = `smtp://127.0.0.1:${server.port}?tls=required`;
    expect(await mailerAt(server.port, { url }).send(mail)).toMatchObject({ kind: "failed" });
    expect(server.received).toEqual([]);
  });

  test("includes an untrusted certificate", async () => {
    const server = await startMailServer({ secure: true });
    const url = `smtps://127.0.0.1:${server.port}`;
    expect(await mailerAt(server.port, { url }).send(mail)).toMatchObject({ kind: "failed" });
    expect(server.received).toEqual([]);
  });
});

describe("the settings", () => {
  test("without a mail server refuse to send, with a reason", async () => {
    const mailer = createOtpMailer({
      smtpUrl: undefined,
      mailFrom: undefined,
      clock: systemClock,
      log,
    });
    expect(mailer.canSend).toBe(false);
    expect(mailer.isAddress("ana@example.com")).toBe(true);
    expect(await mailer.send(mail)).toEqual({ kind: "refused", reason: "No mail server is set." });
    expect(mailerAt(25).canSend).toBe(true);
  });

  test("with a mail server need an address to send from", () => {
    for (const mailFrom of [undefined, "", "Florin"]) {
      expect(() =>
        createOtpMailer({ smtpUrl: "smtp://mail.example", mailFrom, clock: systemClock, log }),
      ).toThrow("MAIL_FROM");
    }
  });

  test.each([
    ["smtp://mail.example", { host: "mail.example", port: 587, secure: false, requireTLS: true }],
    ["smtps://mail.example", { host: "mail.example", port: 465, secure: true, requireTLS: true }],
    [
      "smtp://mail.example:25?tls=optional",
      { host: "mail.example", port: 25, secure: false, requireTLS: false },
    ],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, secure: false, requireTLS: false }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025, secure: false, requireTLS: false }],
    [
      "smtp://a:b@mail.example",
      {
        host: "mail.example",
        port: 587,
        secure: false,
        requireTLS: true,
        auth: { user: "a", pass: "b" },
      },
    ],
  ])("read %s", (text, expected) => {
    expect(parseSmtpUrl(text)).toEqual(expected);
  });

  test.each([
    "",
    "mail.example",
    "http://mail.example",
    "smtp://",
    "smtp://a:hunter2%@mail.example",
    "smtp://mail.example?tls=no",
  ])("refuse %j and do not repeat it", (text) => {
    expect(() => parseSmtpUrl(text)).toThrow("SMTP_URL");
    expect(() => parseSmtpUrl(text)).not.toThrow("hunter2");
  });
});
