/** Connections as orders that may wait for another owner. The content of an order holds secrets sealed, as the rows of connections do. */

import Type, { type Static } from "typebox";
import {
  type ApprovalPlace,
  hasTwoDeciders,
} from "../../../domain/people/approvals/eligible-people.ts";
import { shownConnection } from "../../../domain/people/approvals/held-control.ts";
import type {
  ActivateRailConnectionInput,
  Described,
} from "../../../domain/rails/connections/activate-rail-connection.ts";
import type { SentSecrets } from "../../../domain/rails/connections/connection-secrets.ts";
import { missingIn } from "../../../domain/rails/connections/connection-settings.ts";
import type { CreateRailConnectionInput } from "../../../domain/rails/connections/create-rail-connection.ts";
import {
  type FundingSettings,
  NO_FUNDING,
} from "../../../domain/rails/connections/funding-settings.ts";
import {
  type FoundConnection,
  findConnection,
} from "../../../domain/rails/connections/rail-connection.sql.ts";
import {
  type ConnectionControl,
  type ConnectionSettings,
  GUARDED_CONTROL,
  NO_CONTROL,
  secretNames,
} from "../../../domain/rails/connections/rail-connection.ts";
import type { UpdateRailConnectionInput } from "../../../domain/rails/connections/update-rail-connection.ts";
import type { JsonObject } from "../../../std/json.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  accountNames,
  controlIn,
  fundingNames,
  settingNames,
} from "../../../wire/rails/rail-connection.ts";
import type { Services } from "../../request/services.ts";
import { calendarIn, knownMembers } from "./connection-body.ts";
import type { CreateConnectionBody, UpdateConnectionBody } from "./connections.ts";

/** The control of a connection that names none. */
function usualControl(place: ApprovalPlace): ConnectionControl {
  const isGuarded = place.platform?.environment === "PRODUCTION" && hasTwoDeciders(place);
  return isGuarded ? GUARDED_CONTROL : NO_CONTROL;
}

const sealedSecret = Type.Union([
  Type.Object({ sealed: Type.String(), fingerprint: Type.String() }),
  Type.Null(),
]);
export const sealedSecrets = Type.Unsafe<SentSecrets>(
  Type.Object(Object.fromEntries(secretNames.map((name) => [name, Type.Optional(sealedSecret)]))),
);

type CreateConnectionContent = Omit<Static<typeof CreateConnectionBody>, "secrets"> & {
  readonly sealId: string;
  readonly secrets: SentSecrets;
};

export function createConnectionInput(
  content: CreateConnectionContent,
  place: ApprovalPlace,
): CreateRailConnectionInput {
  return {
    name: content.name,
    kind: content.kind,
    currencies: content.currencies,
    account: knownMembers(accountNames, content.account) ?? {},
    settings: (knownMembers(settingNames, content.settings) ?? {}) as ConnectionSettings,
    calendar: calendarIn(content.calendar) ?? {},
    control: controlIn(content.control) ?? {},
    usual: usualControl(place),
    sealId: content.sealId,
    secrets: content.secrets,
    funding: (knownMembers(fundingNames, content.funding) ?? NO_FUNDING) as FundingSettings,
  };
}

type UpdateConnectionContent = Omit<Static<typeof UpdateConnectionBody>, "secrets"> & {
  readonly connectionId: string;
  readonly secrets: SentSecrets;
  /** The connection as it was when the change was asked for. */
  readonly before: JsonObject;
};

export function updateConnectionInput(
  content: UpdateConnectionContent,
): UpdateRailConnectionInput & { readonly shown: JsonObject } {
  return {
    connectionId: requireId("RailConnection", content.connectionId, "REFERENCE_NOT_FOUND"),
    name: content.name,
    currencies: content.currencies,
    account: knownMembers(accountNames, content.account),
    settings: knownMembers(settingNames, content.settings),
    calendar: calendarIn(content.calendar),
    control: controlIn(content.control),
    secrets: content.secrets,
    funding: knownMembers(fundingNames, content.funding),
    shown: content.before,
  };
}

/** The connection of an id, as it is shown to who decides; undefined for one that is not there, which the command refuses. */
export async function shownConnectionOf(
  { reads }: Pick<Services, "reads">,
  platformId: string,
  connectionId: string,
): Promise<JsonObject | undefined> {
  const found = await findConnection(reads, platformId, connectionId);
  return found && shownConnection(found.connection);
}

export async function activationInput(
  services: Services,
  { found, shown }: { readonly found: FoundConnection; readonly shown?: JsonObject | undefined },
): Promise<ActivateRailConnectionInput & { readonly shown: JsonObject | undefined }> {
  const described = await describe(found, services);
  return { connectionId: found.connection.id, described, shown };
}

/** A connector is asked once everything else is there. */
async function describe(
  found: FoundConnection,
  { connectors }: Services,
): Promise<Described | undefined> {
  const { connection } = found;
  const others = missingIn(connection).filter((field) => field !== "capabilities");
  const isAsked =
    connection.kind === "HTTP" && connection.status === "SETUP" && others.length === 0;
  return isAsked ? connectors.describe(found) : undefined;
}
