/** How each event comes about in a sandbox: real calls, whose objects stay. */
import { customerRecipes } from "./customer-recipes.ts";
import { paymentRecipes } from "./payment-recipes.ts";
import { railRecipes } from "./rail-recipes.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Recipe {
  readonly type: string;
  /** For `--list`. */
  readonly does: string;
  /** Set where the event is sent to the endpoint alone and is not listed. */
  readonly isUnlisted?: true;
  /** Answers the object that the event is about. Absent where no command brings the event about; `does` then says what does. */
  readonly run?: (sandbox: Sandbox) => Promise<string>;
}

export const recipes: readonly Recipe[] = [...paymentRecipes, ...customerRecipes, ...railRecipes];
