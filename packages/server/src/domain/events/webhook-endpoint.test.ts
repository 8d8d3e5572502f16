/** The endpoints of a platform: how many, which events each gets, which key signs when, and how one ends. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../test/kit/decided.ts";
import { PLATFORM } from "../../../test/kit/payment-rows.ts";
import { eventTypes } from "../event-catalogue.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { overlapEnd, rotateEndpointKey } from "./rotate-endpoint-key.ts";
import { standardHeaders, toStandardSecret } from "./standard-webhooks.ts";
import {
  type UpdateWebhookEndpointInput,
  updateWebhookEndpoint,
} from "./update-webhook-endpoint.ts";
import {
  type BatchRule,
  batchColumns,
  type EndpointKey,
  eventTypesOf,
  MOST_ENDPOINTS,
  NO_NEXT_KEY,
  settledKeys,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./webhook-endpoint.ts";

const idOf = (place: number) => `018f0000-0000-7000-8000-${String(place).padStart(12, "0")}`;
const ID = idOf(1);
/** Of the last event in the world of these tests. */
const LAST = 9n;
const HOUR_MS = 3_600_000;

const key = (signature: EndpointKey["signature"]): EndpointKey => ({
  signature,
  keyId: `new-${signature}`,
  publicKey: signature === "P256" ? "new public" : null,
  secretSealed: "new sealed",
});

const endpoint: WebhookEndpoint = {
  id: ID,
  url: "https://p.test/hooks",
  description: "Books",
  events: ["OUTGOING_PAYMENT.*"],
  isDisabled: false,
  disabledReason: null,
  setting: 3n,
  sinceEventSeq: 2n,
  filterSinceEventSeq: 2n,
  signature: "P256",
  keyId: "old",
  publicKey: "old public",
  secretSealed: "old sealed",
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...NO_NEXT_KEY,
  ...batchColumns(null),
};
const rotating = {
  ...endpoint,
  nextKeyId: "next",
  nextPublicKey: "next public",
  nextSecretSealed: "next sealed",
  nextFrom: DECIDED_AT + 1,
};

interface Case {
  readonly endpoints?: readonly WebhookEndpoint[];
}
const setting = ({ endpoints = [endpoint] }: Case) => ({
  platformId: PLATFORM,
  tables: [rowsOf(webhookEndpoints, ...endpoints)],
});

const NOT_FOUND = "WEBHOOK_ENDPOINT_NOT_FOUND";
const gone: readonly (readonly [string, Case])[] = [
  [NOT_FOUND, { endpoints: [] }],
  [NOT_FOUND, { endpoints: [{ ...endpoint, deletedAt: 7 }] }],
];

interface Creating extends Case {
  readonly fromSequence?: bigint | undefined;
  readonly description?: string;
  readonly delivery?: BatchRule;
}
const create = ({ fromSequence, description, delivery, ...scene }: Creating) =>
  decided({
    command: createWebhookEndpoint,
    input: {
      url: endpoint.url,
      description,
      events: [],
      fromSequence,
      delivery: delivery ?? null,
      key: key("P256"),
    },
    ...setting({ endpoints: [], ...scene }),
  });

const several = (count: number, more: Partial<WebhookEndpoint> = {}) =>
  Array.from({ length: count }, (_, place) => ({ ...endpoint, id: idOf(100 + place), ...more }));

