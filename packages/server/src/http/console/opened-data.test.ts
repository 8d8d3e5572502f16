/**
 * Every operation that a person without `pii.read` can reach gives masked JSON, changes nothing that sends personal data, or is marked
 * with `opensPersonalData`, which refuses the person. A new operation in neither list fails here until it was looked at.
 */
import { expect, it } from "vitest";
import { capabilitiesOf, type Role, roles } from "../../domain/people/role.ts";
import { operations } from "../operations/routes.ts";
import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { consoleOperations } from "./console-routes.ts";
import { pathAtPlatform } from "./place.ts";

type Reached = Operation<Services>;

const atPlatform = [
  ...operations.filter(({ capability }) => capability !== undefined),
  ...consoleOperations.filter(({ path }) => pathAtPlatform(path) !== undefined),
] as readonly Reached[];

const ENVIRONMENTS = ["SANDBOX", "PRODUCTION"] as const;

/** The roles that reach the operation somewhere and lack `pii.read` there. */
function blindRoles({ capability, opensPersonalData, sandboxOnly }: Reached): readonly Role[] {
  if (opensPersonalData === true) return [];
  return roles.filter((role) =>
    ENVIRONMENTS.some((environment) => {
      if (sandboxOnly === true && environment === "PRODUCTION") return false;
      const held = capabilitiesOf([role], environment);
      return !held.has("pii.read") && (capability === undefined || held.has(capability));
    }),
  );
}

const reached = atPlatform.filter((operation) => blindRoles(operation).length > 0);

/** Calls that change something, and why none of it sends personal data. Their answers are masked like those of reads. */
const REVIEWED: Readonly<Record<string, string>> = {
  createToken: "waits for people who hold what the token opens",
  deleteToken: "ends access",
  rotateWebhookKey: "a key verifies deliveries, and opens none",
  rotateWebhookEndpointKey: "a key verifies deliveries, and opens none",
  testWebhookEndpoint: "a TEST event names the endpoint alone; its address was set under pii.read",
  deleteWebhookEndpoint: "ends deliveries",
  cancelEventResend: "ends deliveries",
  createBalanceAlert:
    "an alert tells the balance of an account, to endpoints that were set under pii.read",
  deleteBalanceAlert: "ends alerts",
  resolveRailRoute: "answers which route a payment would take, and stores nothing",
  previewAgentPolicy: "answers what an agent would have been allowed, masked, and stores nothing",
};

/** Answers that are no JSON, and are not marked. */
const REVIEWED_FORMATS: Readonly<Record<string, string>> = {
  getTrialBalance: "sums of kinds of accounts; the CSV form is refused by the mask",
  getPaymentBatchTemplate: "the same file for every caller",
  streamLive: "ids, kinds and times of what has changed",
};

it("is marked where it changes something, or was looked at", () => {
  const changing = reached.filter(({ method }) => method !== "GET").map(({ id }) => id);
  expect(changing.length).toBeGreaterThan(5);
  expect(changing.sort()).toEqual(Object.keys(REVIEWED).sort());
});

it("is marked where its answer is no JSON, or was looked at", () => {
  const formats = reached.filter(({ answers }) =>
    Object.values(answers).some(
      ({ contentType, csv }) => contentType !== undefined || csv !== undefined,
    ),
  );
  expect(formats.map(({ id }) => id).sort()).toEqual(Object.keys(REVIEWED_FORMATS).sort());
});

it("keeps every operation on the place or the replay of deliveries under the mark", () => {
  const sending = atPlatform.filter(
    ({ id, method, body, capability }) =>
      method !== "GET" &&
      (capability?.startsWith("deliveries.resend") === true ||
        Object.keys((body as { properties?: object } | undefined)?.properties ?? {}).some((name) =>
          ["url", "webhookEndpoint"].includes(name),
        )) &&
      id !== "cancelEventResend",
  );
  const unmarked = sending.filter(({ opensPersonalData }) => opensPersonalData !== true);
  expect(sending.length).toBeGreaterThan(5);
  expect(unmarked.map(({ id }) => id)).toEqual([]);
});

it("closes each call by which the owner of a wallet acts", () => {
  const ofOwner = operations.filter(({ path }) => /^\/auth\/|\/export$/.test(path));
  const open = ofOwner.filter(({ closedToPeople }) => closedToPeople !== true).map(({ id }) => id);
  expect(ofOwner.length).toBeGreaterThan(8);
  // Reading shows no secret, and revoking only takes access away.
  expect(open.sort()).toEqual([
    "listCredentials",
    "listSessions",
    "revokeCredential",
    "revokeSession",
  ]);
});
