import Type from "typebox";
import { pathId } from "../../../../wire/id-fields.ts";

/** Of the console's own operations at a platform. */
export const platformInPath = Type.Object({ platformId: pathId("PlatformConfig") });
