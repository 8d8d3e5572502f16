/** One-time codes in production: mailed after the commit, guessed at most five times, and never there to be read. */
import { createClientKey } from "@florin/client/wallet";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  createOutside,
  createStandingClock,
  newWallet,
  sessionByToken,
  signedCall,
} from "../../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const outside = createOutside();
const time = createStandingClock(Date.parse("2027-03-01T10:00:00.250Z"));
const WRONG = {
  status: 401,
  json: { code: "UNAUTHORIZED", details: { reason: "Invalid OTP code" } },
};

let server: TestServer;
let story: Story;
let clientPublicKey: string;
let address: string;
let credentialId: string;
let count = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: time.clock, wallets: outside.wallets });
  story = await openStory(server, { environment: "PRODUCTION" });
  ({ clientPublicKey } = await createClientKey());
});
beforeEach(async () => {
  count += 1;
  address = `person.${count}@example.com`;
  outside.answerMail({ kind: "sent" });
  credentialId = (await register(address)).json.id;
  await story.settle();
});
afterAll(() => server.close());

async function register(email: string): Promise<RawAnswer> {
  const { accountId } = await newWallet(story);
  return story.call("POST", "/auth/credentials", { type: "EMAIL_OTP", accountId, email });
}

async function challenge(id = credentialId): Promise<RawAnswer> {
  const answer = await story.call("POST", `/auth/credentials/${id}/challenge`);
  await story.settle();
  return answer;
}

function guess(otp: unknown, id = credentialId): Promise<RawAnswer> {
  const body = { type: "EMAIL_OTP", otp, clientPublicKey };
  return story.call("POST", `/auth/credentials/${id}/verify`, body);
}

const code = () => outside.lastCode(address);
const mailsTo = (to: string) => outside.mails.filter((mail) => mail.to === to);
/** As many wrong guesses as there are, none of them right. */
const wrongCodes = (right: string, howMany: number) =>
  Array.from({ length: howMany }, (_, index) => String(index).padStart(6, "0")).filter(
    (one) => one !== right,
  );

describe("a mailed code", () => {
  it("is six digits, good for five minutes, and opens one session", async () => {
    expect(mailsTo(address)).toHaveLength(1);
    expect(code()).toMatch(/^\d{6}$/);
    expect(mailsTo(address)[0]?.expiresInSeconds).toBe(300);
    const right = code();
    expect((await guess(right)).status).toBe(200);
    expect(await guess(right)).toMatchObject(WRONG);
  });

  it("opens one session when it is used many times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(code())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it("ends to the millisecond", async () => {
    const right = code();
    time.move(300_000 - 1);
    expect((await guess(right)).status).toBe(200);
    expect((await challenge()).status).toBe(200);
    time.move(300_000);
    expect(await guess(code())).toMatchObject(WRONG);
  });

  it("is replaced by the next one", async () => {
    const old = code();
    time.move(30_000);
    expect((await challenge()).status).toBe(200);
    expect(mailsTo(address)).toHaveLength(2);
    if (code() !== old) expect(await guess(old)).toMatchObject(WRONG);
    expect((await guess(code())).status).toBe(200);
  });

  it("is of no use for another credential", async () => {
    const other = await register(`other.${count}@example.com`);
    await story.settle();
    const right = code();
    if (outside.lastCode(`other.${count}@example.com`) !== right) {
      expect(await guess(right, other.json.id)).toMatchObject(WRONG);
    }
  });

  it("is compared by its characters: 000000 is a code like any other, and numbers are refused", async () => {
    const right = code();
    if (right !== "000000") expect(await guess("000000")).toMatchObject(WRONG);
    expect(await guess(Number(right))).toMatchObject({ status: 400 });
    expect(await guess("")).toMatchObject({ status: 400 });
    expect(await guess("9".repeat(10_000))).toMatchObject({ status: 400 });
    expect(await guess([right])).toMatchObject({ status: 400 });
    expect(await guess(` ${right}`)).toMatchObject(WRONG);
    expect((await guess(right)).status).toBe(200);
  });

  it("follows the platform's wishes for its length, letters and life", async () => {
    const embeddedWalletConfig = { otpLength: 9, alphanumeric: true, expirationSeconds: 60 };
    await story.call("PATCH", "/config", { embeddedWalletConfig });
    time.move(30_000);
    await challenge();
    expect(code()).toMatch(/^[A-Z2-9]{9}$/);
    expect(mailsTo(address).at(-1)).toMatchObject({ expiresInSeconds: 60 });
    await story.call("PATCH", "/config", {
      embeddedWalletConfig: { otpLength: 6, alphanumeric: false, expirationSeconds: 300 },
    });
    time.move(60_000);
    expect(await guess(code())).toMatchObject(WRONG);
  });
});

