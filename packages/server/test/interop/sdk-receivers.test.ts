/** Customers of institutions on the official SDKs are looked up and paid by a platform, over a connector that pays their invoices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHook } from "../../src/formats/uma/hook-message.ts";
import { readKeyDocument } from "../../src/formats/uma/key-document.ts";
import { isSignatureOf, signedText } from "../../src/formats/uma/signatures.ts";
import { present } from "../../src/std/assert.ts";
import { sha256Hex } from "../../src/std/digest.ts";
import { holdingsOf } from "../kit/story-money.ts";
import { expectStatus } from "../kit/story-rails.ts";
import { openPays, type PaysStory } from "../kit/story-uma-pays.ts";
import { postHook } from "../kit/uma-hooks.ts";
import { askHost } from "../kit/uma-proxy.ts";
import { foundSdks } from "./found-sdks.ts";
import { EURO, type Institution, openInstitution, type Receiving } from "./institution.ts";
import { type OwnMessages, ownMessages } from "./own-messages.ts";

const BOB = "$bob@payee.test";
const LOOKUP = `/receiver/uma/${BOB}?senderUmaAddress=$ana@bank.test`;
const ANA = "$ana@bank.test";
/** Units of the asset. */
const FEE = 1_000;
/** The platform's own price of a cent of the dollar, in the same. */
const CENT = 12_500n;
const CONVERTED = { currencyCode: "EUR", decimals: 2, multiplier: EURO.multiplier };

const REGULATIONS = [
  ["both are subject to the travel rule", true, true],
  ["we are subject to the travel rule", true, false],
  ["it is subject to the travel rule", false, true],
  ["nobody is subject to the travel rule", false, false],
] as const;
/** Of a payment under each of them. Where they arrive, all but the first are not a whole number of units of the asset: the SDKs round. */
const AMOUNTS = [1_000, 1_001, 777, 54_322];

type LockedSide = "RECEIVING" | "SENDING";

