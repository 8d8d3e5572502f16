/**
 * The logo of a platform, below the path of a link. It is served to everyone who has a link of the platform, whatever the state of the
 * link. The digest in the path identifies the bytes, so a browser may cache them.
 */
import { Refusal } from "../../../engine/refusal.ts";
import type { Services } from "../../request/services.ts";
import type { HostedPage } from "../hosted-page.ts";
import { findBranding, logoPath } from "./brand.ts";

/** The platform of a link, by the parameters of its path. */
export type PlatformOf = (
  params: Readonly<Record<string, string>>,
  services: Services,
) => Promise<string | undefined>;

export function logoPage(page: {
  readonly id: string;
  /** The path of the link. */
  readonly linkPath: string;
  readonly platformOf: PlatformOf;
}): HostedPage<Services> {
  return {
    id: page.id,
    path: page.linkPath + logoPath,
    async show({ params }, services) {
      const platformId = await page.platformOf(params, services);
      const logo = (await findBranding(platformId, services))?.logo ?? null;
      if (platformId === undefined || logo === null || logo.digest !== params.digest) {
        throw new Refusal("NOT_FOUND");
      }
      const bytes = await services.files.read({ platformId, fileId: logo.fileId, at: 0 });
      if (bytes === undefined) throw new Refusal("NOT_FOUND");
      return { file: { mediaType: logo.mediaType, bytes } };
    },
  };
}
