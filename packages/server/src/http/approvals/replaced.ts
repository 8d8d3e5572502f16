/**
 * What an order replaces, for acts whose content does not have it: before and after the change. The value before is read for the person
 * who is shown the order, and again in the commit that takes the agreement, so a change that commits in between is not agreed to unseen.
 */
import type { Approval } from "../../domain/people/approvals/approval.ts";
import { type ApprovalKind, approvalKinds } from "../../domain/people/approvals/approval-kinds.ts";
import {
  type ApprovalPolicy,
  approvalPolicies,
  findApprovalPolicy,
  ruleFor,
} from "../../domain/people/approvals/approval-policy.ts";
import type { OpenedOrder } from "../../domain/people/approvals/decide-approval.ts";
import type { Surroundings } from "../../domain/people/approvals/shown/describe.ts";
import { findPerson } from "../../domain/people/person.sql.ts";
import { type Person, people } from "../../domain/people/person.ts";
import type { Environment } from "../../domain/platform.ts";
import { listPositions } from "../../domain/prices/fx-positions/fx-position.sql.ts";
import { allPositions } from "../../domain/prices/fx-positions/set-fx-limits.ts";
import {
  findPriceRules,
  type PriceRules,
  priceRules,
} from "../../domain/prices/price-rules/price-rules.ts";
import { findRoute, type RailRoute, railRoutes } from "../../domain/rails/routes/rail-route.ts";
import type { Loaded } from "../../engine/command.ts";
import type { Reads } from "../../postgres/database.ts";
import { sha256Hex } from "../../std/digest.ts";
import { fromWireId } from "../../std/ids.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../std/json.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { feeRuleJson } from "../../wire/prices/price-rules.ts";
import { wireRailRoute } from "../../wire/rails/rail-route.ts";

type Change = NonNullable<Surroundings["change"]>;

/** An order, and where it is. */
export interface ReplacingOrder {
  readonly act: string;
  readonly content: JsonObject;
  /** The partition of the approval. */
  readonly platformId: string;
  readonly environment: Environment;
}

interface Replaced {
  readonly refs: (order: ReplacingOrder) => readonly AnyRef[];
  /** Undefined for an object that is not there. */
  readonly read: (reads: Reads, order: ReplacingOrder) => Promise<object | undefined>;
  readonly inCommit: (world: Loaded, order: ReplacingOrder) => object | undefined;
  readonly after: (content: JsonObject, now: JsonObject) => object;
  /** What is shown as replaced, where it is not the value that is read. */
  readonly before?: object;
}

/** The change as it is shown, and the digest of the value that it replaces. */
export interface ReadChange extends Change {
  readonly replaces: string;
}

/** Undefined for an act whose content has all of it, and for an object that is not there. */
export async function readChange(
  reads: Reads,
  order: ReplacingOrder,
): Promise<ReadChange | undefined> {
  const replaced = REPLACED[order.act];
  const found = await replaced?.read(reads, order);
  if (replaced === undefined || found === undefined) return undefined;
  const now = asJson(found);
  const { before = now, after } = replaced;
  return {
    before: asJson(before),
    after: asJson(after(order.content, now)),
    replaces: digestOf(now),
  };
}

/** The part of an order by which the commit finds out what the order replaces then. */
export function replacedInCommit(
  { act }: Pick<Approval, "act">,
  at: Omit<ReplacingOrder, "act">,
): Pick<OpenedOrder, "replacedNow"> {
  const replaced = REPLACED[act];
  if (replaced === undefined) return {};
  const order = { ...at, act };
  return {
    replacedNow: {
      needs: () => replaced.refs(order),
      digest(world) {
        const found = replaced.inCommit(world, order);
        return found && digestOf(asJson(found));
      },
    },
  };
}

function digestOf(value: JsonObject): string {
  return sha256Hex(canonicalJson(value));
}

function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

function ofRules(
  before: (rules: PriceRules | undefined) => object,
  after: Replaced["after"],
): Replaced {
  return {
    refs: ({ platformId }) => [priceRules.ref(platformId)],
    read: async (reads, { platformId }) => before(await findPriceRules(reads, platformId)),
    inCommit: (world, { platformId }) => before(world.find(priceRules.ref(platformId))),
    after,
  };
}

function ofPerson(before: (person: Person) => object, after: Replaced["after"]): Replaced {
  const idOf = ({ content }: ReplacingOrder) =>
    fromWireId("Person", String(content.personId)) ?? "";
  return {
    refs: (order) => [people.ref(idOf(order))],
    async read(reads, order) {
      const person = await findPerson(reads, order.platformId, idOf(order));
      return person && before(person);
    },
    inCommit(world, order) {
      const person = world.find(people.ref(idOf(order)));
      return person && before(person);
    },
    after,
  };
}

