/** Makes workspaces and platforms with the code of the command line. The answer has the values that are shown once; it is stored sealed. */
import { randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import { inLowerCase } from "../../../../domain/customers/uma-address.ts";
import {
  findWorkspace,
  platformsOfWorkspace,
} from "../../../../domain/people/workspaces/workspace.sql.ts";
import {
  MOST_PLATFORMS_OF_WORKSPACE,
  toWorkspaceId,
} from "../../../../domain/people/workspaces/workspace.ts";
import { toPlatformConfigId } from "../../../../domain/platform.ts";
import {
  type OrderedPlatform,
  type OrderedWorkspace,
  orderPlatform,
  orderWorkspace,
} from "../../../../domain/platforms/system/orders-of-operators.ts";
import { isDomainTaken } from "../../../../domain/platforms/system/tenants.sql.ts";
import {
  hostOf,
  sandboxDomainOf,
  umaDomainFault,
} from "../../../../domain/uma/domains/uma-domain.ts";
import type { Answered, Idempotency } from "../../../../engine/command.ts";
import { invalid, Refusal } from "../../../../engine/refusal.ts";
import type { JsonObject } from "../../../../std/json.ts";
import { type Judgement, judgementOf } from "../../../../validation/validation.ts";
import { filledText } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { soundId } from "../../../../wire/ids.ts";
import {
  CreatedPlatformSchema,
  CreatedWorkspaceSchema,
  createdPlatformExample,
  createdWorkspaceExample,
} from "../../../../wire/platforms/tenants.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type PersonPrincipal,
  route,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { actorOf, submitForCaller, submitFound } from "../../../request/submit-for-caller.ts";
import { newLinkCode } from "../../link-code.ts";
import { OPERATORS_SHARE } from "./deployment.ts";

export const createWorkspaceOperation = defineOperation({
  id: "createWorkspace",
  ...route("POST /system/workspaces", "PERSON", "system.write"),
  tag: "System",
  summary: "Make a workspace",
  description:
    "It has no platforms and no people yet; the link of the answer makes its first owner, who is no operator.",
  body: Type.Object({ name: filledText(255) }),
  requestExample: { name: "Lind Boats" },
  answers: {
    201: {
      description: "The workspace.",
      schema: CreatedWorkspaceSchema,
      example: createdWorkspaceExample,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const { engine, ids, clock, people, system } = services;
    const ordered = { id: ids.next(clock.now()), name: body.name, code: newLinkCode() };
    const { origin } = people.place();
    const answered = await submitForCaller(engine, principal, {
      command: orderWorkspace,
      input: ordered,
      toAnswer: ({ id, name, code }) => ({
        status: 201,
        body: JSON.stringify({
          id: toWorkspaceId(id),
          name,
          startUrl: `${origin}/console/start#${code}`,
        }),
      }),
      idempotency,
      secret: true,
    });
    if (answered.status === 201)
      await system.makeWorkspace(workspaceIn(answered.body), makerOf(principal));
    return answered;
  },
});

/** The stored answer of a repeated call names what the first one ordered. */
function workspaceIn(body: string): OrderedWorkspace {
  const { id, name, startUrl } = JSON.parse(body) as Static<typeof CreatedWorkspaceSchema>;
  return { id: soundId("Workspace", id), name, code: startUrl.split("#")[1] ?? "" };
}

function makerOf(principal: PersonPrincipal) {
  return { actor: actorOf(principal), act: principal.act };
}

const platformFields = {
  name: filledText(255),
  umaDomain: filledText(253, { description: "The domain of its UMA addresses." }),
  isRegulatedFinancialInstitution: Type.Optional(
    Type.Boolean({ description: "Its customers then count as checked." }),
  ),
};

function judgeDomain(
  { umaDomain }: JsonObject,
  { context }: JudgeSurroundings<Services, PersonPrincipal>,
): Judgement<undefined> {
  if (typeof umaDomain !== "string") return { ok: true, value: undefined };
  const host = context.hasPublicUrl ? hostOf(context.publicUrl()) : "localhost";
  const fault = umaDomainFault(inLowerCase(umaDomain), host);
  return judgementOf(fault === undefined ? [] : [invalid("umaDomain", fault)]);
}

const platformAnswers = {
  201: {
    description: "The platform with its first token.",
    schema: CreatedPlatformSchema,
    example: createdPlatformExample,
  },
} as const;

export const createSystemPlatform = defineOperation({
  id: "createSystemPlatform",
  ...route("POST /system/platforms", "PERSON", "system.write"),
  tag: "System",
  summary: "Make a platform",
  description:
    "In any workspace. Operators decide the verifications of a production platform until one of them says otherwise.",
  body: Type.Object({
    workspaceId: idField("Workspace"),
    environment: Type.Enum(["SANDBOX", "PRODUCTION"]),
    ...platformFields,
  }),
  requestExample: {
    workspaceId: createdWorkspaceExample.id,
    environment: "PRODUCTION",
    name: "lind-boats",
    umaDomain: "lind.example",
  },
  answers: platformAnswers,
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeDomain,
  handle: ({ principal, body, idempotency }, services: Services) => {
    const { workspaceId, ...wish } = body;
    const order = { ...wish, workspaceId: soundId("Workspace", workspaceId) };
    return makePlatform(services, { principal, idempotency }, order);
  },
});

export const createWorkspacePlatform = defineOperation({
  id: "createWorkspacePlatform",
  ...route("POST /workspace/platforms", "PERSON", "workspace.write"),
  tag: "Workspace",
  summary: "Make a sandbox platform",
  description:
    "In the own workspace, whose people decide its verifications. Production platforms are made by operators.",
  body: Type.Object(platformFields),
  requestExample: { name: "trial", umaDomain: "trial.example" },
  answers: platformAnswers,
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeDomain,
  handle: ({ principal, body, idempotency }, services: Services) =>
    makePlatform(
      services,
      { principal, idempotency },
      { ...body, environment: "SANDBOX", workspaceId: principal.workspaceId },
    ),
});

interface PlatformOrder extends Pick<OrderedPlatform, "workspaceId" | "environment"> {
  readonly name: string;
  readonly umaDomain: string;
  readonly isRegulatedFinancialInstitution?: boolean | undefined;
}

interface Call {
  readonly principal: PersonPrincipal;
  readonly idempotency: Idempotency | undefined;
}

/** Refuses, in this order: an unknown workspace, a full workspace, a UMA domain of another platform. */
async function makePlatform(
  services: Services,
  { principal, idempotency }: Call,
  order: PlatformOrder,
): Promise<Answered> {
  const { engine, ids, clock, people, system } = services;
  const { isRegulatedFinancialInstitution: isRegulated = false, ...rest } = order;
  const umaDomain = inLowerCase(order.umaDomain);
  const answered = await submitFound(engine, principal, {
    command: orderPlatform,
    async find() {
      await refuseFull(services, order.workspaceId);
      await refuseTakenDomain(services, order, umaDomain);
      return {
        ...rest,
        id: ids.next(clock.now()),
        umaDomain,
        isRegulated,
        clientId: randomBytes(16).toString("hex"),
        clientSecret: randomBytes(32).toString("hex"),
      };
    },
    toAnswer: (ordered) => ({ status: 201, body: createdPlatformJson(ordered) }),
    idempotency,
    secret: true,
  });
  if (answered.status !== 201) return answered;
  if (!(await system.makePlatform(platformIn(answered.body), makerOf(principal))))
    throw domainTaken(umaDomain);
  people.sessions.forget();
  return answered;
}

async function refuseFull({ reads }: Services, workspaceId: string): Promise<void> {
  if ((await findWorkspace(reads, workspaceId)) === undefined)
    throw new Refusal(
      "REFERENCE_NOT_FOUND",
      { field: "workspaceId" },
      "There is no such workspace.",
    );
  if ((await platformsOfWorkspace(reads, workspaceId)).length < MOST_PLATFORMS_OF_WORKSPACE) return;
  const message = `The workspace has ${MOST_PLATFORMS_OF_WORKSPACE} platforms, the most that one may have.`;
  throw new Refusal("CONFLICT", undefined, message);
}

async function refuseTakenDomain(
  { reads }: Services,
  { environment }: PlatformOrder,
  umaDomain: string,
): Promise<void> {
  const wanted = environment === "SANDBOX" ? [umaDomain, sandboxDomainOf(umaDomain)] : [umaDomain];
  const isTaken = await reads.withPermit(OPERATORS_SHARE, async (cells) => {
    for (const domain of wanted) if (await isDomainTaken(cells, environment, domain)) return true;
    return false;
  });
  if (isTaken) throw domainTaken(umaDomain);
}

function domainTaken(umaDomain: string): Refusal {
  const message = `Another platform has the UMA domain ${umaDomain}, or one above or below it: use another one.`;
  return new Refusal("CONFLICT", { field: "umaDomain" }, message);
}

function createdPlatformJson({ id, workspaceId, isRegulated, ...rest }: OrderedPlatform): string {
  return JSON.stringify({
    id: toPlatformConfigId(id),
    ...rest,
    workspaceId: toWorkspaceId(workspaceId),
    isRegulatedFinancialInstitution: isRegulated,
  });
}

function platformIn(body: string): OrderedPlatform {
  const { id, workspaceId, isRegulatedFinancialInstitution, ...rest } = JSON.parse(body) as Static<
    typeof CreatedPlatformSchema
  >;
  return {
    ...rest,
    id: soundId("PlatformConfig", id),
    workspaceId: soundId("Workspace", workspaceId),
    isRegulated: isRegulatedFinancialInstitution,
  };
}
