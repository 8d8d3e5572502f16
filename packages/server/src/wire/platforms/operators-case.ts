/** A verification that operators decide: the case, and the platform that it is of. */
import Type from "typebox";
import { toPlatformConfigId } from "../../domain/platform.ts";
import type { OperatorsCase } from "../../domain/platforms/system/operators-queue.sql.ts";
import { type CaseMore, wireVerificationCase } from "../customers/verification-case.ts";

export const OperatorsCaseSchema = Type.Object(
  {
    ...wireVerificationCase.schema.properties,
    platform: Type.Object({
      id: Type.String({ description: "`PlatformConfig:<uuid>`" }),
      name: Type.String(),
      environment: Type.Enum(["SANDBOX", "PRODUCTION"]),
    }),
  },
  { $id: "OperatorsCase" },
);

export const operatorsCaseExample = {
  ...wireVerificationCase.example,
  platform: {
    id: "PlatformConfig:019a4f00-0000-7000-8000-000000000033",
    name: "lind-boats",
    environment: "PRODUCTION",
  },
};

export function operatorsCaseJson({ platform, ...row }: OperatorsCase, more: CaseMore): string {
  const { id, ...rest } = platform;
  const shown = JSON.stringify({ id: toPlatformConfigId(id), ...rest });
  return `${wireVerificationCase.json(row, more).slice(0, -1)},"platform":${shown}}`;
}
