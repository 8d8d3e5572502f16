/** Payments from embedded wallets in production: real stamps of real sessions over the text of a quote, and nothing else. */
import { createClientKey, stampQuote } from "@florin/client/wallet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fundInternalAccount } from "../../../src/domain/platforms/sandbox/fund-internal-account.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { decide, newAgent, redeem } from "../../kit/story-agents.ts";
import { holdingsOf, internalAccount } from "../../kit/story-money.ts";
import { askQuote, execute, quoteBody } from "../../kit/story-quotes.ts";
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
const AMOUNT = 10_000_000;
const FUNDS = 50_000_000;

let server: TestServer;
let story: Story;
let names = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: time.clock, wallets: outside.wallets });
  story = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
});
afterAll(() => server.close());

const uuidOf = (wireId: string) => wireId.split(":")[1] ?? "";

interface Owned {
  readonly customerId: string;
  readonly accountId: string;
  readonly credentialId: string;
  readonly name: string;
  readonly session: ActiveSession;
}

/** A wallet with money, a credential and a session. */
async function owned(): Promise<Owned> {
  names += 1;
  const name = `payer ${names}`;
  const { customerId, accountId } = await newWallet(story);
  await server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "operator", id: "test" },
    command: fundInternalAccount,
    input: { accountId: uuidOf(accountId), amountMinor: BigInt(FUNDS) },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  const body = registrationBody("OAUTH", accountId, name);
  const credentialId = (await story.call("POST", "/auth/credentials", body)).json.id;
  const session = await sessionByToken(story, credentialId, name);
  return { customerId, accountId, credentialId, name, session };
}

/** The customer's other account in the wallet's currency, which the house keeps. */
const holdingOf = ({ customerId }: Owned) =>
  internalAccount(story, { customerId, currency: "USDB", type: "INTERNAL_CRYPTO" });

async function payable(from: Owned) {
  const to = await holdingOf(from);
  const made = await askQuote(story, { from: from.accountId, to, amount: AMOUNT });
  expect([made.status, made.json.status]).toEqual([201, "PENDING"]);
  const { payloadToSign } = made.json.paymentInstructions[0].accountOrWalletInfo;
  return { to, quote: made.json, payloadToSign: payloadToSign as string };
}

const statusOf = async (id: string) => (await story.call("GET", `/quotes/${id}`)).json.status;

