import { randomBytes } from "node:crypto";
import Type from "typebox";
import {
  createToken as command,
  EXPIRED_ALREADY,
  refuseGrant,
  refuseLongerLife,
} from "../../../../domain/people/tokens/create-token.ts";
import { findToken } from "../../../../domain/people/tokens/token.sql.ts";
import { hashSecret, lineageBelow, type Token } from "../../../../domain/token.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { judgementOf } from "../../../../validation/validation.ts";
import { nameField } from "../../../../wire/fields.ts";
import {
  CreatedTokenSchema,
  PermissionSchema,
  tokenExample,
  tokenJson,
} from "../../../../wire/people/token.ts";
import { placeOf } from "../../../approvals/approval-content.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import {
  defineOperation,
  isPerson,
  type JudgeSurroundings,
  type Principal,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { type TokenContent, tokenInput, tokenOrder } from "./held-token.ts";

export const createToken = defineOperation({
  id: "createToken",
  method: "POST",
  path: "/tokens",
  access: "MANAGE",
  capability: "tokens.write",
  tag: "Tokens",
  summary: "Create an API token",
  description:
    "The secret is in this answer and never again. A token can grant only permissions that it holds itself, and for no longer " +
    "than it lives itself. From `expiresAt` on, in the platform's time, the token is refused like an unknown one.",
  body: Type.Object({
    name: nameField,
    permissions: Type.Array(PermissionSchema, { minItems: 1, maxItems: 3, uniqueItems: true }),
    expiresAt: Type.Optional(
      Type.String({ format: "date-time", description: "In the future. Never when absent." }),
    ),
  }),
  requestExample: { name: "payouts", permissions: ["VIEW", "TRANSACT"] },
  answers: {
    201: {
      description: "The token with its secret.",
      schema: CreatedTokenSchema,
      example: { ...tokenExample, clientSecret: "8c1f…64 hexadecimal digits" },
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN"],
  judge({ expiresAt }, { context: { clock } }: JudgeSurroundings<Services, Principal>) {
    // A platform's clock is never behind the host's, so a time that has passed here has passed there.
    const hasPassed = typeof expiresAt === "string" && toMilliseconds(expiresAt) <= clock.now();
    return {
      ...judgementOf([]),
      furtherFaults: () => (hasPassed ? [EXPIRED_ALREADY] : []),
    };
  },
  async handle({ principal, body, idempotency }, services: Services) {
    const clientSecret = randomBytes(32).toString("hex");
    const content: TokenContent = {
      ...body,
      clientId: randomBytes(16).toString("hex"),
      secretHash: hashSecret(clientSecret).toString("hex"),
    };
    const toAnswer = (token: Token) => ({ status: 201, body: tokenJson(token, { clientSecret }) });
    if (isPerson(principal)) {
      const place = await placeOf(services, principal.platformId);
      return submitHeld(services, principal, {
        order: tokenOrder(place, principal.personId),
        content,
        input: tokenInput(content, principal.lineage),
        place,
        issued: { clientId: content.clientId, clientSecret },
        toAnswer,
        idempotency,
      });
    }
    refuseGrant(body.permissions, principal.permissions);
    const creator = await findToken(services.reads, principal.platformId, principal.tokenId);
    // The token was deleted since the call began.
    if (creator === undefined) throw new Refusal("UNAUTHORIZED");
    const input = tokenInput(content, lineageBelow(creator.token));
    refuseLongerLife(input.expiresAt, creator.token);
    return submitForCaller(services.engine, principal, {
      command,
      input,
      toAnswer,
      idempotency,
      secret: true,
    });
  },
});

function toMilliseconds(moment: string): number {
  return Date.parse(moment.toUpperCase());
}
