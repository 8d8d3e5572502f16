/**
 * The signed retry in production: every operation with every wrong binding. Nothing of it is accepted, nothing of it uses the
 * request up, and the right call still works afterwards, once.
 */
import { createClientKey } from "@florin/client/wallet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  type Act,
  type ActiveSession,
  createOutside,
  createStandingClock,
  newWallet,
  outsider,
  registrationBody,
  sessionByToken,
  signedCall,
  signedHeaders,
} from "../../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const outside = createOutside();
const time = createStandingClock(Date.parse("2027-03-01T10:00:00.250Z"));
const MINUTE_MS = 60_000;

let server: TestServer;
let story: Story;
let elsewhere: Story;
let names = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: time.clock, wallets: outside.wallets });
  story = await openStory(server, { environment: "PRODUCTION" });
  elsewhere = await openStory(server, { environment: "PRODUCTION" });
  // What differs from the signed body is for the stamp to judge.
  await ignoreUnknownFields(story);
});
afterAll(() => server.close());

/** A wallet with two credentials of people who can log in. */
interface Owned {
  readonly accountId: string;
  readonly names: readonly [string, string];
  readonly credentialIds: readonly [string, string];
  readonly sessions: readonly [ActiveSession, ActiveSession];
}

const nextName = () => `person ${++names}`;

async function owned(of: Story): Promise<Owned> {
  const { accountId } = await newWallet(of);
  const [first, second] = [nextName(), nextName()];
  const path = "/auth/credentials";
  const one = await of.call("POST", path, registrationBody("OAUTH", accountId, first));
  const keys = await sessionByToken(of, one.json.id, first);
  const body = registrationBody("OAUTH", accountId, second);
  const two = await signedCall(of, { method: "POST", path, body }, keys);
  const credentialIds = [one.json.id, two.json.id] as const;
  const sessions = [keys, await sessionByToken(of, two.json.id, second)] as const;
  return { accountId, names: [first, second], credentialIds, sessions };
}

interface Operation {
  readonly status: number;
  /** A call that nobody has made yet, and the session that may sign it. */
  make(of: Story, wallet: Owned): Promise<Act & { readonly signer: ActiveSession }>;
  /** The same call with another body, where it has one. */
  otherBody?(act: Act): Promise<unknown>;
}

const otherKey = async () => ({ clientPublicKey: (await createClientKey()).clientPublicKey });

const operations: Readonly<Record<string, Operation>> = {
  "adding a credential": {
    status: 201,
    make: async (_of, { accountId, sessions: [signer] }) => ({
      method: "POST",
      path: "/auth/credentials",
      body: registrationBody("OAUTH", accountId, nextName()),
      signer,
    }),
    otherBody: async ({ body }) => ({ ...(body as object), nickname: "another field" }),
  },
  "revoking a credential": {
    status: 204,
    async make(of, { accountId, sessions: [signer] }) {
      const body = registrationBody("OAUTH", accountId, nextName());
      const made = await signedCall(
        of,
        { method: "POST", path: "/auth/credentials", body },
        signer,
      );
      return { method: "DELETE", path: `/auth/credentials/${made.json.id}`, signer };
    },
  },
  "revoking a session": {
    status: 204,
    async make(of, { credentialIds: [id], names: [name], sessions: [, signer] }) {
      const session = await sessionByToken(of, id, name);
      return { method: "DELETE", path: `/auth/sessions/${session.id}`, signer };
    },
  },
  "refreshing a session": {
    status: 201,
    make: async (_of, { sessions: [signer] }) => ({
      method: "POST",
      path: `/auth/sessions/${signer.id}/refresh`,
      body: await otherKey(),
      signer,
    }),
    otherBody: otherKey,
  },
  "exporting the wallet": {
    status: 200,
    make: async (_of, { accountId, sessions: [signer] }) => ({
      method: "POST",
      path: `/internal-accounts/${accountId}/export`,
      body: await otherKey(),
      signer,
    }),
    otherBody: otherKey,
  },
};

