/** Sandboxes of one deployment that exchange the messages of UMA, and settle over the built-in layer. */
import { beforeAll, describe, expect, it } from "vitest";
import { derivedKey } from "../../../src/boot/derived-key.ts";
import { createSandboxPasses } from "../../../src/domain/uma/domains/sandbox-pass.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { advance } from "../../kit/story-money.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import {
  balanceOf,
  openSandboxes,
  type Sandboxes,
  setNetwork,
} from "../../kit/story-uma-sandboxes.ts";
import { startTestServer } from "../../kit/test-server.ts";
import { askHost } from "../../kit/uma-proxy.ts";

const server = await sharedServer();
const settled = { status: "COMPLETED" };

describe("two sandboxes that speak UMA", () => {
  let both: Sandboxes;
  beforeAll(async () => {
    both = await openSandboxes(server);
  });

  it.each(["RECEIVING", "SENDING"] as const)("settle a payment with %s locked", async (side) => {
    const before = await balanceOf(both.payee, both.payeeAccountId);
    const { quoteId, outgoingId, incomingId } = await both.quoted({ side, amount: 1_234 });
    const shown = (await both.payee.call("GET", `/uma/payments/${incomingId}`)).json;
    expect(shown).toMatchObject({ layer: "florin-sandbox", vaspDomain: both.payerDomain });
    expectStatus(200, await both.execute(quoteId));
    await both.payer.settle();
    const sent = (await both.payer.call("GET", `/transactions/${outgoingId}`)).json;
    expect(sent).toMatchObject(settled);
    const [came] = await both.incoming();
    expect(came).toMatchObject({ id: incomingId, ...settled });
    expect(came.receivedAmount).toEqual(sent.receivedAmount);
    expect((await balanceOf(both.payee, both.payeeAccountId)) - before).toBe(1_234);
  });

  it("note their exchanges, and each other by name", async () => {
    await server.app.umaNotes.settled();
    const { data } = (await both.payee.call("GET", "/uma/exchanges")).json;
    expect(data).toContainEqual(
      expect.objectContaining({ direction: "IN", kind: "PAY_REQUEST", outcome: "OK" }),
    );
    const known = (await both.payee.call("GET", "/uma/counterparties")).json.data;
    expect(known).toMatchObject([
      { domain: both.payerDomain, name: expect.stringMatching(/^platform/), keyState: "OK" },
    ]);
  });

  it("know who is not there, and simulate the addresses of the sandbox", async () => {
    const at = (address: string) =>
      both.payer.call("GET", `/receiver/uma/${encodeURIComponent(address)}`);
    const unknown = await at(`$nobody@${both.payeeDomain}`);
    expect([unknown.status, unknown.json.code]).toEqual([404, "UMA_NOT_FOUND"]);
    const magic = expectStatus(200, await at(`$success.eur@sandbox.${both.payerDomain}`)).json;
    expect(magic.supportedCurrencies).toMatchObject([{ estimatedExchangeRate: 0.92 }]);
  });

  it("keep the connection of their layer", async () => {
    const { data } = (await both.payee.call("GET", "/rails/connections")).json;
    const archived = await both.payee.call("DELETE", `/rails/connections/${data[0].id}`);
    expect([archived.status, archived.json.details]).toEqual([409, { kind: "SANDBOX" }]);
  });

  it("serve their domains to nobody else", async () => {
    const { port } = server.app.address;
    const path = "/.well-known/lnurlpubkey";
    const host = both.payeeDomain;
    const unserved = await askHost(port, { host: "nobody.test", path });
    expect(unserved.status).toBe(404);
    const target = { method: "GET", host, target: path };
    const passes = createSandboxPasses(derivedKey(server.app.store, "uma sandboxes"));
    const foreign = createSandboxPasses(Buffer.alloc(32, 7));
    const now = Date.now();
    const good = passes.make(target, now);
    const headers = [
      undefined,
      foreign.make(target, now),
      passes.make(target, now - 31_000),
      passes.make({ ...target, host: both.payerDomain }, now),
      good.replace("sandbox.", "production."),
      `${good}x`,
    ];
    for (const pass of headers) {
      const sent = pass === undefined ? {} : { "florin-sandbox": pass };
      const answer = await askHost(port, { host, path, headers: sent });
      expect([pass, answer.status, answer.text]).toEqual([pass, 404, unserved.text]);
    }
    const served = await askHost(port, { host, path, headers: { "florin-sandbox": good } });
    expect([served.status, JSON.parse(served.text).signingPubKey.length]).toEqual([200, 130]);
  });

  it("take a payment by a token of theirs from each other alone", async () => {
    const { platformId } = both.payee;
    const tokens = server.app.umaExchanges.callbackTokens;
    const grant = { platformId, customerId: both.payeeCustomerId.split(":")[1] ?? "" };
    const about = { address: both.umaAddress, vaspDomain: both.payerDomain, umaVersion: "1.0" };
    const answerTo = async (isAmongSandboxes: boolean) => {
      const token = tokens.make({ ...grant, ...about, at: Date.now(), isAmongSandboxes });
      const url = `http://127.0.0.1:${server.app.address.port}/uma/pay/${token}`;
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      return JSON.parse(await answer.text()).code;
    };
    expect(await answerTo(true)).toBe("REQUEST_NOT_FOUND");
    expect(await answerTo(false)).toBe("PARSE_PAYREQ_REQUEST_ERROR");
  });

  it("let an invoice lapse by the clock of the payee", async () => {
    const { quoteId, outgoingId } = await both.quoted();
    expectStatus(200, await advance(both.payee, 361));
    const [lapsed] = await both.incoming();
    expect(lapsed).toMatchObject({ status: "FAILED", failureReason: "QUOTE_EXPIRED" });
    expectStatus(200, await both.execute(quoteId));
    await both.payer.settle();
    const sent = (await both.payer.call("GET", `/transactions/${outgoingId}`)).json;
    expect(sent.status).toBe("FAILED");
    expect(await both.quote().then(({ status }) => status)).toBe(201);
  });

  it.each(["payer", "payee"] as const)("are simulated where the %s says so", async (side) => {
    await setNetwork(both[side], "SIMULATED");
    const found = expectStatus(200, await both.look()).json;
    expect(found.supportedCurrencies).toHaveLength(1);
    await server.app.umaNotes.settled();
    const before = (await both.payee.call("GET", "/uma/exchanges?limit=100")).json.totalCount;
    const { json } = expectStatus(201, await both.quote({ more: { lookupId: found.lookupId } }));
    expectStatus(200, await both.execute(json.id));
    await both.payer.settle();
    await both.payee.settle();
    await both.payer.settle();
    const [came] = await both.incoming();
    expect(came).toMatchObject(settled);
    const shown = await both.payee.call("GET", `/uma/payments/${came.id}`);
    expect(shown.status).toBe(404);
    await server.app.umaNotes.settled();
    const after = (await both.payee.call("GET", "/uma/exchanges?limit=100")).json.totalCount;
    expect(after).toBe(before);
    await setNetwork(both[side], "PROTOCOL");
  });
});

it("an invoice of one server is paid over another", async () => {
  const both = await openSandboxes(server);
  const beside = await startTestServer({ beside: server });
  try {
    const { quoteId, outgoingId } = await both.quoted();
    const { authorization } = both.payer;
    const executed = await fetch(`${beside.baseUrl}/quotes/${quoteId}/execute`, {
      method: "POST",
      headers: { authorization },
    });
    expect(executed.status).toBe(200);
    await beside.app.jobs.drain(both.payer.platformId);
    await both.payer.settle();
    const sent = (await both.payer.call("GET", `/transactions/${outgoingId}`)).json;
    expect(sent).toMatchObject(settled);
    expect(await both.incoming()).toMatchObject([settled]);
  } finally {
    await beside.close();
  }
});