describe("a new endpoint", () => {
  it.each(
    inOrder<Creating>([
      ["INVALID_INPUT", { fromSequence: LAST + 2n }],
      ["CONFLICT 15", { endpoints: several(MOST_ENDPOINTS) }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(create(scene).refusal, "limit")).toBe(expected);
  });

  it.each<[string, bigint | undefined, bigint]>([
    ["the next event", undefined, LAST],
    ["the next event, by its number", LAST + 1n, LAST],
    ["the last event", LAST, LAST - 1n],
    ["the first event", 1n, 0n],
  ])("gets events from %s on", (_which, fromSequence, since) => {
    expect(create({ fromSequence }).output).toMatchObject({
      sinceEventSeq: since,
      filterSinceEventSeq: since,
      setting: 0n,
      isDisabled: false,
      ...NO_NEXT_KEY,
      keyId: "new-P256",
    });
  });

  it("is the last of as many as a platform may have: those that were deleted do not count", () => {
    expect(create({ endpoints: several(MOST_ENDPOINTS - 1) }).refusal).toBeUndefined();
    expect(create({ endpoints: several(40, { deletedAt: 7 }) }).refusal).toBeUndefined();
    const disabled = several(MOST_ENDPOINTS, { isDisabled: true });
    expect(named(create({ endpoints: disabled }).refusal)).toBe("CONFLICT");
  });

  it("has no description unless it is told", () => {
    expect(create({}).output?.description).toBeNull();
    expect(create({ description: "Books" }).output?.description).toBe("Books");
  });

  it("gets one event a request unless it asks for batches", () => {
    expect(create({}).output).toMatchObject({ batchEvents: null, batchWaitMs: null });
    expect(create({ delivery: { maxEvents: 1, maxWaitMs: 0 } }).output).toMatchObject({
      batchEvents: 1,
      batchWaitMs: 0,
    });
  });
});

const same: UpdateWebhookEndpointInput = {
  endpointId: ID,
  url: undefined,
  description: undefined,
  events: undefined,
  isDisabled: undefined,
  delivery: undefined,
};
const update = (more: Partial<UpdateWebhookEndpointInput>, scene: Case = {}) =>
  decided({ command: updateWebhookEndpoint, input: { ...same, ...more }, ...setting(scene) });

describe("a change of an endpoint", () => {
  it.each(inOrder(gone))("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(update({}, scene).refusal)).toBe(expected);
  });

  const rule = { maxEvents: 20, maxWaitMs: 50 };
  const disabled = {
    ...endpoint,
    isDisabled: true,
    disabledReason: "410",
    ...batchColumns({ maxEvents: 100, maxWaitMs: 0 }),
  };

  it.each<[string, Partial<UpdateWebhookEndpointInput>, Partial<WebhookEndpoint>]>([
    ["nothing", {}, {}],
    ["its URL", { url: "https://q.test" }, { url: "https://q.test" }],
    ["its description", { description: "" }, { description: "" }],
    ["its events", { events: [] }, { events: [], filterSinceEventSeq: LAST }],
    ["the same events", { events: endpoint.events }, { filterSinceEventSeq: LAST }],
    ["that it is on", { isDisabled: false }, { isDisabled: false, disabledReason: null }],
    ["its batches", { delivery: rule }, batchColumns(rule)],
    ["that it wants no batches", { delivery: null }, batchColumns(null)],
    ["that it is off", { isDisabled: true }, { isDisabled: true, disabledReason: null }],
  ])("that sends %s sets it anew and keeps the rest", (_what, sent, changed) => {
    expect(update(sent, { endpoints: [disabled] }).output).toEqual({
      ...disabled,
      ...changed,
      setting: endpoint.setting + 1n,
      updatedAt: DECIDED_AT,
    });
  });

  it("stores the end of a rotation that is over", () => {
    const over = { ...rotating, nextFrom: DECIDED_AT };
    expect(update({}, { endpoints: [over] }).output).toMatchObject({
      keyId: "next",
      ...NO_NEXT_KEY,
    });
    expect(update({}, { endpoints: [rotating] }).output).toMatchObject({
      keyId: "old",
      nextKeyId: "next",
    });
  });
});

const rotate = (scene: Case, overlapHours = 24, keys = [key("P256"), key("STANDARD_WEBHOOKS")]) =>
  decided({
    command: rotateEndpointKey,
    input: { endpointId: ID, keys, overlapHours },
    ...setting(scene),
  });

