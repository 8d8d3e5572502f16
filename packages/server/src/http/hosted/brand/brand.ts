/** What a hosted page shows of the platform that it belongs to. */

import { findPlatform } from "../../../domain/platform.sql.ts";
import type { Branding, BrandingLogo } from "../../../domain/platform.ts";
import type { Services } from "../../request/services.ts";
import { plainName } from "../plain-name.ts";

export interface Brand {
  readonly name: string;
  readonly color: string | null;
  readonly logo: ShownLogo | null;
}

interface ShownLogo extends Pick<BrandingLogo, "width" | "height"> {
  /** A path of this server. */
  readonly path: string;
}

/** The path segment below a link's own path. */
export const logoPath = "/logo/{digest}";

export async function findBranding(
  platformId: string | undefined,
  { reads }: Pick<Services, "reads">,
): Promise<Branding | null> {
  if (platformId === undefined) return null;
  return (await findPlatform(reads, platformId))?.branding ?? null;
}

/** `base` is the path of the link, below which its logo is served. */
export function toBrand({ name, color, logo }: Branding, base: string): Brand {
  const shown =
    logo === null
      ? null
      : { ...fitted(logo), path: base + logoPath.replace("{digest}", logo.digest) };
  return { name: plainName(name).trim(), color, logo: shown };
}

const WIDEST = 160;
const HIGHEST = 40;

/** The size at which the logo is shown, so that the page does not move when it arrives. */
function fitted({ width, height }: BrandingLogo): Pick<BrandingLogo, "width" | "height"> {
  const scale = Math.min(1, WIDEST / width, HIGHEST / height);
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: shown(width), height: shown(height) };
}
