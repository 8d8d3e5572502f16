/** A UMA domain is given back: whose it can be next, and where its addresses lead from then on. */
import { afterEach, describe, expect, it } from "vitest";
import { releaseDomainFromShell } from "../../../src/commands/release-domain.ts";
import { operatorRuns } from "../../kit/operator.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { cancel, claim, statusOf } from "../../kit/story-invitations.ts";
import { advance, holdingsOf } from "../../kit/story-money.ts";
import { execute } from "../../kit/story-quotes.ts";
import { announce, answered, type UmaStage, umaStage } from "../../kit/story-uma.ts";

const BALANCE = 200_000;
const SENT = 100_000;

const server = await sharedServer();
afterEach(() => endReceivers());

let domains = 0;

/** A platform with a customer at a domain that is not its present one any more. */
async function moved() {
  const at = await umaStage(server, 200);
  const former = at.umaAddress.slice(at.umaAddress.indexOf("@") + 1);
  const present = `present-${++domains}.test`;
  expect((await setDomain(at.story, present)).status).toBe(200);
  return { at, former, present };
}

const setDomain = (story: Story, umaDomain: string) =>
  story.call("PATCH", "/config", { umaDomain });

function release(story: Story, domain: string, confirm = false): Promise<string> {
  const platform = `PlatformConfig:${story.platformId}`;
  return operatorRuns(server, releaseDomainFromShell, { platform, domain, confirm });
}

const look = (from: Story, address: string) =>
  from.call("GET", `/receiver/uma/${encodeURIComponent(address)}`);

const codeOf = ({ status, json }: RawAnswer) => [status, json.code];

async function customerAt(story: Story, umaAddress: string): Promise<RawAnswer> {
  const body = { customerType: "INDIVIDUAL", fullName: "Bo Lind", currencies: ["USD"] };
  return story.call("POST", "/customers", { ...body, umaAddress });
}

/** Somebody of another platform with a quote to pay the address. */
async function payerOf(address: string) {
  const story = await openStory(server);
  const { accountId, customerId } = await fundedCustomer(story, BALANCE);
  const { lookupId } = (await look(story, address)).json;
  const quote = await story.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: address },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: SENT,
    lookupId,
  });
  expect(quote.status).toBe(201);
  return { story, accountId, customerId, quote: quote.json };
}

describe("an unused former domain", () => {
  it("can be released and claimed by another platform, with all names below it", async () => {
    const { at, former } = await moved();
    const next = await openStory(server);
    expect(codeOf(await setDomain(next, former))).toEqual([409, "UMA_ADDRESS_EXISTS"]);
    expect(codeOf(await setDomain(next, `x.${former}`))).toEqual([409, "CONFLICT"]);
    await at.story.call("DELETE", `/customers/${at.customerId}`);
    expect(await release(at.story, former.toUpperCase())).toContain(`Released ${former}`);
    for (const domain of [former, `x.${former}`]) {
      expect((await setDomain(next, domain)).status).toBe(200);
    }
    expect(codeOf(await setDomain(at.story, former))).toEqual([409, "UMA_ADDRESS_EXISTS"]);
  });

  it("is not the present one, and is the platform's own", async () => {
    const { at, former, present } = await moved();
    const other = await openStory(server);
    const othersDomain = (await other.call("GET", "/config")).json.umaDomain;
    const id = `PlatformConfig:${at.story.platformId}`;
    await expect(release(at.story, present, true)).rejects.toThrow(
      `set another one first (florin platform set --platform ${id} --uma-domain`,
    );
    await expect(release(at.story, `sandbox.${former}`, true)).rejects.toThrow(
      `it is released with ${former}`,
    );
    const [foreign, unknown] = await Promise.all(
      [othersDomain, "unknown.test"].map((domain) =>
        release(at.story, domain, true).catch((error: Error) => error.message.replace(domain, "…")),
      ),
    );
    expect(foreign).toBe(`${id} does not have the UMA domain ….`);
    expect(unknown).toBe(foreign);
    expect((await other.call("GET", "/config")).json.umaDomain).toBe(othersDomain);
  });

  it("takes the domain of the sandbox's counterparties with it, which live at the present one then", async () => {
    const { at, former, present } = await moved();
    await at.story.call("DELETE", `/customers/${at.customerId}`);
    const found = async () =>
      Promise.all(
        [`sandbox.${former}`, `sandbox.${present}`].map(
          async (domain) => (await look(at.story, `$success.usd@${domain}`)).status,
        ),
      );
    expect(await found()).toEqual([200, 404]);
    const next = await openStory(server);
    expect(codeOf(await setDomain(next, `sandbox.${former}`))).toEqual([409, "UMA_ADDRESS_EXISTS"]);
    expect(await release(at.story, former)).toContain(`live at sandbox.${present} now`);
    expect(await found()).toEqual([404, 200]);
    expect((await setDomain(next, `sandbox.${former}`)).status).toBe(200);
    const below = await setDomain(next, `sandbox.${present}`);
    expect(codeOf(below)).toEqual([409, "UMA_ADDRESS_EXISTS"]);
  });
});

