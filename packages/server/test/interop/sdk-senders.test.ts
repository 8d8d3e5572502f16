/** Institutions on the official SDKs look up customers and pay them: both amounts, with and without the travel rule. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { balanceOf, transactionOf } from "../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../kit/story-uma-paid.ts";
import { askHost } from "../kit/uma-proxy.ts";
import { foundSdks } from "./found-sdks.ts";
import { hookUrlOf, type Institution, openInstitution } from "./institution.ts";
import type { PayWish } from "./sdk-calls.ts";

const ANA = "$ana@bank.test";
const TRAVEL_RULE = JSON.stringify({ originator: { originatorPerson: [{ naturalPerson: {} }] } });

describe.each(foundSdks)("an institution on the SDK for %s", (_name, sdk) => {
  describe.skipIf(sdk === undefined)("pays a customer", () => {
    let institution: Institution;
    /** With the travel rule, and without. */
    let regulated: PaidStory;
    let free: PaidStory;
    beforeAll(async () => {
      institution = await openInstitution(present(sdk, "the SDK"), "payer.test");
      const institutions = { "payer.test": institution.port };
      [regulated, free] = await Promise.all([
        openPaid({ institutions }),
        openPaid({ institutions, isRegulated: false }),
      ]);
    });
    afterAll(async () => {
      await Promise.all([regulated?.close(), free?.close()]);
      await institution?.close();
    });

    const ask = (at: PaidStory, url: string) => {
      const { host, pathname, search } = new URL(url);
      return askHost(at.port, { host, path: pathname + search });
    };

    async function keysOf(at: PaidStory): Promise<string> {
      return (await ask(at, "https://bank.test/.well-known/lnurlpubkey")).text;
    }

    async function lookUp(at: PaidStory, umaVersion?: string) {
      const wish = { receiver: ANA, isRegulated: at === regulated, umaVersion };
      return ask(at, (await institution.vasp.call("lookUp", wish)).url);
    }

    /** Its lookup, as it reads the answer. */
    async function found(at: PaidStory) {
      const { status, text } = await lookUp(at);
      expect([status, text]).toEqual([200, text]);
      return institution.vasp.call("readLookupAnswer", { text, keys: await keysOf(at) });
    }

    /** What it asks for with a pay request, and how it reads the answer. */
    async function pay(at: PaidStory, wish: Pick<PayWish, "amount" | "isReceived">) {
      const keys = await keysOf(at);
      const payer = "$bo@payer.test";
      const { callback } = await found(at);
      const { text } = await institution.vasp.call("payRequest", {
        ...wish,
        currency: "EUR",
        payer,
        name: "Bo Lind",
        keys,
        ...(at === regulated ? { travelRule: TRAVEL_RULE } : {}),
        payeeData: { name: { mandatory: true }, email: { mandatory: false } },
        comment: "for lunch",
        utxoCallback: hookUrlOf(institution),
      });
      const answered = await at.post(callback, text);
      expect([answered.status, answered.text]).toEqual([200, answered.text]);
      const { data } = (await at.bank.call("GET", "/transactions?limit=1&sortOrder=desc")).json;
      const read = { text: answered.text, keys, payer, payee: ANA };
      const answer = await institution.vasp.call("readPayAnswer", read);
      const { utxoCallback } = JSON.parse(answered.text).payeeData.compliance;
      return { answer, utxoCallback, transactionId: data[0].id as string };
    }

    it("who is found, with a price in version 1.0", async () => {
      for (const at of [regulated, free]) {
        expect(await found(at)).toMatchObject({
          umaVersion: "1.0",
          receiver: ANA,
          isRegulated: at === regulated,
          currencies: [{ code: "EUR", decimals: 2, multiplier: 12_500 }],
          payerData: { identifier: { mandatory: true }, compliance: { mandatory: true } },
        });
      }
    });

    it("whatever halves the signatures on either side have", async () => {
      for (let count = 0; count < 16; count += 1) await found(regulated);
    });

    it.each(["0.3", "9.0"])("after it began with version %s", async (version) => {
      const { status, text } = await lookUp(regulated, version);
      expect(status).toBe(412);
      const { umaVersion } = await institution.vasp.call("speakOf", { text });
      expect(umaVersion).toMatch(/^1\./);
      const again = await lookUp(regulated, present(umaVersion, "the version"));
      expect(again.status).toBe(200);
    });

    it.each([
      ["with the travel rule, an amount that arrives", true, 1_000, true],
      ["with the travel rule, units of the asset", true, 12_345_678, false],
      ["without the travel rule, an amount that arrives", false, 777, true],
      ["without the travel rule, units of the asset", false, 87_654_321, false],
    ] as const)("%s", async (_what, isRegulated, amount, isReceived) => {
      const at = isRegulated ? regulated : free;
      const { answer, utxoCallback, transactionId } = await pay(at, { amount, isReceived });
      const order = at.invoiceOf(transactionId);
      expect(answer).toMatchObject({ currency: "EUR", decimals: 2 });
      expect(answer.payeeData).toMatchObject({ identifier: ANA, name: "Ana" });
      expect(answer.invoice).toBe(`lnbc${transactionId.split(":")[1]}`);
      const units = Math.ceil(answer.amount * answer.multiplier) + answer.fee;
      expect(order.amount).toBe(String(isReceived ? units : amount));
      expect(isReceived ? answer.amount : units <= amount).toBe(isReceived ? amount : true);
      const before = await balanceOf(at.bank, at.accountId);
      institution.tellersKeys = () => keysOf(at);
      const told = institution.told.length;
      await at.tell(transactionId, BigInt(order.amount));
      expect((await balanceOf(at.bank, at.accountId)) - before).toBe(answer.amount);
      expect(await transactionOf(at.bank, transactionId)).toMatchObject({
        status: "COMPLETED",
        description: "for lunch",
        receivedAmount: { amount: answer.amount },
      });
      await at.bank.settle();
      expect(institution.told.slice(told)).toEqual([{ vaspDomain: "bank.test", utxos: [] }]);
      const utxos = [{ utxo: "abc:1", amountMsats: 1_000 }];
      const { text } = await institution.vasp.call("hook", { utxos });
      expect((await at.post(utxoCallback, text)).status).toBe(200);
      const uma = await at.bank.call("GET", `/uma/payments/${transactionId}`);
      expect(uma.json).toMatchObject({
        hook: { state: "SENT", tries: 1 },
        utxos: [{ utxo: "abc:1", amountMsats: "1000" }],
      });
      const kept = await at.bank.call("GET", `/uma/payments/${transactionId}/travel-rule`);
      expect(kept.status).toBe(isRegulated ? 200 : 404);
      if (isRegulated) expect(kept.text).toContain("originatorPerson");
    });
  });
});
