import Type from "typebox";
import { routingFaultCodes } from "../../domain/uma/domains/routing-faults.ts";
import {
  callbackBases,
  type LastCheck,
  type UmaDomain,
  umaDomainStatuses,
} from "../../domain/uma/domains/uma-domain-row.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const wireLastCheck = wireObject("UmaDomainCheck", ({ of }: Kit<LastCheck>) => ({
  at: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  ok: of.boolean({ description: "Whether it found no fault.", example: true }),
  faults: of.json(
    Type.Array(
      Type.Object({
        code: Type.Enum([...routingFaultCodes]),
        message: Type.String({ description: "One sentence." }),
      }),
    ),
    { example: [] },
  ),
}));

export const callbackBaseField = Type.Enum([...callbackBases], {
  description:
    "The URL that other institutions are given for calls about payments: below the PUBLIC_URL of the deployment, or below the domain, " +
    "which then needs a route for `/uma/` as well.",
});

export const wireUmaDomain = wireObject("UmaDomain", ({ of, maybe }: Kit<UmaDomain>) => ({
  id: of.id("UmaDomain", { description: "`UmaDomain:<uuid>`", example: 71 }),
  domain: of.text({ description: "The part of an address after `@`.", example: "bank.example" }),
  status: of.enum(umaDomainStatuses, {
    description:
      "`CLAIMED`: no check has found the routing in order, and nothing is served for it outside the deployment. `ACTIVE`: served. " +
      "`UNREACHABLE`: served, but the last three checks or more have found faults.",
    example: "ACTIVE",
  }),
  isPrimary: of.boolean({
    description:
      "Whether new customers get their addresses there: the `umaDomain` of the configuration.",
    example: true,
  }),
  callbackBase: of.enum(callbackBases, { example: "PUBLIC_URL" }),
  verifiedAt: maybe.time({
    description: "When a check first found the routing in order.",
    example: "2026-11-21T10:00:00.000Z",
  }),
  lastCheck: maybe.object(wireLastCheck, { example: wireLastCheck.example }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
}));

export const claimedDomainExample = {
  ...wireUmaDomain.example,
  status: "CLAIMED",
  verifiedAt: undefined,
  lastCheck: {
    at: "2026-11-21T10:00:00.000Z",
    ok: false,
    faults: [
      {
        code: "HOST_NOT_PASSED_ON",
        message:
          "The proxy does not pass the host on: this deployment received another one than bank.example.",
      },
    ],
  },
};

export const unreachableDomainExample = {
  ...claimedDomainExample,
  status: "UNREACHABLE",
  verifiedAt: "2026-11-20T10:00:00.000Z",
};
