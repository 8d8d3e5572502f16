import Type from "typebox";
import { approvalKinds, noteOf } from "../../domain/people/approvals/approval-kinds.ts";
import { type ApprovalPolicy, ruleFor } from "../../domain/people/approvals/approval-policy.ts";
import { type Environment, toPlatformConfigId } from "../../domain/platform.ts";
import { MAX_AMOUNT } from "../../money/money.ts";

const amounts = (description: string) =>
  Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[A-Z0-9]{3,10}$" }),
      Type.Integer({ minimum: 0, maximum: MAX_AMOUNT }),
      { maxProperties: 100, description },
    ),
  );

const ruleMembers = {
  above: amounts(
    "By currency, in the smallest unit: amounts up to this one do not wait. 0 where a currency is absent.",
  ),
  twoAbove: amounts("By currency: amounts above this one need two people."),
};

const waits = Type.Union([Type.Boolean(), Type.Literal("WITH_TWO_OWNERS")], {
  description: "`WITH_TWO_OWNERS`: while the workspace has two owners who can sign in.",
});

/** The rule of one kind in a change. */
export const RuleChangeSchema = Type.Object({ waits: Type.Optional(waits), ...ruleMembers });

export const ApprovalPolicySchema = Type.Object(
  {
    platformId: Type.Union([Type.String(), Type.Null()], {
      description: "`PlatformConfig:<uuid>`; null for what concerns people of the workspace.",
    }),
    rules: Type.Record(
      Type.String(),
      Type.Object({
        waits,
        ...ruleMembers,
        isFixed: Type.Boolean({ description: "Whether `waits` cannot be changed." }),
        hasAmounts: Type.Boolean({
          description: "Whether `twoAbove` can be set, and `above` unless `isFixed`.",
        }),
        isDefault: Type.Boolean({ description: "Whether nothing of it was changed." }),
      }),
      { description: "By kind: which acts of people wait for others." },
    ),
  },
  { $id: "ApprovalPolicy" },
);

export interface PolicyPlace {
  /** Undefined for the policy of the workspace. */
  readonly platformId: string | undefined;
  readonly environment: Environment;
}

export function policyJson(
  { platformId, environment }: PolicyPlace,
  policy: Pick<ApprovalPolicy, "rules"> | undefined,
): string {
  const isHere = (kind: (typeof approvalKinds)[number]) =>
    kind === "POLICY" || (noteOf(kind).isOfWorkspace === true) === (platformId === undefined);
  const rules = approvalKinds.filter(isHere).map((kind) => [
    kind,
    {
      ...ruleFor(kind, environment, policy),
      isFixed: noteOf(kind).isFixed === true,
      hasAmounts: noteOf(kind).hasAmounts === true,
      isDefault: policy?.rules[kind] === undefined,
    },
  ]);
  return JSON.stringify({
    platformId: platformId === undefined ? null : toPlatformConfigId(platformId),
    rules: Object.fromEntries(rules),
  });
}

export const policyExample = {
  platformId: "PlatformConfig:019a4f00-0000-7000-8000-000000000000",
  rules: {
    PAYMENT: {
      waits: true,
      twoAbove: { USD: 1000000 },
      isFixed: false,
      hasAmounts: true,
      isDefault: false,
    },
  },
};
