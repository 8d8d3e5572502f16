import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import { createToken } from "../domain/people/tokens/token-commands.ts";
import { hashSecret, type Permission, permissions } from "../domain/token.ts";
import { StartRefused } from "../std/errors.ts";
import { toWireId } from "../std/ids.ts";
import { atPlatform } from "./at-platform.ts";
import { operate } from "./operate-platform.ts";
import { textOption } from "./options/option-texts.ts";
import { print } from "./print.ts";

export interface CreateTokenOptions {
  readonly platform: string;
  readonly name: string;
  readonly permissions: string;
}

const LONGEST_NAME = 255;

/** `florin token create`: a token for a platform that has lost all of its own. Its secret is printed once. */
export async function createTokenFromShell(
  config: Config,
  options: CreateTokenOptions,
): Promise<void> {
  const name = textOption("--name", options.name, LONGEST_NAME);
  const granted = permissionsOf(options.permissions);
  const clientId = randomBytes(16).toString("hex");
  const clientSecret = randomBytes(32).toString("hex");
  await atPlatform(config, options.platform, async (at) => {
    const id = await operate(at, {
      command: createToken,
      input: {
        name,
        permissions: granted,
        clientId,
        secretHash: hashSecret(clientSecret),
        expiresAt: null,
        lineage: [],
      },
      tell: (token) => toWireId("Token", token.id),
    });
    print(`id            ${id}`);
    print(`permissions   ${granted.join(",")}`);
    print(`clientId      ${clientId}`);
    print(`clientSecret  ${clientSecret}`);
  });
}

function permissionsOf(text: string): readonly Permission[] {
  const wanted = new Set(text.split(",").map((part) => part.trim().toUpperCase()));
  const granted = permissions.filter((permission) => wanted.has(permission));
  if (granted.length === wanted.size) return granted;
  throw new StartRefused(
    `--permissions must be one or more of ${permissions.join(", ")}, with commas between them`,
  );
}
