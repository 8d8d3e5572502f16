import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { logoPage } from "../brand/logo-page.ts";
import type { HostedPage } from "../hosted-page.ts";
import { detailsPage } from "./details-page.ts";
import { documentPage } from "./document-page.ts";
import { platformOf } from "./open-link.ts";
import { overviewPage } from "./overview-page.ts";
import { ownerPage } from "./owner-page.ts";

/** All pages of a verification link. */
export const verificationPages: readonly HostedPage<Services>[] = [
  overviewPage,
  detailsPage,
  ownerPage,
  documentPage,
  logoPage({ id: "verificationLogo", linkPath, platformOf }),
];
