/**
 * Two platforms: wherever a request can name an object, the id of the other platform's object is answered as an id that
 * nobody has. Each place is also tried with an id of our own, so that the call is known to work.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/operations/routes.ts";
import { pathNames } from "../../src/http/reference/openapi.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { randomIds } from "../../src/std/ids.ts";
import { propertiesOf } from "../../src/validation/schema.ts";
import { servedSchemas, withValue } from "../kit/field-probes.ts";
import { BAD_FIELDS, crossings, placesOf, type Where } from "../kit/isolation-places.ts";
import { makeObject, optionsOf, type ValidCall } from "../kit/made-objects.ts";
import { endReceivers } from "../kit/receivers.ts";
import { sampleOf } from "../kit/sample.ts";
import { sharedServer } from "../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../kit/story.ts";
import { connectedAgent, type StoryAgent } from "../kit/story-agents.ts";
import { internalAccount } from "../kit/story-money.ts";
import { validCall } from "../kit/valid-calls.ts";

/** Parameters that take ids of several kinds. */
const ANY_KIND: ReadonlySet<string> = new Set(["resourceId", "actorId", "targetId"]);

/** Names in paths that mean the same to every platform. */
const KNOWN_TO_ALL = new Set(["receiverUmaAddress", "posting", "seq", "domain"]);

/** Fields that look like ids but are the platform's own words, and ids that count with something else alone: of a lookup see quotes-uma.test.ts. */
const OWN_WORDS = new Set([
  "platformCustomerId",
  "platformAccountId",
  "taxId",
  // Counts with its own UMA address alone: see quotes-uma.test.ts.
  "lookupId",
  // Follows from an id.
  "endToEndId",
  // The number of an account that is no IBAN.
  "otherId",
  // The id of a call, which may be the caller's own text.
  "requestId",
  "operationId",
  // Of a passkey: the authenticator's own word.
  "credentialId",
]);

/** An id of the connector's own. */
const CONNECTORS_WORDS: ReadonlySet<string> = new Set([
  "takeRailCallback eventId",
  // Of an order of its own connection: see rails-callbacks.test.ts.
  "takeRailCallback entry.paymentId",
  // Payment instructions of its own connection: see rails-deposits.test.ts.
  "takeRailCallback entry.instructionId",
  // An invoice of its own connection: see book-invoice.test.ts.
  "takeRailCallback entry.invoiceId",
]);

/**
 * The first finds calls of ours by an id in their path, whosever object that is: see request-logs.test.ts. The second selects events
 * about an object: see event-resends.test.ts.
 */
const TRIED_ELSEWHERE: ReadonlySet<string> = new Set([
  "listRequestLogs resourceId",
  "resendEvents filter.resourceId",
]);

/** Their ids filter what they answer later: see exports.test.ts and request-log-stream.test.ts. */
const FILTERED: ReadonlySet<string> = new Set(["createExport", "streamRequestLogs"]);

const placesTried = operations.flatMap((operation) => {
  const byWhere = placesOf(operation);
  return (["path", "body", "query"] as const).flatMap((where) =>
    Object.entries(byWhere[where] ?? {}).map(([field, kind]) => ({
      operationId: operation.id,
      where,
      field,
      kind,
    })),
  );
});

const tried = placesTried.filter(
  ({ operationId, field }) =>
    !FILTERED.has(operationId) && !TRIED_ELSEWHERE.has(`${operationId} ${field}`),
);

const server = await sharedServer();
let ours: Story;
let theirs: Story;
const theirObjects = new Map<string, string>();
const ourObjects = new Map<string, string>();
let theirsBefore: readonly string[];

beforeAll(async () => {
  ours = await openStory(server);
  theirs = await openStory(server);
  await Promise.all([fill(theirObjects, theirs), fill(ourObjects, ours)]);
  // Past every deadline, so that nothing of theirs changes by itself any more.
  await theirs.call("POST", "/sandbox/clock/advance", { seconds: 3_600 });
  await theirs.settle();
  // A token shows the day of its last use from about a second after its first call.
  await server.app.tokenUses.flush();
  theirsBefore = await everythingOfTheirs();
});
afterAll(async () => {
  await endReceivers();
});