describe.each(foundSdks)("an institution on the SDK for %s", (_name, sdk) => {
  describe.skipIf(sdk === undefined)("has a customer", () => {
    let institution: Institution;
    let receiving: Receiving;
    let regulated: PaysStory;
    let free: PaysStory;
    let own: OwnMessages;
    /** The platform that looks up and pays; the institution reads its keys. */
    let asker: PaysStory;
    beforeAll(async () => {
      own = await ownMessages("own.test");
      institution = await openInstitution(present(sdk, "the SDK"), "payee.test");
      receiving = {
        async keysOf(host) {
          if (host === "own.test") return own.document;
          const { port } = asker.server.app.address;
          return (await askHost(port, { host, path: "/.well-known/lnurlpubkey" })).text;
        },
        payerData: { name: { mandatory: true }, email: { mandatory: false } },
        payeeData: { name: "Bob" },
        fee: FEE,
        isRegulated: true,
      };
      institution.receiving = receiving;
      institution.tellersKeys = () => receiving.keysOf("bank.test");
      const institutions = { "payee.test": institution.port };
      [regulated, free] = await Promise.all([
        openPays({ institutions }),
        openPays({ institutions, isRegulated: false }),
      ]);
      for (const { connector } of [regulated, free])
        connector.report = () => ({ status: "settled" });
    });
    afterAll(async () => {
      await Promise.all([regulated?.close(), free?.close()]);
      await institution?.close();
    });

    it.each(REGULATIONS)("whom a platform finds: %s", async (_what, isOurs, isTheirs) => {
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

    /** A quote of ours, and the request as the SDK has read and answered it. */
    async function quoted(side: LockedSide, amount: number) {
      const destination = { destinationType: "UMA_ADDRESS", umaAddress: BOB };
      const { lookupId } = expectStatus(200, await asker.bank.call("GET", LOOKUP)).json;
      const before = institution.taken.length;
      const answer = await asker.quote({ side, amount, more: { destination, lookupId } });
      const quote = expectStatus(201, answer).json;
      expect(institution.taken).toHaveLength(before + 1);
      return { quote, taken: present(institution.taken.at(-1), "the request") };
    }

    it.each(
      REGULATIONS.flatMap(([what, isOurs, isTheirs], at) =>
        (["RECEIVING", "SENDING"] as const).map(
          (side) => [side, what, isOurs, isTheirs, AMOUNTS[at]] as const,
        ),
      ),
    )("who is paid, %s locked: %s", async (side, _what, isOurs, isTheirs, amount = 0) => {
      asker = isOurs ? regulated : free;
      receiving.isRegulated = isTheirs;
      const { bank, connector, accountId } = asker;
      const { quote, taken } = await quoted(side, amount);
      const { converted } = JSON.parse(taken.answer);
      const invoice = BigInt(taken.invoice.amount);
      expect(converted).toMatchObject({ ...CONVERTED, fee: FEE });
      if (side === "RECEIVING") expect(converted.amount).toBe(amount);
      else expect(invoice).toBe(BigInt(amount) * CENT);
      expect(quote).toMatchObject({
        totalSendingAmount: Number((invoice + CENT - 1n) / CENT),
        totalReceivingAmount: converted.amount,
        counterpartyInformation: { FULL_NAME: "Bob" },
      });
      expect(taken.payerData).toMatchObject({ identifier: ANA, name: "Ana Ruiz" });
      if (isOurs || isTheirs) {
        expect(JSON.parse(present(taken.travelRule, "what was told"))).toMatchObject({
          originator: { accountNumber: [ANA] },
          beneficiary: { accountNumber: [BOB] },
        });
      } else {
        expect(taken.travelRule).toBeNull();
        expect(taken.text).not.toContain("ravelRule");
      }
      const before = await holdingsOf(bank, accountId);
      const told = institution.told.length;
      expectStatus(200, await asker.execute(quote.id));
      await bank.settle();
      expect(institution.told.slice(told)).toEqual([{ vaspDomain: "bank.test", utxos: [] }]);
      const utxos = [{ utxo: "abc:1", amountMsats: 1_000 }];
      const { text } = await institution.vasp.call("hook", { utxos });
      const { utxoCallback } = JSON.parse(taken.text).payerData.compliance;
      const answered = await postHook(asker.server.app.address.port, utxoCallback, text);
      expect([answered.status, answered.text]).toEqual([200, "{}"]);
      const [order] = [...connector.orders.values()].slice(-1);
      expect(order).toMatchObject({
        amount: String(invoice),
        currency: "MSAT",
        settlement: { layer: "ln", assetIdentifier: "BTC", invoice: taken.invoice.text },
      });
      const { transactionId } = quote;
      const paid = (await bank.call("GET", `/transactions/${transactionId}`)).json;
      const receivedAmount = { amount: converted.amount, currency: { code: "EUR" } };
      expect(paid).toMatchObject({ status: "COMPLETED", receivedAmount });
      const uma = (await bank.call("GET", `/uma/payments/${transactionId}`)).json;
      expect(uma).toMatchObject({
        state: "PAID",
        hook: { state: "SENT", tries: 1 },
        utxos: [{ utxo: "abc:1", amountMsats: "1000" }],
        settlementAmount: { amount: taken.invoice.amount },
        fee: { amount: FEE },
        multiplier: String(EURO.multiplier),
        isSubjectToTravelRule: isTheirs,
      });
      expect(uma.travelRule?.sha256).toBe(
        taken.travelRule === null ? undefined : sha256Hex(taken.travelRule),
      );
      const after = await holdingsOf(bank, accountId);
      expect(before.total - after.total).toBe(quote.totalSendingAmount);
    });

    it("who is paid whatever halves the signatures on either side have", async () => {
      asker = free;
      receiving.isRegulated = true;
      for (let count = 0; count < 16; count += 1) await quoted("RECEIVING", 100 + count);
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
      const { signature } = present(theirs, "a signed message");
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
