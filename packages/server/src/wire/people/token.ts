import Type from "typebox";
import { permissions, type Token } from "../../domain/token.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const PermissionSchema = Type.Enum([...permissions], {
  description: "`VIEW` reads, `TRANSACT` moves money, `MANAGE` sets up. None implies another.",
});

const clientSecret = Type.String({
  ...sensitive,
  description: "The password of HTTP Basic; only in the answer that creates the token.",
});

interface ShownWith {
  readonly clientSecret?: string;
  readonly lastUsedAt?: string | undefined;
}

export const wireToken = wireObject("Token", ({ of, maybe }: Kit<Token, ShownWith>) => ({
  id: of.id("Token", { description: "`Token:<uuid>`", example: 5 }),
  name: of.text({ example: "payouts" }),
  permissions: of.json(Type.Array(PermissionSchema), { example: ["VIEW", "TRANSACT"] }),
  clientId: of.text({
    description: "The user name of HTTP Basic.",
    example: "5f0c4b8f6f9a4f5e8a2b7c1d9e3f6a7b",
  }),
  clientSecret: maybe.json(clientSecret, { from: (_, { clientSecret }) => clientSecret }),
  expiresAt: maybe.time({
    description: "From then on it is refused like an unknown one. Absent for never.",
  }),
  lastUsedAt: maybe.text({
    from: (_, { lastUsedAt }) => lastUsedAt,
    format: "date",
    description: "The UTC day of its last use, by the clock of the server, about a second late.",
  }),
  createdBy: maybe.text({
    description: "The token or the person that created it, or `operator`.",
    example: "operator",
  }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
}));

/** Includes the secret, which no other answer has. */
export const CreatedTokenSchema = Type.Object(
  { ...wireToken.schema.properties, clientSecret },
  { $id: "CreatedToken" },
);
