import { generateKeyPairSync, sign } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { readWebhook, readWebhooks, verifyWebhook, WebhookSignatureError } from "./webhooks.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const event = {
  id: "Webhook:0199e0a4-0000-7000-8000-000000000001",
  type: "OUTGOING_PAYMENT.COMPLETED",
  timestamp: "2025-10-13T12:00:00.000Z",
  data: { name: "Zoë", amount: 5 },
};
const body = JSON.stringify(event);
const signed = (text: string | Uint8Array) =>
  sign("sha256", typeof text === "string" ? Buffer.from(text) : text, privateKey).toString(
    "base64",
  );
const signature = signed(body);
const header = JSON.stringify({ v: "1", s: signature });

/** A fixed delivery, so that both ends cannot drift apart together. */
const KNOWN = {
  publicKey: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4naUFqqj94LhA3nM6c9KtKdUVHxw
s6MgLU8i+bCSMdflkcRAmOW5tXkFOWdxPgskcXzialAGf8MGQ0KrsavVvA==
-----END PUBLIC KEY-----
`,
  body: '{"id":"Webhook:1","type":"TEST","timestamp":"2025-10-13T00:00:00Z","data":{}}',
  header:
    '{"v":"1","s":"MEUCIQCfmkQyKP8RvXO3Z6f/UsWM2SAas38/VuMxE7nEypibsQIgNIzUD57iujsgTyi56yg2GEoYZZJItPQ3lPyoyGPCdfU="}',
};

describe("a delivery", () => {
  test("passes with the signature in JSON or bare, body as text or bytes", () => {
    for (const one of [
      header,
      `{ "s": "${signature}" , "v": "1" }`,
      signature,
      `{"s":"${signature}"}`,
    ]) {
      expect(verifyWebhook({ body, header: one, publicKey: pem })).toBe(true);
      expect(verifyWebhook({ body: Buffer.from(body), header: one, publicKey: pem })).toBe(true);
      expect(
        verifyWebhook({ body: new TextEncoder().encode(body), header: one, publicKey: pem }),
      ).toBe(true);
    }
  });

  test("whose body was parsed is refused for that, before its signature is looked at", () => {
    for (const parsed of [event, null, undefined]) {
      const delivery = { body: parsed as unknown as string, header, publicKey: pem };
      const refused = expect.objectContaining({
        name: "WebhookSignatureError",
        message: "the body must be the bytes as they came in, not parsed JSON",
      });
      expect(() => readWebhook(delivery)).toThrow(refused);
    }
  });

  test("that was signed once with openssl passes", () => {
    expect(verifyWebhook(KNOWN)).toBe(true);
    expect(verifyWebhook({ ...KNOWN, body: KNOWN.body.replace("TEST", "TESU") })).toBe(false);
  });

  const unfit = [
    undefined,
    null,
    "",
    " ",
    "{}",
    "null",
    "[]",
    "1",
    '"x"',
    "{",
    JSON.stringify(signature),
    JSON.stringify([header]),
    '{"v":"1"}',
    '{"v":"1","s":""}',
    '{"v":"1","s":5}',
    '{"v":"1","s":null}',
    `{"v":"2","s":"${signature}"}`,
    `{"v":1,"s":"${signature}"}`,
    `{"v":"1","S":"${signature}"}`,
    `{"v":"1","s":["${signature}"]}`,
    `${header}, ${header}`,
    `{"v":"1","s":"${signature.replace(/=*$/, "===")}"}`,
    `{"v":"1","s":" ${signature}"}`,
    `{"v":"1","s":"${signature}!"}`,
    `{"v":"1","s":"${Buffer.from(signature, "base64").toString("hex")}"}`,
    "MAA=",
    "MAYCAQACAQA=",
    "MAYCAQECAQE=",
    `${signature}, ${signature}`,
    Buffer.from(signature, "base64").subarray(0, -1).toString("base64"),
    Buffer.concat([Buffer.from(signature, "base64"), Buffer.from([0])]).toString("base64"),
  ];
  test.each(unfit)("does not pass with the header %j", (one) => {
    expect(verifyWebhook({ body, header: one, publicKey: pem })).toBe(false);
    expect(() => readWebhook({ body, header: one, publicKey: pem })).toThrow(WebhookSignatureError);
  });

  test("passes with its header as the one member of a list, as frameworks have it", () => {
    expect(verifyWebhook({ body, header: [header], publicKey: pem })).toBe(true);
    expect(readWebhook({ body, header: [signature], publicKey: pem })).toEqual(event);
  });

  test("does not pass with a list of none or of several headers", () => {
    for (const list of [[], [header, header], ["", header], [[header]]] as string[][]) {
      expect(verifyWebhook({ body, header: list, publicKey: pem })).toBe(false);
      expect(() => readWebhook({ body, header: list, publicKey: pem })).toThrow(
        WebhookSignatureError,
      );
    }
  });

  test("takes the header as Node's own types have it", () => {
    const headers: IncomingHttpHeaders = { "x-service-signature": header };
    const delivery = { body, header: headers["x-service-signature"], publicKey: pem };
    expect(verifyWebhook(delivery)).toBe(true);
  });

  test("does not pass with its JSON written anew", () => {
    const again = JSON.stringify(JSON.parse(body), null, 1);
    expect(verifyWebhook({ body: again, header, publicKey: pem })).toBe(false);
  });
});

describe("the key", () => {
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const keys = [
    "",
    "x",
    "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    p384.publicKey.export({ type: "spki", format: "pem" }).toString(),
    rsa.publicKey.export({ type: "spki", format: "pem" }).toString(),
  ];
  test.each(keys)("that no delivery could ever fit is a mistake in the call: %j", (one) => {
    expect(() => verifyWebhook({ body, header, publicKey: one })).toThrow(TypeError);
  });
});

describe("several keys", () => {
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  const otherPem = other.export({ type: "spki", format: "pem" }).toString();

  test("accept what one of them signed, in any order, and nothing else", () => {
    for (const keys of [[pem, otherPem], [otherPem, pem], [pem]]) {
      expect(readWebhook({ body, header, publicKey: keys }).id).toBe(event.id);
    }
    expect(verifyWebhook({ body, header, publicKey: [otherPem] })).toBe(false);
    expect(verifyWebhook({ body: `${body} `, header, publicKey: [pem, otherPem] })).toBe(false);
  });

  test("are at least one, and all of them keys", () => {
    for (const keys of [[], [pem, "no key"]]) {
      expect(() => verifyWebhook({ body, header, publicKey: keys })).toThrow(TypeError);
    }
  });
});

describe("the event", () => {
  test("is read from a delivery that passes", () => {
    expect(readWebhook({ body, header, publicKey: pem })).toEqual(event);
    expect(readWebhook({ body: Buffer.from(body), header: signature, publicKey: pem })).toEqual(
      event,
    );
  });

  test.each([
    "",
    "null",
    "[]",
    "5",
    "{",
    '{"id":"a","type":"b"}',
    '{"id":1,"type":"b","timestamp":"c"}',
  ])("is not %j, even signed", (text) => {
    const delivery = { body: text, header: signed(text), publicKey: pem };
    expect(verifyWebhook(delivery)).toBe(true);
    expect(() => readWebhook(delivery)).toThrow(WebhookSignatureError);
  });
});

describe("a batch", () => {
  const later = { ...event, id: "Webhook:0199e0a4-0000-7000-8000-000000000002" };
  const read = (text: string, of: string = text) =>
    readWebhooks({ body: text, header: signed(of), publicKey: pem });

  test("is read as its events in order, and a single event as a list of it", () => {
    expect(read(JSON.stringify({ events: [event, later] }))).toEqual([event, later]);
    expect(read(JSON.stringify({ events: [] }))).toEqual([]);
    expect(read(body)).toEqual([event]);
  });

  test("is refused when a byte differs, or an entry is no event", () => {
    const batch = JSON.stringify({ events: [event, later] });
    expect(() => read(batch, body)).toThrow("the signature does not fit");
    for (const entry of [null, 1, "x", [], {}, { ...event, id: 1 }]) {
      expect(() => read(JSON.stringify({ events: [event, entry] }))).toThrow(WebhookSignatureError);
    }
    for (const text of ["", "[]", "null", '{"events":{}}', '{"events":"x"}']) {
      expect(() => read(text)).toThrow("neither an event nor a batch");
    }
    expect(() => readWebhook({ body: batch, header: signed(batch), publicKey: pem })).toThrow(
      "is not an event",
    );
  });
});