type Limits = Pick<Awaited<ReturnType<typeof listPositions>>[number], "currency"> & {
  readonly maxLong: bigint | null;
  readonly maxShort: bigint | null;
};

function limitsOf(positions: readonly Limits[]): object {
  const limits = positions
    .filter(({ maxLong, maxShort }) => maxLong !== null || maxShort !== null)
    .map(({ currency, maxLong, maxShort }) => ({
      currency,
      ...(maxLong === null ? {} : { maxLong: String(maxLong) }),
      ...(maxShort === null ? {} : { maxShort: String(maxShort) }),
    }));
  return { limits: limits.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)) };
}

function routeIn(route: RailRoute | undefined): object | undefined {
  if (route === undefined) return undefined;
  const {
    id: _,
    createdAt: _created,
    updatedAt: _updated,
    ...before
  } = JSON.parse(wireRailRoute.json(route));
  return before;
}

const routeIdIn = ({ content }: ReplacingOrder) =>
  fromWireId("RailRoute", String(content.routeId)) ?? "";

function changedRules({ rules }: JsonObject): JsonObject {
  return rules !== undefined && isJsonObject(rules) ? rules : {};
}

/** The rules of the kinds that the order names. */
function policyBefore(
  { content, environment }: ReplacingOrder,
  policy: ApprovalPolicy | undefined,
): object {
  const changed = changedRules(content);
  const kinds = approvalKinds.filter((kind) => changed[kind] !== undefined);
  const now = (kind: ApprovalKind) => ruleFor(kind, environment, policy);
  return { rules: Object.fromEntries(kinds.map((kind) => [kind, now(kind)])) };
}

function policyAfter(content: JsonObject, { rules = {} }: JsonObject): object {
  const before = changedRules({ rules });
  const changed = Object.entries(changedRules(content)).map(([kind, rule]) => [
    kind,
    { ...(before[kind] as JsonObject), ...(rule as JsonObject) },
  ]);
  return { rules: Object.fromEntries(changed) };
}

const REPLACED: Readonly<Record<string, Replaced>> = {
  updatePerson: ofPerson(
    ({ roles, state }) => ({ roles, isSuspended: state === "SUSPENDED" }),
    ({ roles, isSuspended }, before) => ({
      ...before,
      ...(roles === undefined ? {} : { roles }),
      ...(isSuspended === undefined ? {} : { isSuspended }),
    }),
  ),
  removePerson: ofPerson(
    ({ roles }) => ({ roles }),
    () => ({ roles: [] }),
  ),
  // The link gives a person these roles.
  reEnrolPerson: {
    ...ofPerson(
      ({ roles }) => ({ roles }),
      (_, { roles = [] }) => ({ roles }),
    ),
    before: { roles: [] },
  },
  setPolicy: {
    refs: ({ platformId }) => [approvalPolicies.ref(platformId)],
    read: async (reads, order) =>
      policyBefore(order, await findApprovalPolicy(reads, order.platformId)),
    inCommit: (world, order) =>
      policyBefore(order, world.find(approvalPolicies.ref(order.platformId))),
    after: policyAfter,
  },
  setFees: ofRules(
    (rules) => ({ rules: (rules?.fees ?? []).map(feeRuleJson) }),
    ({ rules = [] }) => ({ rules }),
  ),
  setSpreads: ofRules(
    (rules) => ({ spreads: rules?.spreads ?? [] }),
    ({ spreads = [] }) => ({ spreads }),
  ),
  setFxLimits: {
    refs: () => [allPositions],
    read: async (reads, { platformId }) => limitsOf(await listPositions(reads, platformId)),
    inCommit: (world) => limitsOf(world.all(allPositions)),
    after: ({ limits = [] }) => ({ limits }),
  },
  updateRailRoute: {
    refs: (order) => [railRoutes.ref(routeIdIn(order))],
    read: async (reads, order) =>
      routeIn(await findRoute(reads, order.platformId, routeIdIn(order))),
    inCommit: (world, order) => routeIn(world.find(railRoutes.ref(routeIdIn(order)))),
    after: ({ routeId: _, connection: _connection, ...sent }, before) => ({ ...before, ...sent }),
  },
};

/** The acts whose content does not have what they replace. */
export const replacingActs: readonly string[] = Object.keys(REPLACED);
