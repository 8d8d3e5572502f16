import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { peopleByEmail } from "./person.ts";

/** Refuses an address that a person of the workspace has. The command's `needs` must list `peopleByEmail` of it. */
export function refuseTakenEmail(world: World, email: string): void {
  if (world.all(peopleByEmail.of(email)).length === 0) return;
  throw new Refusal(
    "CONFLICT",
    { field: "email" },
    "A person of the workspace has this email address already.",
  );
}
