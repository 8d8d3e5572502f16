import Type from "typebox";
import { permissions, type Token } from "../../domain/token.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema, optional } from "../fields.ts";

export const PermissionSchema = Type.Enum([...permissions], {
  description: "`VIEW` reads, `TRANSACT` moves money, `MANAGE` sets up. None implies another.",
});

const clientSecret = Type.String({
  ...sensitive,
  description: "The password of HTTP Basic; only in the answer that creates the token.",
});

export const TokenSchema = Type.Object(
  {
    id: Type.String({ description: "`Token:<uuid>`" }),
    name: Type.String(),
    permissions: Type.Array(PermissionSchema),
    clientId: Type.String({ description: "The user name of HTTP Basic." }),
    clientSecret: Type.Optional(clientSecret),
    expiresAt: Type.Optional({
      ...DateTimeSchema,
      description: "From then on it is refused like an unknown one. Absent for never.",
    }),
    lastUsedAt: Type.Optional(
      Type.String({
        format: "date",
        description:
          "The UTC day of its last use, by the clock of the server, about a second late.",
      }),
    ),
    createdBy: Type.Optional(
      Type.String({ description: "The token or the person that created it, or `operator`." }),
    ),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Token" },
);

/** With the secret, which no other answer has. */
export const CreatedTokenSchema = Type.Object(
  { ...TokenSchema.properties, clientSecret },
  { $id: "CreatedToken" },
);

export function tokenJson(
  token: Token,
  {
    clientSecret,
    lastUsedAt,
  }: { readonly clientSecret?: string; readonly lastUsedAt?: string | undefined },
): string {
  return JSON.stringify({
    id: `Token:${token.id}`,
    name: token.name,
    permissions: token.permissions,
    clientId: token.clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(token.expiresAt === null ? {} : { expiresAt: toIso(token.expiresAt) }),
    lastUsedAt,
    ...optional("createdBy", token.createdBy),
    createdAt: toIso(token.createdAt),
    updatedAt: toIso(token.updatedAt),
  });
}

export const tokenExample = {
  id: "Token:019a4f00-0000-7000-8000-000000000005",
  name: "payouts",
  permissions: ["VIEW", "TRANSACT"],
  clientId: "5f0c4b8f6f9a4f5e8a2b7c1d9e3f6a7b",
  createdBy: "operator",
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:00:00.000Z",
};
