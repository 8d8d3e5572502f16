/** How to cause each event in a sandbox: by real calls, whose objects remain. */
import { customerRecipes } from "./customer-recipes.ts";
import { paymentRecipes } from "./payment-recipes.ts";
import { railRecipes } from "./rail-recipes.ts";
import type { Sandbox } from "./sandbox.ts";
import { umaRecipes } from "./uma-recipes.ts";

export interface Recipe {
  readonly type: string;
  /** The description in `--list`. */
  readonly does: string;
  /** Set for an event that is only sent to the endpoint and not listed. */
  readonly isUnlisted?: true;
  /** Returns the id of the object that the event is about. Absent when no call causes the event; `does` then says what does. */
  readonly run?: (sandbox: Sandbox) => Promise<string>;
}

export const recipes: readonly Recipe[] = [
  ...paymentRecipes,
  ...customerRecipes,
  ...railRecipes,
  ...umaRecipes,
];
