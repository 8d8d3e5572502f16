/** How each event comes about in a sandbox: real calls, whose objects stay. */
import { customerRecipes } from "./customer-recipes.ts";
import { paymentRecipes } from "./payment-recipes.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Recipe {
  readonly type: string;
  /** For `--list`. */
  readonly does: string;
  /** Set where the event is sent to the endpoint alone and is not listed. */
  readonly isUnlisted?: true;
  /** Set where the event takes so long that a command cannot wait for it; then `does` says how it comes about. */
  readonly takesDays?: true;
  /** Answers the object that the event is about. */
  run(sandbox: Sandbox): Promise<string>;
}

export const recipes: readonly Recipe[] = [...paymentRecipes, ...customerRecipes];