/** The places of this run. Only their kinds of objects are made, because each kind takes several calls and jobs. */
const drawn = sampleOf(tried);
const needed = new Set<string>(["Business", ...drawn.map(({ kind }) => kind)]);

async function fill(objects: Map<string, string>, story: Story): Promise<void> {
  for (const [kind, make] of Object.entries(makeObject))
    if (needed.has(kind)) objects.set(kind, await make(story));
}

function idLike(names: Iterable<string>): string[] {
  return [...names].filter((name) => {
    const last = name.split(".").at(-1) ?? "";
    return (
      /(?:Id|AccountIdentifier|^accountIdentifier|^documentHolder|^logoDocument)$/.test(last) &&
      !OWN_WORDS.has(last)
    );
  });
}

type Schema = Readonly<Record<string, unknown>>;

/** Every field of a schema and of its variants, each once. */
function fieldsOf(schema: Schema, path = ""): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const variants = (schema.oneOf ?? []) as readonly Schema[];
  const fields = Object.entries(properties).flatMap(([name, property]) => [
    path + name,
    ...fieldsOf(property, `${path}${name}.`),
  ]);
  return [...new Set([...fields, ...variants.flatMap((variant) => fieldsOf(variant, path))])];
}

it("knows every place where a request names an object", async () => {
  const schemas = await servedSchemas(server.baseUrl);
  for (const operation of operations) {
    const known = crossings[operation.id] ?? placesOf(operation);
    const inPath = pathNames(operation.path).filter((name) => !KNOWN_TO_ALL.has(name));
    const inQuery = operation.query === undefined ? [] : Object.keys(propertiesOf(operation.query));
    const inBody = fieldsOf(schemas.bodyOf(operation) ?? {});
    expect(Object.keys(known.path ?? {}), operation.id).toEqual(inPath);
    expect(Object.keys(known.query ?? {}), operation.id).toEqual(idLike(inQuery));
    // Places in the items of a list are tried as well, but not found here.
    const ofBody = Object.keys(known.body ?? {}).filter((name) => !name.includes(".0."));
    expect(ofBody.sort(), operation.id).toEqual(
      idLike(inBody)
        .filter((name) => !CONNECTORS_WORDS.has(`${operation.id} ${name}`))
        .sort(),
    );
  }
});

interface Place {
  readonly operationId: string;
  readonly where: Where;
  readonly field: string;
}

function callWith(place: Place, call: ValidCall, id: string): Promise<RawAnswer> {
  const operation = present(
    operations.find((one) => one.id === place.operationId),
    place.operationId,
  );
  const options = optionsOf(call);
  if (place.where === "query") {
    const [path = "", query] = call.path.split("?");
    const sent = new URLSearchParams(query);
    sent.set(place.field, id);
    return ours.call(operation.method, `${path}?${sent}`, call.body, options);
  }
  if (place.where === "body") {
    const body = withValue(call.body, place.field.split("."), id);
    return ours.call(operation.method, call.path, body, options);
  }
  const at = operation.path.split("/").indexOf(`{${place.field}}`);
  const path = call.path.split("/").map((segment, index) => (index === at ? id : segment));
  return ours.call(operation.method, path.join("/"), call.body, options);
}

const PER_ANSWER = new Set(["date", "x-request-id", "keep-alive", "connection"]);

function comparable({ status, text, headers }: RawAnswer) {
  const masked = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
  return { status, masked, headers: [...headers].filter(([name]) => !PER_ANSWER.has(name)) };
}

const wireKind = (kind: string) =>
  kind === "Wallet" ? "InternalAccount" : kind.replace(/^(?:Platform|Fundable|Asked)/, "");

