/**
 * Customers of institutions on the official SDKs are looked up by a platform, and asked for invoices.
 *
 * Pay requests come from our formats here, not yet from a platform: once `POST /quotes` sends them, `payRequest` below becomes a quote
 * after the lookup, and its invoice is that of `institution.taken`, which the connector is then ordered to pay.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHook } from "../../src/formats/uma/hook-message.ts";
import { readKeyDocument } from "../../src/formats/uma/key-document.ts";
import { readPayAnswer } from "../../src/formats/uma/pay-message.ts";
import { isSignatureOf, signedText } from "../../src/formats/uma/signatures.ts";
import { present } from "../../src/std/assert.ts";
import { expectStatus, routeTo } from "../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../kit/story-uma-paid.ts";
import { askHost } from "../kit/uma-proxy.ts";
import { foundSdks } from "./found-sdks.ts";
import { EURO, type Institution, openInstitution, type Receiving } from "./institution.ts";
import { type OwnMessages, ownMessages } from "./own-messages.ts";

const BOB = "$bob@payee.test";
const LOOKUP = `/receiver/uma/${BOB}?senderUmaAddress=$ana@bank.test`;
const ANA = "$ana@own.test";
const TRAVEL_RULE = JSON.stringify({ originator: { originatorPerson: [{ naturalPerson: {} }] } });
const FEE = 1_000;

describe.each(foundSdks)("an institution on the SDK for %s", (_name, sdk) => {
  describe.skipIf(sdk === undefined)("has a customer", () => {
    let institution: Institution;
    let receiving: Receiving;
    let regulated: PaidStory;
    let free: PaidStory;
    let own: OwnMessages;
    /** Where the keys of those who ask are. */
    let asker: PaidStory;
    beforeAll(async () => {
      own = await ownMessages("own.test");
      institution = await openInstitution(present(sdk, "the SDK"), "payee.test");
      receiving = {
        async keysOf(host) {
          if (host === "own.test") return own.document;
          return (await askHost(asker.port, { host, path: "/.well-known/lnurlpubkey" })).text;
        },
        payerData: { name: { mandatory: true }, email: { mandatory: false } },
        payeeData: { name: "Bob" },
        fee: FEE,
        isRegulated: true,
      };
      institution.receiving = receiving;
      const institutions = { "payee.test": institution.port };
      [regulated, free] = await Promise.all([
        openPaid({ institutions }),
        openPaid({ institutions, isRegulated: false }),
      ]);
      for (const at of [regulated, free]) {
        const [{ id }] = (await at.bank.call("GET", "/rails/connections")).json.data;
        await routeTo(at.bank, id, { currency: "MSAT", accountTypes: ["UMA_ADDRESS"] });
      }
    });
    afterAll(async () => {
      await Promise.all([regulated?.close(), free?.close()]);
      await institution?.close();
    });

    it.each([
      ["both are subject to the travel rule", true, true],
      ["we are subject to the travel rule", true, false],
      ["it is subject to the travel rule", false, true],
      ["nobody is subject to the travel rule", false, false],
    ])("whom a platform finds: %s", async (_what, isOurs, isTheirs) => {
      asker = isOurs ? regulated : free;
      receiving.isRegulated = isTheirs;
      const found = expectStatus(200, await asker.bank.call("GET", LOOKUP)).json;
      expect(found).toMatchObject({
        receiverUmaAddress: BOB,
        lookupId: expect.stringMatching(/^Lookup:/),
        supportedCurrencies: [{ currency: { code: "EUR" }, min: 1, max: 799_984 }],
        // The SDK for Go puts them in order of their names.
        requiredPayerDataFields: expect.arrayContaining([
          { name: "FULL_NAME", mandatory: true },
          { name: "EMAIL", mandatory: false },
        ]),
      });
    });

    it("whom a platform finds whatever halves the signatures on either side have", async () => {
      asker = regulated;
      for (let count = 0; count < 16; count += 1)
        expectStatus(200, await asker.bank.call("GET", LOOKUP));
    });

    async function payRequest(amount: bigint, isReceived: boolean, travelRule?: string) {
      const currency = isReceived ? "EUR" : undefined;
      const text = await own.payRequest({
        amount: { units: amount, currency },
        payer: ANA,
        keys: institution.document,
        travelRule,
      });
      const url = `http://127.0.0.1:${institution.port}/pay/${encodeURIComponent("$bob")}`;
      const answer = await fetch(url, { method: "POST", body: text });
      const body = await answer.text();
      expect([answer.status, body]).toEqual([200, body]);
      return { body, taken: present(institution.taken.at(-1), "the request") };
    }

    it.each([
      ["an amount that arrives, with the travel rule", 1_001n, true, TRAVEL_RULE],
      ["an amount that arrives, without the travel rule", 777n, true, undefined],
      ["units of the asset, with the travel rule", 12_345_678n, false, TRAVEL_RULE],
      ["units of the asset, without the travel rule", 87_654_321n, false, undefined],
    ])("who gives an invoice for %s", async (_what, amount, isReceived, travelRule) => {
      const { body, taken } = await payRequest(amount, isReceived, travelRule);
      expect(taken.travelRule).toBe(travelRule ?? null);
      expect(taken.payerData).toMatchObject({ identifier: ANA, name: "Ana Ruíz" });
      const { invoice, converted, payee } = readPayAnswer(Buffer.from(body));
      expect(invoice).toBe(taken.invoice.text);
      expect(converted).toMatchObject({ currencyCode: "EUR", decimals: 2, fee: BigInt(FEE) });
      expect(converted.multiplier.digits).toBe(String(EURO.multiplier));
      if (isReceived) expect(converted.amount).toBe(amount);
      else expect(BigInt(taken.invoice.amount)).toBe(amount);
      const { numerator, denominator } = converted.multiplier.value;
      const exact = converted.amount * numerator + converted.fee * denominator;
      const differs = BigInt(taken.invoice.amount) * denominator - exact;
      // They round to the nearest unit; of units of the asset, the rest that buys no cent is theirs.
      const most = isReceived ? denominator : numerator;
      expect(differs > -most && differs < most).toBe(true);
      expect(payee.fields).toEqual(
        new Map([
          ["identifier", BOB],
          ["name", "Bob"],
        ]),
      );
      const { signature, utxoCallback } = payee.compliance;
      expect(utxoCallback).toBe("https://payee.test/utxos/1");
      const { signing } = readKeyDocument(Buffer.from(institution.document), Date.now());
      const stamp = present(signature, "the signature");
      const isGood = await isSignatureOf(
        signedText([ANA, BOB], stamp),
        stamp.signature,
        signing.key,
      );
      expect(isGood).toBe(true);
    });

    it("whom our lookup reaches once", async () => {
      const url = new URL(await own.lookupUrl(BOB, true));
      const target = `http://127.0.0.1:${institution.port}${url.pathname}${url.search}`;
      expect((await fetch(target)).status).toBe(200);
      const again = await fetch(target);
      expect([again.status, await again.text()]).toEqual([500, expect.stringMatching(/nonce/i)]);
    });

    it("and tells of payments and is told, with signatures that either side verifies", async () => {
      const { vasp, document } = institution;
      const utxos = [{ utxo: "abc:1", amountMsats: 1_000 }];
      const text = await own.hook([{ utxo: "abc:1", amountMsats: 1_000n }]);
      const read = await vasp.call("readHook", { text, keys: own.document });
      expect(read).toEqual({ vaspDomain: "own.test", utxos });
      const theirs = readHook(Buffer.from((await vasp.call("hook", { utxos })).text));
      expect(theirs).toMatchObject({ vaspDomain: "payee.test", utxos: [{ amountMsats: 1_000n }] });
      const { signing } = readKeyDocument(Buffer.from(document), Date.now());
      const { signature } = theirs;
      expect(await isSignatureOf(signedText([], signature), signature.signature, signing.key)).toBe(
        true,
      );
    });

    it("and refuses what we have not signed", async () => {
      const other = await ownMessages("own.test");
      const text = await other.hook([]);
      const read = institution.vasp.call("readHook", { text, keys: own.document });
      await expect(read).rejects.toThrow();
    });
  });
});
