import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect, it } from "vitest";
import { eventIdIn, judge, type Verdict } from "./signature-check.ts";

const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const [own, next, other] = [pair(), pair(), pair()];
const pemOf = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

const event = { id: "Webhook:1", type: "TEST", data: { name: "Zoë", amounts: [1, 2] } };
const body = JSON.stringify(event);
const pretty = JSON.stringify(event, null, 2);
const shuffled = JSON.stringify({
  data: { amounts: [1, 2], name: "Zoë" },
  type: "TEST",
  id: "Webhook:1",
});
const wrong = body.replace("Zoë", "Zoe");

function headerOf(text: string, { privateKey }: { readonly privateKey: KeyObject } = own): string {
  const s = sign("sha256", Buffer.from(text), privateKey).toString("base64");
  return JSON.stringify({ v: "1", s });
}

const bare = (header: string): string => JSON.parse(header).s;

it.each<[what: string, header: string, text: string, isKnown: boolean, verdict: Verdict]>([
  ["as it was sent", headerOf(body), body, true, "valid"],
  ["with the signature alone", bare(headerOf(body)), body, false, "valid"],
  ["signed by the next key", headerOf(body, next), body, true, "validByNext"],
  ["with a line end", headerOf(body), `${body}\n`, false, "reserialised"],
  ["written again with blanks", headerOf(body), pretty, false, "reserialised"],
  ["written again in another order", headerOf(body), shuffled, true, "reserialised"],
  ["with another letter", headerOf(body), wrong, true, "altered"],
  [
    "with another letter, of an event that is not known",
    headerOf(body),
    wrong,
    false,
    "alteredOrOtherKey",
  ],
  ["cut off", headerOf(body), body.slice(0, -3), true, "altered"],
  ["signed by another key", headerOf(body, other), body, true, "otherKey"],
  ["with the signature of another body", headerOf("{}"), body, true, "otherKey"],
  ["without a signature", "", body, true, "noSignature"],
  ["with a cut signature", bare(headerOf(body)).slice(0, -8), body, true, "noSignature"],
  ["with words as the signature", "not one", body, true, "noSignature"],
  ["with a member that is no text", '{"v":"1","s":5}', body, true, "noSignature"],
])("a body %s", async (_, header, text, isKnown, verdict) => {
  const keys = { key: pemOf(own.publicKey), nextKey: pemOf(next.publicKey) };
  const known = { ...keys, original: isKnown ? body : undefined };
  expect(await judge({ header, body: text }, known)).toBe(verdict);
});

it("holds for signatures of every length", async () => {
  const known = { key: pemOf(own.publicKey), nextKey: undefined, original: undefined };
  for (let count = 0; count < 600; count += 1) {
    const text = String(count);
    expect([count, await judge({ header: headerOf(text), body: text }, known)]).toEqual([
      count,
      "valid",
    ]);
  }
});

it.each([
  [body, "Webhook:1"],
  ['{"id":"Customer:1"}', undefined],
  ['{"id":5}', undefined],
  ["null", undefined],
  ["{", undefined],
])("the event of %s is %s", (text, id) => {
  expect(eventIdIn(text)).toBe(id);
});
