/** The acts that are carried out when their time comes, without an agreement: a job opens them, with few services. */
import Type from "typebox";
import { findApproval } from "../../domain/people/approvals/approval.sql.ts";
import type { OpenedOrder } from "../../domain/people/approvals/decide-approval.ts";
import { changePersonOrder, removePersonOrder } from "../../domain/people/approvals/held-people.ts";
import { present } from "../../std/assert.ts";
import { requireId } from "../../wire/ids.ts";
import { workspacePlace } from "../console/operations/people/approvals/find-approval.ts";
import { grantsField } from "../console/operations/people/role-grants.ts";
import type { Services } from "../request/services.ts";
import { act, type OrderPlace, openOrder } from "./act.ts";
import { openContent } from "./approval-content.ts";

type Needs = Pick<Services, "reads" | "clock">;

export const ofPerson = Type.Object({ personId: Type.String() });

/** A change of people is judged by what the one who asked may give now. */
export async function asRequester({ services, platformId, approval }: OrderPlace<Needs>) {
  const { productionIds } = await workspacePlace(services, { workspaceId: platformId });
  return { by: present(approval.requesterId, "the person who asked"), productionIds };
}

export const updatePersonAct = act(
  changePersonOrder,
  Type.Object({
    ...ofPerson.properties,
    roles: Type.Optional(grantsField),
    isSuspended: Type.Optional(Type.Boolean()),
  }),
  async ({ personId, roles, isSuspended }, at: OrderPlace<Needs>) => ({
    personId: requireId("Person", personId, "REFERENCE_NOT_FOUND"),
    roles,
    isSuspended,
    ...(await asRequester(at)),
  }),
);

export const removePersonAct = act(
  removePersonOrder,
  ofPerson,
  async ({ personId }, at: OrderPlace<Needs>) => ({
    personId: requireId("Person", personId, "REFERENCE_NOT_FOUND"),
    ...(await asRequester(at)),
  }),
);

const timedActs = new Map([updatePersonAct, removePersonAct].map((one) => [one.act, one]));

type TimedServices = Needs & Pick<Services, "sealer" | "compile">;

/** The order of an approval of a workspace. */
export async function openTimed(
  services: TimedServices,
  workspaceId: string,
  approvalId: string,
): Promise<OpenedOrder> {
  const found = await findApproval(services.reads, workspaceId, approvalId);
  const approval = present(found, "the approval of a job");
  const place = await workspacePlace(services, { workspaceId });
  const content = openContent(services, workspaceId, approval);
  return openOrder<TimedServices>(timedActs, content, { ...place, services, approval });
}