describe("a quote from an embedded wallet in production", () => {
  it("between internal accounts in one currency has its fees and no exchange; the owner's stamp pays it, once", async () => {
    const payer = await owned();
    const { to, quote, payloadToSign } = await payable(payer);
    expect(quote).toMatchObject({ exchangeRate: 1, totalSendingAmount: AMOUNT });
    expect(quote.totalReceivingAmount + quote.feesIncluded).toBe(AMOUNT);
    const stamp = await stampQuote(payloadToSign, payer.session, {
      organizationId: uuidOf(payer.accountId),
      quote: {
        quoteId: quote.id,
        sendingCurrency: "USDB",
        totalSendingAmount: quote.totalSendingAmount,
        receivingCurrency: "USDB",
        totalReceivingAmount: quote.totalReceivingAmount,
        destination: quote.destination,
        expiresAt: quote.expiresAt,
        body: quoteBody({ from: payer.accountId, to, amount: AMOUNT }),
      },
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => execute(story, quote.id, stamp)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    await story.settle();
    expect(await statusOf(quote.id)).toBe("COMPLETED");
    expect((await holdingsOf(story, payer.accountId)).total).toBe(FUNDS - AMOUNT);
    expect((await holdingsOf(story, to)).available).toBe(quote.totalReceivingAmount);
  });

  it("is paid by no other stamp, and stays payable", async () => {
    const [payer, neighbour] = [await owned(), await owned()];
    const { quote, payloadToSign } = await payable(payer);
    const another = await payable(payer);
    const path = `/auth/sessions/${(await sessionByToken(story, payer.credentialId, payer.name)).id}`;
    const decoded = Buffer.from(payloadToSign, "base64url").toString();
    const ended = await sessionByToken(story, payer.credentialId, payer.name);
    const end = { method: "DELETE", path: `/auth/sessions/${ended.id}` };
    expect((await signedCall(story, end, payer.session)).status).toBe(204);
    const wrong: Readonly<Record<string, string | undefined>> = {
      "no stamp": undefined,
      "an empty one": "",
      "the sandbox's word": "sandbox-valid-signature",
      "a stamp by a key of one's own": await outsider().stamp(payloadToSign),
      "the stamp of a neighbour": await neighbour.session.stamp(payloadToSign),
      "a stamp over the decoded text": await payer.session.stamp(decoded),
      "the stamp for another quote": await payer.session.stamp(another.payloadToSign),
      "the stamp of a session that was ended": await ended.stamp(payloadToSign),
      "the stamp for the end of a session": await payer.session.stamp(
        (await story.call("DELETE", path)).json.payloadToSign,
      ),
    };
    for (const [what, stamp] of Object.entries(wrong)) {
      const { status, json } = await execute(story, quote.id, stamp);
      expect([what, status, json.details?.reason]).toEqual([
        what,
        401,
        `${stamp === undefined ? "Missing" : "Invalid"} Service-Wallet-Signature`,
      ]);
    }
    expect(await statusOf(quote.id)).toBe("PENDING");
    const stamp = await payer.session.stamp(payloadToSign);
    expect((await execute(story, quote.id, stamp)).status).toBe(200);
    await story.settle();
  });

  it("is not paid by a stamp after its end, nor by one of a session that ran out before it came", async () => {
    const payer = await owned();
    time.move(14 * 60_000);
    const { quote, payloadToSign } = await payable(payer);
    const stamp = await payer.session.stamp(payloadToSign);
    time.move(60_000);
    expect((await execute(story, quote.id, stamp)).status).toBe(401);
    const next = await sessionByToken(story, payer.credentialId, payer.name);
    time.move(4 * 60_000);
    const late = await execute(story, quote.id, await next.stamp(payloadToSign));
    expect([late.status, late.json.code]).toEqual([409, "QUOTE_EXPIRED"]);
  });

  it("is the only kind of quote there: an exchange or a payout is refused", async () => {
    const payer = await owned();
    const dollars = await story.call("GET", "/platform/internal-accounts?currency=USD");
    const to = dollars.json.data[0].id;
    const answer = await askQuote(story, { from: payer.accountId, to, amount: AMOUNT });
    expect([answer.status, answer.json.code]).toEqual([501, "NOT_IMPLEMENTED"]);
  });
});

describe("stamps of other operations", () => {
  const otherKey = async () => ({ clientPublicKey: (await createClientKey()).clientPublicKey });
  const operations: Readonly<Record<string, (of: Owned) => Promise<Act>>> = {
    "adding a credential": async ({ accountId }) => ({
      method: "POST",
      path: "/auth/credentials",
      body: registrationBody("OAUTH", accountId, "another"),
    }),
    "revoking a credential": async (of) => {
      const body = registrationBody("OAUTH", of.accountId, "second");
      const act = { method: "POST", path: "/auth/credentials", body };
      const made = await signedCall(story, act, of.session);
      return { method: "DELETE", path: `/auth/credentials/${made.json.id}` };
    },
    "revoking a session": async ({ credentialId, name }) => {
      const { id } = await sessionByToken(story, credentialId, name);
      return { method: "DELETE", path: `/auth/sessions/${id}` };
    },
    "refreshing a session": async ({ session }) => ({
      method: "POST",
      path: `/auth/sessions/${session.id}/refresh`,
      body: await otherKey(),
    }),
    "exporting the wallet": async ({ accountId }) => ({
      method: "POST",
      path: `/internal-accounts/${accountId}/export`,
      body: await otherKey(),
    }),
  };

  it.each(Object.entries(operations))(
    "%s: neither pays a quote, nor is done by the stamp of one",
    async (_, make) => {
      const payer = await owned();
      const { quote, payloadToSign } = await payable(payer);
      const ofQuote = await payer.session.stamp(payloadToSign);
      const { method, path, body } = await make(payer);
      const asked = (await story.call(method, path, body)).json;
      const ofOther = await payer.session.stamp(asked.payloadToSign);

      expect((await execute(story, quote.id, ofOther)).status).toBe(401);
      const withId = await story.call("POST", `/quotes/${quote.id}/execute`, undefined, {
        headers: signedHeaders(asked.requestId, ofOther),
      });
      expect(withId.status).toBe(401);
      const names = [asked.requestId, `Request:${uuidOf(quote.id)}`, uuidOf(quote.id), quote.id];
      for (const requestId of names) {
        const headers = signedHeaders(requestId, ofQuote);
        const answer = await story.call(method, path, body, { headers });
        expect([requestId, answer.status]).toEqual([requestId, 401]);
      }
      expect(await statusOf(quote.id)).toBe("PENDING");
      const headers = signedHeaders(asked.requestId, ofOther);
      expect((await story.call(method, path, body, { headers })).status).toBeLessThan(300);
    },
  );
});

describe("an agent", () => {
  async function agentOf(payer: Owned, policy: object) {
    const made = await newAgent(story, {
      customer: payer,
      policy: { spendingLimits: { currency: "USD", perTransactionLimit: 100_000 }, ...policy },
    });
    const authorization = await redeem(story, made.code);
    const to = await holdingOf(payer);
    const body = quoteBody({ from: payer.accountId, to, amount: AMOUNT });
    const { json } = await story.call("POST", "/agents/me/quotes", body, { authorization });
    const { payloadToSign } = json.paymentInstructions[0].accountOrWalletInfo;
    const run = (stamp: string) =>
      story.call("POST", `/agents/me/quotes/${json.id}/execute`, undefined, {
        authorization,
        headers: { "service-wallet-signature": stamp },
      });
    return { run, payloadToSign: payloadToSign as string };
  }

  it("pays with the stamp of the wallet's session, and with no other", async () => {
    const [payer, neighbour] = [await owned(), await owned()];
    const { run, payloadToSign } = await agentOf(payer, {});
    for (const stamp of ["sandbox-valid-signature", await neighbour.session.stamp(payloadToSign)]) {
      expect((await run(stamp)).status).toBe(401);
    }
    const done = await run(await payer.session.stamp(payloadToSign));
    expect([done.status, done.json.status]).toEqual([200, "APPROVED"]);
    await story.settle();
  });

  it("is held to a stamp that was right when it came, while the platform decides", async () => {
    const payer = await owned();
    const { run, payloadToSign } = await agentOf(payer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
    });
    const action = (await run(await payer.session.stamp(payloadToSign))).json;
    expect(action.status).toBe("PENDING_APPROVAL");
    const end = { method: "DELETE", path: `/auth/sessions/${payer.session.id}` };
    expect((await signedCall(story, end, payer.session)).status).toBe(204);
    expect((await decide(story, action, { word: "approve" })).json.status).toBe("APPROVED");
    await story.settle();
    expect((await holdingsOf(story, payer.accountId)).total).toBe(FUNDS - AMOUNT);
  });
});