const operationNames = Object.keys(operations);
const operationOf = (name: string) => present(operations[name], name);

interface Asked {
  readonly act: Act;
  readonly requestId: string;
  readonly payloadToSign: string;
  readonly stamp: string;
}

async function ask(of: Story, name: string, wallet: Owned): Promise<Asked> {
  const { signer, ...act } = await operationOf(name).make(of, wallet);
  const first = await of.call(act.method, act.path, act.body);
  expect([name, first.status]).toEqual([name, 202]);
  const { requestId, payloadToSign } = first.json;
  return { act, requestId, payloadToSign, stamp: await signer.stamp(payloadToSign) };
}

interface Attempt {
  readonly act?: Act;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId?: string;
  readonly stamp?: string;
}

function retry(asked: Asked, attempt: Attempt = {}): Promise<RawAnswer> {
  const { method, path, body } = attempt.act ?? asked.act;
  const requestId = attempt.requestId ?? asked.requestId;
  const headers = attempt.headers ?? signedHeaders(requestId, attempt.stamp ?? asked.stamp);
  return story.call(method, path, body, { headers });
}

/** Everything that could have changed, but for requests that were only asked for. */
async function stateOf(): Promise<string> {
  return server.database.asSuperuser(async (client) => {
    const { rows } = await client.query(
      "select (select json_agg(c order by c.id) from wallet_credentials c) as credentials, " +
        "(select json_agg(s order by s.id) from wallet_sessions s) as sessions, " +
        "(select json_agg(r.id order by r.id) from wallet_requests r where used_at is not null) as used",
    );
    return JSON.stringify(rows);
  });
}

const reencoded = (stamp: string, edit: (json: string) => string) =>
  Buffer.from(edit(Buffer.from(stamp, "base64url").toString())).toString("base64url");

