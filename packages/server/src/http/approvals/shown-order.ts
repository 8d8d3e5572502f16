/** An order as a person is shown it at this moment: its content, and what is known of those whom it concerns. */
import { findAgent } from "../../domain/agents/agent.sql.ts";
import { membersOf } from "../../domain/lineage.ts";
import type { Approval } from "../../domain/people/approvals/approval.ts";
import type { ApprovalPlace } from "../../domain/people/approvals/eligible-people.ts";
import { largestOf } from "../../domain/people/approvals/shown/batch.ts";
import {
  type Asker,
  describeOrder,
  type Surroundings,
} from "../../domain/people/approvals/shown/describe.ts";
import { hoursOfAsker } from "../../domain/people/approvals/shown/history.sql.ts";
import { namesOf } from "../../domain/people/approvals/shown/names.sql.ts";
import type { Shown } from "../../domain/people/approvals/shown/shown.ts";
import { findPasskeysOf, findPerson } from "../../domain/people/person.sql.ts";
import { type Person, toPersonId } from "../../domain/people/person.ts";
import { findToken } from "../../domain/people/tokens/token.sql.ts";
import {
  type OwnPlatform,
  platformsOfWorkspace,
} from "../../domain/people/workspaces/workspace.sql.ts";
import type { Environment } from "../../domain/platform.ts";
import { anyIdPattern, fromWireId } from "../../std/ids.ts";
import type { Json, JsonObject } from "../../std/json.ts";
import { platformTime } from "../request/platform-time.ts";
import type { Services } from "../request/services.ts";
import { readChange } from "./replaced.ts";
import { shownBatch } from "./shown-batch.ts";
import { shownPayment } from "./shown-payment.ts";

/** The services of what only reads. */
type Tools = Pick<Services, "reads" | "clock">;

export interface ShownPlace {
  readonly workspaceId: string;
  /** The partition of the approval. */
  readonly platformId: string;
  readonly environment: Environment;
  readonly place: ApprovalPlace;
}

/** An order that waits, as it is at this moment. */
export async function shownOrder(
  services: Tools,
  at: ShownPlace,
  { approval, content }: { readonly approval: Approval; readonly content: JsonObject },
): Promise<Shown> {
  const { platformId, place } = at;
  const { act } = approval;
  const { environment } = at;
  const change = await readChange(services.reads, { act, content, platformId, environment });
  const nameOfActor = (actor: string) => actorName(services, at, actor);
  const platforms = await platformsOfWorkspace(services.reads, at.workspaceId);
  const batch =
    act === "createPaymentBatch"
      ? await shownBatch(services.reads, platformId, content)
      : undefined;
  const named = batch === undefined ? content : largestOf(batch.items).map(({ to }) => to);
  const ids = idsIn([named, change?.before ?? null, change?.after ?? null]);
  const [now, names, ownNames, asker, payment] = await Promise.all([
    platformTime(services, platformId),
    namesOf(services.reads, platformId, ids),
    namesOfWorkspace(services, at, { ids, platforms }),
    askerOf(services, at, approval),
    place.platform === undefined
      ? undefined
      : shownPayment(act, content, { services, platformId, nameOfActor }),
  ]);
  const surroundings: Surroundings = {
    now,
    askedAt: approval.createdAt,
    names: new Map([...names, ...ownNames]),
    asker,
    place: placeName(at, platforms),
    ...(payment === undefined ? {} : { payment }),
    ...(batch === undefined ? {} : { batch }),
    ...(change === undefined ? {} : { change }),
  };
  const shown = describeOrder({ act, content }, surroundings);
  return change === undefined ? shown : { ...shown, replaces: change.replaces };
}

function placeName({ place }: ShownPlace, platforms: readonly OwnPlatform[]): string {
  const own = platforms.find(({ id }) => id === place.platform?.id);
  return own === undefined ? "The workspace" : `${own.name}, ${own.environment.toLowerCase()}`;
}

const IDS = new RegExp(anyIdPattern, "g");

function idsIn(values: readonly Json[]): readonly string[] {
  return [...new Set(JSON.stringify(values).match(IDS) ?? [])];
}

