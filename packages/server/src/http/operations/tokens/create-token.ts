import { randomBytes } from "node:crypto";
import Type from "typebox";
import { createToken as command, refuseGrant } from "../../../domain/tokens/create-token.ts";
import { hashSecret } from "../../../domain/tokens/token.ts";
import { nameField } from "../../../wire/fields.ts";
import {
  CreatedTokenSchema,
  PermissionSchema,
  tokenExample,
  tokenJson,
} from "../../../wire/platform/token.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const createToken = defineOperation({
  id: "createToken",
  method: "POST",
  path: "/tokens",
  access: "MANAGE",
  tag: "Tokens",
  summary: "Create an API token",
  description:
    "The secret is in this answer and never again. A token can grant only permissions that it holds itself.",
  body: Type.Object({
    name: nameField,
    permissions: Type.Array(PermissionSchema, { minItems: 1, maxItems: 3, uniqueItems: true }),
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
  async handle({ principal, body, idempotency }, { engine }: Services) {
    refuseGrant(body.permissions, principal.permissions);
    const clientSecret = randomBytes(32).toString("hex");
    return submitForCaller(engine, principal, {
      command,
      input: {
        name: body.name,
        permissions: body.permissions,
        clientId: randomBytes(16).toString("hex"),
        secretHash: hashSecret(clientSecret),
      },
      toAnswer: (token) => ({ status: 201, body: tokenJson(token, clientSecret) }),
      idempotency,
      secret: true,
    });
  },
});