describe("a rotation of the key of an endpoint", () => {
  it.each(inOrder<Case>([...gone, ["CONFLICT", { endpoints: [rotating] }]]))(
    "is refused with %s, %s",
    (expected, _how, scene) => {
      expect(named(rotate(scene).refusal)).toBe(expected);
    },
  );

  it("says when the last one ends", () => {
    const until = new Date(DECIDED_AT + 1).toISOString();
    expect(rotate({ endpoints: [rotating] }).refusal?.details).toEqual({ until });
  });

  it.each(["P256", "STANDARD_WEBHOOKS"] as const)(
    "of the kind %s takes the new key of that kind",
    (signature) => {
      expect(rotate({ endpoints: [{ ...endpoint, signature }] }).output).toMatchObject({
        keyId: "old",
        nextKeyId: `new-${signature}`,
        nextPublicKey: key(signature).publicKey,
        nextSecretSealed: "new sealed",
        nextFrom: DECIDED_AT + 24 * HOUR_MS,
        setting: endpoint.setting,
      });
    },
  );

  it("takes over at once without an overlap", () => {
    expect(rotate({}, 0).output).toMatchObject({
      keyId: "new-P256",
      publicKey: "new public",
      ...NO_NEXT_KEY,
    });
  });

  it("follows one that has ended, whose key is the old one then", () => {
    const over = { ...rotating, nextFrom: DECIDED_AT };
    expect(rotate({ endpoints: [over] }).output).toMatchObject({
      keyId: "next",
      nextKeyId: "new-P256",
    });
  });

  it.each([
    [0, 0],
    [1, HOUR_MS],
    [72, 72 * HOUR_MS],
  ])("of %i hours ends after %i ms", (hours, ms) => {
    expect(overlapEnd(DECIDED_AT, hours)).toBe(DECIDED_AT + ms);
  });

  it.each<[string, WebhookEndpoint, number, string]>([
    ["there is none", endpoint, DECIDED_AT, "old"],
    ["it is not over", rotating, DECIDED_AT, "old"],
    ["its last millisecond has come", rotating, DECIDED_AT + 1, "next"],
    ["it is long over", rotating, DECIDED_AT * 2, "next"],
    ["it has no secret", { ...rotating, nextSecretSealed: null }, DECIDED_AT * 2, "old"],
  ])("leaves the key, where %s", (_when, one, at, keyId) => {
    expect(settledKeys(one, at).keyId).toBe(keyId);
  });
});

describe("the deletion of an endpoint", () => {
  const remove = (scene: Case) =>
    decided({ command: deleteWebhookEndpoint, input: { endpointId: ID }, ...setting(scene) });

  it.each(inOrder(gone))("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(remove(scene).refusal)).toBe(expected);
  });

  it("leaves the others", () => {
    const { world } = remove({ endpoints: [endpoint, ...several(2)] });
    expect(written(world, webhookEndpoints)).toMatchObject([{ id: ID, deletedAt: DECIDED_AT }]);
  });
});

describe("a filter of events", () => {
  it.each(eventTypes)("names %s alone by its type", (type) => {
    expect(eventTypesOf(type)).toEqual([type]);
  });

  it.each([
    ["", []],
    ["*", []],
    ["OUTGOING_PAYMENT", []],
    ["outgoing_payment.*", []],
    ["OUTGOING.*", []],
    ["OUTGOING_PAYMENT.", []],
  ])("%j names %j", (filter, expected) => {
    expect(eventTypesOf(filter)).toEqual(expected);
  });

  it("names those with its beginning, up to the dot", () => {
    const named = eventTypesOf("OUTGOING_PAYMENT.*");
    expect(named.length).toBeGreaterThan(1);
    expect(named).toEqual(eventTypes.filter((type) => type.split(".")[0] === "OUTGOING_PAYMENT"));
  });
});

describe("a signature in the form of Standard Webhooks", () => {
  const message = { id: "msg", at: 1_700_000_000_999, body: Buffer.from("{}") };
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  it("has the second of the attempt, and one signature for each secret", () => {
    const headers = standardHeaders([one, two], message);
    expect(headers).toMatchObject({ "webhook-id": "msg", "webhook-timestamp": "1700000000" });
    const [first] = standardHeaders([one], message)["webhook-signature"]?.split(" ") ?? [];
    const [second] = standardHeaders([two], message)["webhook-signature"]?.split(" ") ?? [];
    expect(headers["webhook-signature"]).toBe(`${first} ${second}`);
    expect(first).not.toBe(second);
  });

  it.each([
    ["id", { ...message, id: "other" }],
    ["second", { ...message, at: message.at + 1_000 }],
    ["body", { ...message, body: Buffer.from("{} ") }],
  ])("changes with the %s", (_what, other) => {
    const of = (one: typeof message) =>
      standardHeaders([Buffer.alloc(32, 1)], one)["webhook-signature"];
    expect(of(other)).not.toBe(of(message));
  });

  it("is that of the standard's own example", () => {
    const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    expect(toStandardSecret(secret)).toBe("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    const headers = standardHeaders([secret], {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      at: 1_614_265_330_000,
      body: Buffer.from('{"test": 2432232314}'),
    });
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });
});