/** People and platforms are not rows of the platform. */
async function namesOfWorkspace(
  { reads }: Tools,
  { workspaceId, place }: ShownPlace,
  {
    ids,
    platforms,
  }: { readonly ids: readonly string[]; readonly platforms: readonly OwnPlatform[] },
): Promise<ReadonlyMap<string, string>> {
  const people = ids.filter((id) => id.startsWith("Person:"));
  const named = await Promise.all(
    people.map(async (id) => {
      const person = await personOf({ reads }, { workspaceId, place }, id);
      return person === undefined ? [] : [[id, personName(person)] as const];
    }),
  );
  // Roles name their platforms by bare ids.
  return new Map([...named.flat(), ...platforms.map(({ id, name }) => [id, name] as const)]);
}

async function personOf(
  { reads }: Pick<Tools, "reads">,
  { workspaceId, place }: Pick<ShownPlace, "workspaceId" | "place">,
  wireId: string,
): Promise<Person | undefined> {
  const id = fromWireId("Person", wireId);
  if (id === undefined) return undefined;
  return place.people.find((one) => one.id === id) ?? (await findPerson(reads, workspaceId, id));
}

function personName({ name, email }: Pick<Person, "name" | "email">): string {
  return name === "" ? email : `${name} (${email})`;
}

/** Null for an actor that has no name. */
async function actorName(services: Tools, at: ShownPlace, actor: string): Promise<string | null> {
  const [kind, id = ""] = actor.split(":");
  switch (kind) {
    case "person": {
      const person = await personOf(services, at, toPersonId(id));
      return person === undefined ? null : personName(person);
    }
    case "token": {
      const found = await findToken(services.reads, at.platformId, id);
      return found === undefined ? "an API token" : `the API token ${found.token.name}`;
    }
    case "agent": {
      const agent = await findAgent(services.reads, at.platformId, id);
      return agent === undefined ? "an agent" : `the agent ${agent.name}`;
    }
    default:
      return kind === "operator" ? "the operator of the server" : null;
  }
}

async function askerOf(services: Tools, at: ShownPlace, approval: Approval): Promise<Asker> {
  const { requestedBy, requesterId, id, createdAt } = approval;
  const maker =
    requesterId === null ? undefined : await personOf(services, at, toPersonId(requesterId));
  const isPerson = requestedBy.startsWith("Person:");
  const [{ name, by }, hours] = await Promise.all([
    isPerson
      ? askedByPerson(services, at, { person: maker, createdAt })
      : askedByToken(services, at, { requestedBy, maker }),
    requesterId === null
      ? []
      : hoursOfAsker(services.reads, at.platformId, { requesterId, approvalId: id }),
  ]);
  const isChanged =
    maker !== undefined && membersOf(maker.joined, at.place.now).some((one) => one !== maker.id);
  return { id: requestedBy, name, by, hours, isChanged };
}

/** A person who has a passkey has shown it before they asked: see `mustShowPasskey`. */
async function askedByPerson(
  { reads }: Tools,
  { workspaceId }: ShownPlace,
  { person, createdAt }: { readonly person: Person | undefined; readonly createdAt: number },
) {
  if (person === undefined) return { name: "A person who was removed", by: "The console" };
  const passkeys = await findPasskeysOf(reads, workspaceId, [person.id]);
  const hadOne = passkeys.some((passkey) => passkey.createdAt < createdAt);
  const by = hadOne ? "The console, with a passkey" : "The console, by an identity provider";
  return { name: personName(person), by };
}

async function askedByToken(
  { reads }: Tools,
  { platformId }: ShownPlace,
  { requestedBy, maker }: { readonly requestedBy: string; readonly maker: Person | undefined },
) {
  const id = fromWireId("Token", requestedBy);
  const found = id === undefined ? undefined : await findToken(reads, platformId, id);
  const name = found === undefined ? "An API token that was deleted" : found.token.name;
  const by = maker === undefined ? "An API token" : `An API token that ${personName(maker)} made`;
  return { name, by };
}