describe("guesses", () => {
  it("are compared five times; the right code is then too late", async () => {
    const right = code();
    for (const wrong of wrongCodes(right, 6).slice(0, 5))
      expect(await guess(wrong)).toMatchObject(WRONG);
    expect(await guess(right)).toMatchObject(WRONG);
  });

  it("is still over when another server is asked, and after a new start", async () => {
    const right = code();
    for (const wrong of wrongCodes(right, 6).slice(0, 5)) await guess(wrong);
    const next = await startTestServer({
      clock: time.clock,
      wallets: outside.wallets,
      beside: server,
    });
    try {
      const answer = await fetch(`${next.baseUrl}/auth/credentials/${credentialId}/verify`, {
        method: "POST",
        headers: { authorization: story.authorization, "content-type": "application/json" },
        body: JSON.stringify({ type: "EMAIL_OTP", otp: right, clientPublicKey }),
      });
      expect(answer.status).toBe(401);
    } finally {
      await next.close();
    }
  });

  it("leaves a number of tries that a new code does not give back for ever", async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      time.move(30_000);
      const answer = await challenge();
      statuses.push(answer.status);
      if (answer.status === 200) continue;
      expect(answer.json).toMatchObject({ code: "RATE_LIMITED" });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(30);
    }
    // The one at the registration counts.
    expect(statuses).toEqual([...Array(9).fill(200), ...Array(3).fill(429)]);
    time.move(60 * 60 * 1000);
    expect((await challenge()).status).toBe(200);
  });
});

describe("mail", () => {
  it("comes at most every half minute, and the answer says when", async () => {
    time.move(29_999);
    const early = await challenge();
    expect(early).toMatchObject({ status: 429, json: { details: { retryAfterSeconds: 1 } } });
    expect(early.headers.get("retry-after")).toBe("1");
    time.move(1);
    expect((await challenge()).status).toBe(200);
  });

  it("to one address is limited over all accounts", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 22; index += 1) statuses.push((await register(address)).status);
    await story.settle();
    expect(statuses).toEqual([...Array(19).fill(201), ...Array(3).fill(429)]);
    expect(mailsTo(address)).toHaveLength(20);
  });

  it("that fails is tried again until the code has run out", async () => {
    outside.answerMail({ kind: "failed", reason: "busy" });
    time.move(30_000);
    await challenge();
    const before = mailsTo(address).length;
    time.move(60_000);
    await story.settle();
    expect(mailsTo(address).length).toBe(before + 1);
    outside.answerMail({ kind: "sent" });
    time.move(60_000);
    await story.settle();
    const keys = new Set(
      mailsTo(address)
        .slice(1)
        .map(({ key }) => key),
    );
    expect(keys.size).toBe(1);
    expect((await guess(code())).status).toBe(200);
    const sent = mailsTo(address).length;
    time.move(300_000);
    await story.settle();
    expect(mailsTo(address)).toHaveLength(sent);
  });

  it("that has expired is not sent", async () => {
    outside.answerMail({ kind: "failed", reason: "busy" });
    time.move(30_000);
    await challenge();
    const tried = mailsTo(address).length;
    time.move(300_000);
    await story.settle();
    expect(mailsTo(address)).toHaveLength(tried);
    expect(await jobsLeft()).toBe(0);
  });

  it("that is refused is not tried again", async () => {
    outside.answerMail({ kind: "refused", reason: "no such address" });
    time.move(30_000);
    await challenge();
    const tried = mailsTo(address).length;
    time.move(60_000);
    await story.settle();
    expect(mailsTo(address)).toHaveLength(tried);
    expect(await jobsLeft()).toBe(0);
  });

  it("for a further credential is sent at its creation, not at its request", async () => {
    const { accountId } = await newWallet(story);
    const token = await story.call("POST", "/auth/credentials", {
      type: "OAUTH",
      accountId,
      oidcToken: oidcToken(),
    });
    const session = await sessionByToken(story, token.json.id);
    const to = `second.${count}@example.com`;
    const body = { type: "EMAIL_OTP", accountId, email: to };
    const asked = await story.call("POST", "/auth/credentials", body);
    await story.settle();
    expect([asked.status, mailsTo(to).length]).toEqual([202, 0]);
    const made = await signedCall(
      story,
      { method: "POST", path: "/auth/credentials", body },
      session,
    );
    await story.settle();
    expect([made.status, mailsTo(to).length]).toEqual([201, 1]);
    expect((await guess(outside.lastCode(to), made.json.id)).status).toBe(200);
  });

  async function jobsLeft(): Promise<number> {
    return server.database.asSuperuser(async (client) => {
      const { rows } = await client.query(
        "select count(*)::int4 as jobs from jobs where platform_id = $1 and payload ->> 'credentialId' = $2",
        [story.platformId, credentialId.split(":")[1]],
      );
      return rows[0].jobs;
    });
  }
});

function oidcToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({})}.${part({ iss: "https://accounts.google.com", aud: "app", sub: "ana" })}.c2ln`;
}