/** Headers that are no stamp, made from one that is. */
const misspelt: Readonly<Record<string, (stamp: string) => string>> = {
  "the sandbox's word": () => "sandbox-valid-signature",
  nothing: () => "",
  "no base64url": (stamp) => `${stamp}!`,
  padding: (stamp) => `${stamp}=`,
  "another scheme": (stamp) =>
    reencoded(stamp, (json) => json.replace("TK_API_P256", "TK_API_P384")),
  "an unknown key in its JSON": (stamp) => reencoded(stamp, (json) => json.replace("{", '{"x":1,')),
  "a key twice": (stamp) =>
    reencoded(stamp, (json) => json.replace("{", '{"scheme":"SIGNATURE_SCHEME_TK_API_P256",')),
  "another bit of the signature": (stamp) =>
    reencoded(stamp, (json) =>
      json.replace(/([0-9a-f])"\}$/, (_, last) => `${last === "0" ? "1" : "0"}"}`),
    ),
};

describe.each(operationNames)("%s", (name) => {
  it("accepts only the stamp of the right session for the right request, once", async () => {
    const { status, otherBody } = operationOf(name);
    const [wallet, neighbour, foreign] = await Promise.all([
      owned(story),
      owned(story),
      owned(elsewhere),
    ]);
    const asked = await ask(story, name, wallet);
    const others = await Promise.all(
      operationNames.filter((other) => other !== name).map((other) => ask(story, other, wallet)),
    );
    const sameElsewhere = await ask(story, name, neighbour);
    const sameAgain = await ask(story, name, wallet);
    const ofAnotherPlatform = await ask(elsewhere, name, foreign);
    const { payloadToSign: payload } = asked;
    const decoded = Buffer.from(payload, "base64url").toString();

    const wrong: Record<string, Attempt> = {
      "the request's id alone": { headers: { "Request-Id": asked.requestId } },
      "the stamp alone": { headers: { "Service-Wallet-Signature": asked.stamp } },
      "an id of another kind": { requestId: asked.requestId.replace("Request", "Session") },
      "an id that is none": { requestId: "1" },
      "an id that nobody has": { requestId: "Request:019a4f00-0000-7000-8000-000000000001" },
      "the request of a neighbour": { ...sameElsewhere, act: asked.act },
      "the request of another platform": { ...ofAnotherPlatform, act: asked.act },
      "a stamp with a key of one's own": { stamp: await outsider().stamp(payload) },
      "the stamp of a neighbour's session": { stamp: await neighbour.sessions[0].stamp(payload) },
      "the stamp of another platform's session": {
        stamp: await foreign.sessions[0].stamp(payload),
      },
      "a stamp over the decoded text": { stamp: await wallet.sessions[0].stamp(decoded) },
      "a stamp over the text written anew": {
        stamp: await wallet.sessions[0].stamp(
          Buffer.from(JSON.stringify(JSON.parse(decoded), null, 1)).toString("base64url"),
        ),
      },
      "the stamp for the same thing asked for again": { stamp: sameAgain.stamp },
    };
    for (const other of others) {
      wrong[`the request of ${other.act.method} ${other.act.path}`] = { ...other, act: asked.act };
      wrong[`itself for ${other.act.method} ${other.act.path}`] = { act: other.act };
    }
    for (const [what, misspell] of Object.entries(misspelt)) {
      wrong[`a stamp that is ${what}`] = { stamp: misspell(asked.stamp) };
    }
    if (asked.act.path !== sameAgain.act.path) {
      wrong["another target of the same account"] = { act: sameAgain.act };
    }
    if (asked.act.path !== sameElsewhere.act.path) {
      wrong["the neighbour's target"] = { act: sameElsewhere.act };
    }
    if (otherBody !== undefined) {
      const changed = { ...asked.act, body: await otherBody(asked.act) };
      wrong["another body"] = { act: changed };
    }

    const before = await stateOf();
    for (const [what, attempt] of Object.entries(wrong)) {
      const answer = await retry(asked, attempt);
      expect([what, answer.status, answer.json?.code]).toEqual([what, 401, "UNAUTHORIZED"]);
      expect([what, typeof answer.json.details.reason]).toEqual([what, "string"]);
    }
    expect(await stateOf()).toBe(before);

    expect((await retry(asked)).status).toBe(status);
    expect((await retry(asked)).status).toBe(401);
  });

  it("is done once, by fifty identical retries at once", async () => {
    const asked = await ask(story, name, await owned(story));
    const answers = await Promise.all(Array.from({ length: 50 }, () => retry(asked)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((one) => one === operationOf(name).status)).toHaveLength(1);
    expect(statuses.filter((one) => one === 401)).toHaveLength(49);
  });

  it("is taken until the request's end, and not at it", async () => {
    const wallet = await owned(story);
    const early = await ask(story, name, wallet);
    const late = await ask(story, name, wallet);
    time.move(5 * MINUTE_MS - 1);
    expect((await retry(early)).status).toBe(operationOf(name).status);
    time.move(1);
    expect((await retry(late)).status).toBe(401);
  });

  it("is not taken from a session that ran out or was ended after the first call", async () => {
    const wallet = await owned(story);
    time.move(15 * MINUTE_MS - 2);
    const [fresh] = (await relogin(wallet)).sessions;
    const asked = await ask(story, name, { ...wallet, sessions: [fresh, fresh] });
    const byOld = await wallet.sessions[1].stamp(asked.payloadToSign);
    const byEnded = await sessionByToken(story, wallet.credentialIds[1], wallet.names[1]);
    const ended = await byEnded.stamp(asked.payloadToSign);
    const path = `/auth/sessions/${byEnded.id}`;
    expect((await signedCall(story, { method: "DELETE", path }, fresh)).status).toBe(204);
    time.move(2);
    expect((await retry(asked, { stamp: byOld })).status).toBe(401);
    expect((await retry(asked, { stamp: ended })).status).toBe(401);
    expect((await retry(asked)).status).toBe(operationOf(name).status);
  });

  it("is not taken from a session whose credential was revoked after the first call", async () => {
    const wallet = await owned(story);
    const [kept, lost] = wallet.sessions;
    const asked = await ask(story, name, { ...wallet, sessions: [kept, kept] });
    const stamp = await lost.stamp(asked.payloadToSign);
    const path = `/auth/credentials/${wallet.credentialIds[1]}`;
    expect((await signedCall(story, { method: "DELETE", path }, kept)).status).toBe(204);
    expect((await retry(asked, { stamp })).status).toBe(401);
    expect((await retry(asked)).status).toBe(operationOf(name).status);
  });

  it("is refused after the customer's deletion", async () => {
    const wallet = await owned(story);
    const asked = await ask(story, name, wallet);
    const account = await story.call("GET", "/customers/internal-accounts?type=EMBEDDED_WALLET");
    const { customerId } = account.json.data.find(
      ({ id }: { id: string }) => id === wallet.accountId,
    );
    expect((await story.call("DELETE", `/customers/${customerId}`)).status).toBeLessThan(300);
    expect((await retry(asked)).status).toBe(401);
  });
});

async function relogin(wallet: Owned): Promise<Owned> {
  const [one, two] = wallet.credentialIds;
  const sessions = [
    await sessionByToken(story, one, wallet.names[0]),
    await sessionByToken(story, two, wallet.names[1]),
  ] as const;
  return { ...wallet, sessions };
}

describe("who may sign", () => {
  it("for the end of a credential: a session of another one", async () => {
    const wallet = await owned(story);
    const [id] = wallet.credentialIds;
    const path = `/auth/credentials/${id}`;
    const first = await story.call("DELETE", path);
    const { requestId, payloadToSign } = first.json;
    const by = async (session: ActiveSession) => {
      const headers = signedHeaders(requestId, await session.stamp(payloadToSign));
      return (await story.call("DELETE", path, undefined, { headers })).status;
    };
    expect(await by(wallet.sessions[0])).toBe(401);
    expect(await by(wallet.sessions[1])).toBe(204);
  });

  it("for the end of a session: the session itself, too", async () => {
    const { sessions } = await owned(story);
    const path = `/auth/sessions/${sessions[0].id}`;
    expect((await signedCall(story, { method: "DELETE", path }, sessions[0])).status).toBe(204);
    expect((await story.call("DELETE", path)).status).toBe(404);
  });

  it("for a new session after it: the session itself and no other", async () => {
    const { sessions } = await owned(story);
    const path = `/auth/sessions/${sessions[0].id}/refresh`;
    const act = { method: "POST", path, body: await otherKey() };
    expect((await signedCall(story, act, sessions[1])).status).toBe(401);
    expect((await signedCall(story, act, sessions[0])).status).toBe(201);
  });

  it("when two credentials revoke each other at once: one of them, and one stays", async () => {
    const { credentialIds, sessions, accountId } = await owned(story);
    const asked = await Promise.all(
      credentialIds.map(async (id, index) => {
        const path = `/auth/credentials/${id}`;
        const first = await story.call("DELETE", path);
        const signer = present(sessions[1 - index], "a session");
        const stamp = await signer.stamp(first.json.payloadToSign);
        return { path, headers: signedHeaders(first.json.requestId, stamp) };
      }),
    );
    const answers = await Promise.all(
      asked.map(({ path, headers }) => story.call("DELETE", path, undefined, { headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    const listed = await story.call("GET", `/auth/credentials?accountId=${accountId}`);
    expect(listed.json.totalCount).toBe(1);
  });
});

describe.each([
  ["EMAIL_OTP", "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"],
  ["PASSKEY", "PASSKEY_CREDENTIAL_ALREADY_EXISTS"],
])("two credentials of type %s that are added at once", (type, code) => {
  it("have one effect, whichever of the signed calls is first", async () => {
    const { accountId, sessions } = await owned(story);
    const path = "/auth/credentials";
    const asked = await Promise.all(
      sessions.map(async (signer) => {
        const body = registrationBody(type, accountId, nextName().replace(" ", "."));
        const { status, json } = await story.call("POST", path, body);
        expect(status).toBe(202);
        return {
          body,
          headers: signedHeaders(json.requestId, await signer.stamp(json.payloadToSign)),
        };
      }),
    );
    const answers = await Promise.all(
      asked.map(({ body, headers }) => story.call("POST", path, body, { headers })),
    );
    const told = answers.map(({ status, json }) => [status, json.code]);
    expect(told.sort()).toEqual([
      [201, undefined],
      [400, code],
    ]);
    const listed = await story.call("GET", `${path}?accountId=${accountId}`);
    expect(listed.json.data.filter((one: { type: string }) => one.type === type)).toHaveLength(1);
  });
});

describe("the first of several wrongs", () => {
  const UNKNOWN = "Request:019a4f00-0000-7000-8000-000000000001";
  const STAMP = "Invalid Service-Wallet-Signature";
  const REQUEST = "Invalid Request-Id";

  it("is reported: headers, then the request, then the stamp, then the target, then the rest", async () => {
    const wallet = await owned(story);
    const [keeper] = wallet.sessions;
    const path = `/auth/credentials/${wallet.credentialIds[1]}`;
    const asked = (await story.call("DELETE", path)).json;
    const gone = (await story.call("DELETE", path)).json;
    const right = await keeper.stamp(asked.payloadToSign);
    const late = await keeper.stamp(gone.payloadToSign);
    const foreign = await outsider().stamp(asked.payloadToSign);
    const tell = async (headers: Readonly<Record<string, string>>) => {
      const { status, json } = await story.call("DELETE", path, undefined, { headers });
      return [status, json?.details?.reason ?? json?.code];
    };
    expect(await tell({ "Request-Id": UNKNOWN })).toEqual([
      401,
      `Missing Service-Wallet-Signature`,
    ]);
    expect(await tell({ "Service-Wallet-Signature": "x" })).toEqual([401, "Missing Request-Id"]);
    expect(await tell(signedHeaders("x", "x"))).toEqual([401, REQUEST]);
    expect(await tell(signedHeaders(UNKNOWN, "x"))).toEqual([401, STAMP]);
    expect(await tell(signedHeaders(UNKNOWN, foreign))).toEqual([401, REQUEST]);
    expect(await tell(signedHeaders(asked.requestId, foreign))).toEqual([401, STAMP]);
    expect(await tell(signedHeaders(asked.requestId, right))).toEqual([204, undefined]);
    expect(await tell(signedHeaders(asked.requestId, foreign))).toEqual([401, REQUEST]);
    expect(await tell(signedHeaders(gone.requestId, foreign))).toEqual([401, STAMP]);
    expect(await tell(signedHeaders(gone.requestId, late))).toEqual([404, "REFERENCE_NOT_FOUND"]);
  });
});

describe("an idempotency key", () => {
  it("keeps the answer to the retry, for the same headers alone", async () => {
    const wallet = await owned(story);
    const asked = await ask(story, "exporting the wallet", wallet);
    const { method, path, body } = asked.act;
    const headers = signedHeaders(asked.requestId, asked.stamp);
    const options = { key: "export", headers };
    const wrongFirst = { ...options, headers: { ...headers, "Service-Wallet-Signature": "x" } };
    expect((await story.call(method, path, body, wrongFirst)).status).toBe(401);
    const first = await story.call(method, path, body, options);
    const again = await story.call(method, path, body, options);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await story.call(method, path, body, wrongFirst)).toMatchObject({ status: 422 });
    // The first call is another one: it asks for a signature, whatever was answered under the key.
    expect((await story.call(method, path, body, { key: "export" })).status).toBe(202);
  });

  it("that was used for the retry is free for the first call of another one", async () => {
    const wallet = await owned(story);
    const { act, requestId, stamp } = await ask(story, "adding a credential", wallet);
    const { method, path, body } = act;
    const headers = signedHeaders(requestId, stamp);
    expect((await story.call(method, path, body, { key: "add", headers })).status).toBe(201);
    const other = registrationBody("OAUTH", wallet.accountId, nextName());
    expect((await story.call(method, path, other, { key: "add" })).status).toBe(202);
  });
});
