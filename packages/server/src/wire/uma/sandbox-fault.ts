import { type SandboxFault, sandboxFaultKinds } from "../../domain/uma/faults/sandbox-fault.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireSandboxFault = wireObject(
  "UmaSandboxFault",
  ({
    of,
    maybe,
  }: Kit<Partial<Pick<SandboxFault, "kind" | "updatedAt">> & Pick<SandboxFault, "next">>) => ({
    kind: maybe.enum(sandboxFaultKinds, {
      description: "Absent while none was set.",
      example: "WRONG_AMOUNT",
    }),
    next: of.integer({
      description: "How many answers are still to have it; 0: none.",
      example: 1,
    }),
    updatedAt: maybe.time({ example: "2026-11-29T10:00:00.000Z" }),
  }),
);
