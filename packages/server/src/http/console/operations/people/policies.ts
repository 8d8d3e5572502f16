import Type from "typebox";
import {
  type ApprovalKind,
  approvalKinds,
  noteOf,
} from "../../../../domain/people/approvals/approval-kinds.ts";
import { findApprovalPolicy } from "../../../../domain/people/approvals/approval-policy.ts";
import {
  type ApprovalPlace,
  capabilitiesIn,
} from "../../../../domain/people/approvals/eligible-people.ts";
import {
  type SetPolicyInput,
  setPolicyOrder,
} from "../../../../domain/people/approvals/set-policy.ts";
import { toPlatformConfigId } from "../../../../domain/platform.ts";
import { invalidField } from "../../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../../money/currency.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  ApprovalPolicySchema,
  policyExample,
  policyJson,
  RuleChangeSchema,
} from "../../../../wire/people/policy.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation, type PersonPrincipal, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { placesOfWorkspace, type WorkspacePlace } from "./find-approval.ts";

const listPolicies = defineOperation({
  id: "listPolicies",
  ...route("GET /workspace/policies", "PERSON", "settings.read"),
  tag: "Approvals",
  summary: "List the approval policies",
  description:
    "Which acts of people wait for others: one policy for each platform on which you have a role, and one of the workspace.",
  answers: {
    200: {
      description: "All of them.",
      schema: Type.Object({ data: Type.Array(ApprovalPolicySchema) }),
      example: { data: [policyExample] },
    },
  },
  refusals: [],
  async handle({ principal }, services: Services) {
    const places = await placesOfWorkspace(services, principal);
    const policies = await Promise.all(
      places.map(async (place) =>
        policyJson(policyPlace(place), await findApprovalPolicy(services.reads, place.platformId)),
      ),
    );
    return { status: 200, body: `{"data":[${policies.join(",")}]}` };
  },
});

function policyPlace({ place, environment }: WorkspacePlace) {
  return { platformId: place.platform?.id, environment };
}

export const rulesField = Type.Unsafe<SetPolicyInput["changes"]>(
  Type.Object(
    Object.fromEntries(approvalKinds.map((kind) => [kind, Type.Optional(RuleChangeSchema)])),
  ),
);

const setPolicy = defineOperation({
  id: "setPolicy",
  ...route("PUT /workspace/policies", "PERSON", "policies.write"),
  tag: "Approvals",
  summary: "Change an approval policy",
  description:
    "Members of a rule that are sent replace those that it has. A change by which less waits needs another owner, where there is one, and counts for what " +
    "is asked for after it.",
  body: Type.Object({
    platformId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: "Null for the policy of the workspace.",
    }),
    rules: rulesField,
  }),
  requestExample: {
    platformId: policyExample.platformId,
    rules: { PAYMENT: { twoAbove: { USD: 1000000 } } },
  },
  answers: {
    200: { description: "The policy.", schema: ApprovalPolicySchema, example: policyExample },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }, services: Services) {
    const place = await requirePlace(services, principal, body.platformId);
    const { rules } = body;
    refuseCurrencies(rules);
    const { platformId, environment } = place;
    return submitHeld(
      services,
      { ...principal, platformId, environment },
      {
        order: setPolicyOrder,
        place: place.place,
        content: { rules },
        input: policyInput(rules, place),
        toAnswer: ({ policy }) => ({ status: 200, body: policyJson(policyPlace(place), policy) }),
      },
    );
  },
});

async function requirePlace(
  services: Services,
  principal: PersonPrincipal,
  wanted: string | null,
): Promise<WorkspacePlace> {
  const places = await placesOfWorkspace(services, principal);
  const found = places.find(({ place: { platform } }) =>
    wanted === null
      ? platform === undefined
      : platform !== undefined && toPlatformConfigId(platform.id) === wanted,
  );
  if (found === undefined)
    throw invalidField("platformId", "must be a platform of the workspace, or null");
  return found;
}

function refuseCurrencies(rules: SetPolicyInput["changes"]): void {
  for (const [kind, { above, twoAbove } = {}] of Object.entries(rules)) {
    for (const [name, amounts] of Object.entries({ above, twoAbove })) {
      const unknown = Object.keys(amounts ?? {}).find((code) => !isCurrencyCode(code));
      if (unknown !== undefined)
        throw invalidField(`rules.${kind}.${name}.${unknown}`, "is not a known currency");
    }
  }
}

/** The input of a policy change, when it is requested and again when it is carried out. */
export function policyInput(
  changes: SetPolicyInput["changes"],
  { place, environment }: Pick<WorkspacePlace, "place" | "environment">,
): SetPolicyInput {
  return { changes, environment, canSatisfy: (kind, people) => isEnough(place, kind, people) };
}

/** Whether at least one possible requester leaves enough other people who may decide. */
function isEnough(
  { platform, people }: ApprovalPlace,
  kind: ApprovalKind,
  needed: number,
): boolean {
  const { asks, capability } = noteOf(kind);
  const held = people.map((person) => capabilitiesIn(person, platform));
  const deciders = held.filter((one) => one.has(capability)).length;
  const askers = held.filter((one) => one.has(asks));
  return askers.some((one) => deciders - (one.has(capability) ? 1 : 0) >= needed);
}

export const policyOperations = [listPolicies, setPolicy];