describe("a former domain that is in use", () => {
  async function invitationFrom(at: UmaStage): Promise<string> {
    const body = { inviterUma: at.umaAddress };
    return (await at.story.call("POST", "/invitations", body)).json.code;
  }

  it("is released only when the operator confirms, and the refusal counts its uses", async () => {
    const { at, former } = await moved();
    const code = await invitationFrom(at);
    const claimedCode = await invitationFrom(at);
    await claim(at.story, claimedCode);
    await payerOf(at.umaAddress);
    const own = await announce(at);
    expect(own.status).toBe(200);
    const before = (await at.story.call("GET", "/config")).json;
    await answered(at);
    await expect(release(at.story, former)).rejects.toThrow(
      `${former} is in use: addresses of customers 1, payments under way 0, pending invitations 1; --confirm`,
    );
    expect((await at.story.call("GET", "/config")).json).toEqual(before);
    expect((await look(await openStory(server), at.umaAddress)).status).toBe(200);
    await cancel(at.story, code);
    await expect(release(at.story, former)).rejects.toThrow("pending invitations 0");
    expect(await release(at.story, former, true)).toContain(`Released ${former}`);
  });

  it("counts a payment that waits for the platform's answer, and it is taken to its end", async () => {
    const at = await umaStage(server, { status: 202, body: "{}" });
    const former = at.umaAddress.slice(at.umaAddress.indexOf("@") + 1);
    await setDomain(at.story, `waiting-${++domains}.test`);
    const payer = await payerOf(at.umaAddress);
    await execute(payer.story, payer.quote.id);
    await payer.story.settle();
    await answered(at);
    await expect(release(at.story, former)).rejects.toThrow("payments under way 1");
    await release(at.story, former, true);
    await setDomain(await openStory(server), former);
    const { data } = (await at.story.call("GET", "/transactions?type=INCOMING")).json;
    expect((await at.story.call("POST", `/transactions/${data[0].id}/approve`)).status).toBe(200);
    await at.story.settle();
    await advance(payer.story, 5);
    const sent = await payer.story.call("GET", `/transactions/${payer.quote.transactionId}`);
    expect(sent.json.status).toBe("COMPLETED");
    const { available } = await holdingsOf(at.story, at.accountId);
    expect(available).toBe(payer.quote.totalReceivingAmount);
  });

  it("resolves to no customer afterwards: not in a lookup, a payment or an invitation", async () => {
    const { at, former, present } = await moved();
    const code = await invitationFrom(at);
    const payer = await payerOf(at.umaAddress);
    await release(at.story, former, true);

    const [gone, unknown] = [
      await look(payer.story, at.umaAddress),
      await look(payer.story, `$nobody@${former}`),
    ];
    expect(gone.status).toBe(404);
    expect(gone.text).toBe(unknown.text);
    await execute(payer.story, payer.quote.id);
    await payer.story.settle();
    const sent = await payer.story.call("GET", `/transactions/${payer.quote.transactionId}`);
    expect(sent.json).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } });
    expect((await holdingsOf(payer.story, payer.accountId)).available).toBe(BALANCE);

    const sender = `$success.usd@sandbox.${present}`;
    const fromSandbox = await announce({ ...at, sandboxDomain: `sandbox.${present}` });
    expect(codeOf(fromSandbox)).toEqual([404, "UMA_NOT_FOUND"]);
    expect((await look(at.story, sender)).status).toBe(200);

    expect(codeOf(await claim(payer.story, code))).toEqual([400, "INVITATION_CANCELLED"]);
    await at.story.settle();
    expect(await statusOf(payer.story, code)).toBe("CANCELLED");
    const again = await at.story.call("POST", "/invitations", { inviterUma: at.umaAddress });
    expect(codeOf(again)).toEqual([400, "INVALID_INPUT"]);
  });

  it("never leads to another platform's customer by the same address", async () => {
    const { at, former } = await moved();
    const payer = await payerOf(at.umaAddress);
    await release(at.story, former, true);
    const next = await openStory(server);
    await setDomain(next, former);
    const same = await customerAt(next, at.umaAddress);
    expect(codeOf(same)).toEqual([409, "UMA_ADDRESS_EXISTS"]);
    expect((await customerAt(next, `$other@${former}`)).status).toBe(201);
    expect((await look(payer.story, `$other@${former}`)).status).toBe(200);
    expect((await look(payer.story, at.umaAddress)).status).toBe(404);
    await execute(payer.story, payer.quote.id);
    await payer.story.settle();
    expect((await holdingsOf(payer.story, payer.accountId)).available).toBe(BALANCE);
    expect((await next.call("GET", "/transactions?type=INCOMING")).json.data).toEqual([]);
  });

  it("is no name to pay under: its customers pay as their platform until they have another address", async () => {
    const { at, former, present } = await moved();
    await at.story.call("POST", `/sandbox/internal-accounts/${at.accountId}/fund`, {
      amount: BALANCE,
    });
    await release(at.story, former, true);
    const other = await umaStage(server, 200);
    const { lookupId } = (await look(at.story, other.umaAddress)).json;
    const quote = await at.story.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId: at.accountId },
      destination: { destinationType: "UMA_ADDRESS", umaAddress: other.umaAddress },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: SENT,
      lookupId,
    });
    await execute(at.story, quote.json.id);
    await at.story.settle();
    await answered(other);
    const { data } = (await other.story.call("GET", "/transactions?type=INCOMING")).json;
    expect(data[0].source.umaAddress).toBe(`$platform@${present}`);
    const mended = `$ana@${present}`;
    const change = { customerType: "INDIVIDUAL", umaAddress: mended };
    const answer = await at.story.call("PATCH", `/customers/${at.customerId}`, change);
    expect(answer.json.umaAddress).toBe(mended);
    expect((await look(other.story, mended)).status).toBe(200);
    await advance(at.story, 5);
  });

  it("leads to its customers again when its platform claims it again", async () => {
    const { at, former } = await moved();
    const other = await openStory(server);
    await release(at.story, former, true);
    expect((await look(other, at.umaAddress)).status).toBe(404);
    expect((await setDomain(at.story, former)).status).toBe(200);
    expect((await look(other, at.umaAddress)).status).toBe(200);
  });
});
