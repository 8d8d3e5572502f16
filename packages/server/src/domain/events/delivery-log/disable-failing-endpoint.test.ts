/** When an endpoint that fails is disabled, and when what was found out about it is void. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import {
  batchColumns,
  NO_NEXT_KEY,
  type WebhookEndpoint,
  webhookEndpoints,
} from "../webhook-endpoint.ts";
import { disableFailingEndpoint } from "./disable-failing-endpoint.ts";

const endpoint: WebhookEndpoint = {
  id: "018f0000-0000-7000-8000-000000000001",
  url: "https://p.test/hooks",
  description: null,
  events: [],
  isDisabled: false,
  disabledReason: null,
  setting: 3n,
  sinceEventSeq: 0n,
  filterSinceEventSeq: 0n,
  signature: "P256",
  keyId: "k",
  publicKey: "p",
  secretSealed: "s",
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...NO_NEXT_KEY,
  ...batchColumns(null),
};

const disable = (some: readonly WebhookEndpoint[]) =>
  decided({
    command: disableFailingEndpoint,
    input: { endpointId: endpoint.id, setting: 3n },
    platformId: PLATFORM,
    tables: [rowsOf(webhookEndpoints, ...some)],
  });

describe("an endpoint with nothing but failures", () => {
  it.each([[[]], [[{ ...endpoint, deletedAt: 7 }]]])("that is not there is refused: %#", (some) => {
    expect(named(disable(some).refusal)).toBe("WEBHOOK_ENDPOINT_NOT_FOUND");
  });

  it("is disabled with the reason, and its platform hears of it", () => {
    const { output, world } = disable([endpoint]);
    expect(output).toEqual({
      ...endpoint,
      isDisabled: true,
      disabledReason: "Every attempt has failed for five days.",
      updatedAt: DECIDED_AT,
    });
    expect(world.events.map(({ type, subject }) => [type, subject])).toEqual([
      ["WEBHOOK_ENDPOINT.DISABLED", `WebhookEndpoint:${endpoint.id}`],
    ]);
  });

  it.each<[string, Partial<WebhookEndpoint>]>([
    ["was set again since", { setting: 4n }],
    ["is disabled already", { isDisabled: true }],
    ["is disabled for another reason", { isDisabled: true, disabledReason: "410" }],
  ])("that %s stays as it is", (_what, more) => {
    const { output, world } = disable([{ ...endpoint, ...more }]);
    expect(output).toEqual({ ...endpoint, ...more });
    expect(world.isEmpty).toBe(true);
  });
});