/** The answers of all lists of the other platform. */
async function everythingOfTheirs(): Promise<readonly string[]> {
  const lists = operations
    .filter(({ id, method }) => method === "GET" && id.startsWith("list"))
    // Rates are told anew every five minutes, whatever anybody does.
    .filter(({ id }) => id !== "listExchangeRates")
    // The log has what this test itself reads; deliveries go on by themselves, and so do their numbers in events.
    .filter(({ path }) => !/^\/(request-logs|webhook-)/.test(path));
  const owned = `?customerId=${present(theirObjects.get("Business"), "a business")}`;
  const paths = [
    "/config",
    ...lists.map(({ id, path }) => (id === "listBeneficialOwners" ? path + owned : path)),
  ];
  const answers = await Promise.all(paths.map((path) => theirs.call("GET", path)));
  return answers.map(({ text }) => text.replaceAll(/,"deliverySummary":\{[^}]*\}/g, ""));
}

const unknownId = (kind: string) => `${kind}:${randomIds().next(systemClock.now())}`;

/** The path has a code and no id. */
const namesNoKind: ReadonlySet<string> = new Set(["getAgentDeviceCodeStatus"]);

const namesWhatIsNoId: ReadonlySet<string> = new Set([
  "createCredential",
  "createPaymentBatch",
  "updateConfig",
]);

