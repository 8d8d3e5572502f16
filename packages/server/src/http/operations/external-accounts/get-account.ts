/** What reading a customer's and the platform's own external account have in common. */
import Type from "typebox";
import { findExternalAccount } from "../../../domain/external-accounts/external-account.sql.ts";
import type { Answer } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { requireId } from "../../ids.ts";
import type { Principal } from "../../operation.ts";
import type { Services } from "../../services.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../wire/external-account.ts";

export const getFacts = {
  method: "GET",
  access: "VIEW",
  tag: "External accounts",
  params: Type.Object({ externalAccountId: Type.String() }),
  answers: {
    200: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
} as const;

/** An external account of this kind of owner; the other kind is not found. */
export async function getAccount(
  { reads }: Services,
  wanted: {
    readonly principal: Principal;
    readonly rawId: string;
    readonly owner: "customer" | "platform";
  },
): Promise<Answer> {
  const id = requireId("ExternalAccount", wanted.rawId, "REFERENCE_NOT_FOUND");
  const account = await findExternalAccount(reads, wanted.principal.platformId, id);
  if (account === undefined || (account.customerId === null) !== (wanted.owner === "platform")) {
    throw new Refusal("REFERENCE_NOT_FOUND");
  }
  return { status: 200, body: externalAccountJson(account) };
}