describe.each(drawn)("$operationId with $field in the $where", (place) => {
  const operation = present(
    operations.find(({ id }) => id === place.operationId),
    place.operationId,
  );
  const isBadField = place.where === "body" && BAD_FIELDS.has(place.operationId);
  // A parameter, and some fields, are named when they hold no id of their kind; the others name an object that nobody has.
  const isNamed = place.where === "query" || namesWhatIsNoId.has(operation.id);
  const refusedWith = isNamed || isBadField ? 400 : 404;
  let call: ValidCall;
  let ownUuid: string;
  beforeAll(async () => {
    call = await validCall(ours, place.operationId);
    ownUuid = present(ourObjects.get(place.kind), place.kind).split(":")[1] ?? "";
  });

  it("answers another platform's id like an unknown one", async () => {
    const foreign = await callWith(place, call, present(theirObjects.get(place.kind), place.kind));
    const unknown = await callWith(place, call, unknownId(wireKind(place.kind)));
    expect(comparable(foreign)).toEqual(comparable(unknown));
    if (place.where === "query" && /list/i.test(operation.id)) {
      const { totalCount = 0, ...rest } = foreign.json;
      expect({ totalCount, ...rest }).toEqual({ data: [], hasMore: false, totalCount: 0 });
    } else if (isBadField) {
      expect(foreign.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
      expect(foreign.json.details.errors[0].field).toBe(place.field);
    } else {
      expect(foreign.status).toBe(404);
      expect(foreign.json.code).toMatch(/^[A-Z_]+_NOT_FOUND$/);
    }
  });

  it("answers an id of another kind like one that does not exist, and names the kind", async () => {
    const otherKind = place.kind === "Customer" ? "Token" : "Customer";
    // The id of a delivery has two uuids.
    const wrong = await callWith(place, call, `${otherKind}:${ownUuid.split(".")[0]}`);
    if (ANY_KIND.has(place.field)) {
      expect(wrong.json).toEqual({ data: [], hasMore: false });
      return;
    }
    expect(wrong.status).toBe(refusedWith);
    if (isNamed) {
      expect(wrong.json.code).toBe("INVALID_INPUT");
      expect(wrong.json.details.errors[0].field).toBe(place.field);
    } else {
      const unknown = await callWith(place, call, unknownId(wireKind(place.kind)));
      expect(wrong.json.code).toBe(unknown.json.code);
      if (namesNoKind.has(operation.id)) return;
      expect(wrong.json.message).toMatch(otherKind === "Token" ? /\ba token\b/ : /\ba customer\b/);
    }
  });

  it("takes an id in the one spelling that we write", async () => {
    const kind = wireKind(place.kind);
    for (const spelling of [
      `${kind}:${ownUuid.toUpperCase()}`,
      `${kind}:{${ownUuid}}`,
      `${kind.toLowerCase()}:${ownUuid}`,
      `${kind}:${ownUuid.replaceAll("-", "")}`,
      ownUuid,
      `${kind}:../../${ownUuid}`,
      `${kind}:${"0".repeat(200)}`,
    ]) {
      const written = place.where === "path" ? encodeURIComponent(spelling) : spelling;
      const { status } = await callWith(place, call, written);
      expect([spelling, status]).toEqual([spelling, refusedWith]);
    }
  });

  it("works with an id of our own", async () => {
    // A body names objects that belong together, so it is sent as it was made; so is a path.
    // Made anew, because some of them do not stay as they are for long.
    const fresh = await validCall(ours, place.operationId);
    const answer =
      place.where === "query"
        ? await callWith(place, fresh, present(ourObjects.get(place.kind), place.kind))
        : await ours.call(operation.method, fresh.path, fresh.body, optionsOf(fresh));
    expect(answer.status).toBeLessThan(300);
  });
});

describe("the other platform", () => {
  it("is unchanged after all attempts", async () => {
    await theirs.settle();
    expect(await everythingOfTheirs()).toEqual(theirsBefore);
  });
});

describe("names that a platform chooses", () => {
  it("are the platform's own: two platforms use the same ones", async () => {
    const body = {
      customerType: "INDIVIDUAL",
      platformCustomerId: "same-name",
      currencies: ["USD"],
    };
    const [mine, yours] = [
      await ours.call("POST", "/customers", body),
      await theirs.call("POST", "/customers", body),
    ];
    expect([mine.status, yours.status]).toEqual([201, 201]);
    expect(mine.json.id).not.toBe(yours.json.id);
    const found = await ours.call("GET", "/customers?platformCustomerId=same-name");
    expect(found.json.data.map((one: { id: string }) => one.id)).toEqual([mine.json.id]);
    const elsewhere = await ours.call("GET", `/customers?umaAddress=${yours.json.umaAddress}`);
    expect(elsewhere.json.data).toEqual([]);
  });
});

const ofAgents = new Set(operations.filter(({ access }) => access === "AGENT").map(({ id }) => id));

/** A group of transfers from the account to the platform and back. */
async function groupWith(accountId: string): Promise<string> {
  const platformId = await internalAccount(ours, { currency: "USD" });
  const leg = (from: string, to: string) => ({
    source: { accountId: from },
    destination: { accountId: to },
    amount: 1,
  });
  const legs = [leg(accountId, platformId), leg(platformId, accountId)];
  return (await ours.call("POST", "/transfers", { legs })).json.groupId;
}

/** Within one platform an agent sees its own customer alone, and of actions and quotes its own alone. */
describe.each(sampleOf(tried.filter(({ operationId }) => ofAgents.has(operationId))))(
  "$operationId of an agent with $field in the $where",
  (place) => {
    let stranger: StoryAgent;
    let id: string;
    beforeAll(async () => {
      stranger = await connectedAgent(ours);
      const { json } = await stranger.pay(5);
      const objects: Readonly<Record<string, string>> = {
        Customer: stranger.customerId,
        InternalAccount: stranger.accountId,
        ExternalAccount: stranger.payeeId,
        AgentAction: json.id,
        Quote: (await stranger.quote(1_000)).json.id,
        Transaction: json.transaction.id,
        TransferGroup: await groupWith(stranger.accountId),
      };
      id = present(objects[place.kind], place.kind);
      await ours.settle();
    });

    it("answers a name of another agent like an unknown one, and leaves it unchanged", async () => {
      const call = await validCall(ours, place.operationId);
      const before = await everythingOf(stranger);
      const foreign = await callWith(place, call, id);
      const unknown = await callWith(place, call, unknownId(wireKind(place.kind)));
      expect(comparable(foreign)).toEqual(comparable(unknown));
      if (place.where === "query") expect(foreign.json.data).toEqual([]);
      else expect(foreign.status).toBeGreaterThanOrEqual(400);
      expect(await everythingOf(stranger)).toEqual(before);
    });
  },
);

async function everythingOf(agent: StoryAgent): Promise<readonly string[]> {
  const paths = ["", "/actions", "/transactions", "/external-accounts", "/internal-accounts"];
  const answers = await Promise.all(paths.map((path) => agent.call("GET", path)));
  return answers.map(({ text }) => text.replaceAll(/,"deliverySummary":\{[^}]*\}/g, ""));
}
