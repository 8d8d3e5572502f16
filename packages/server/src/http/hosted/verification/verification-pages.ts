import type { Services } from "../../request/services.ts";
import type { HostedPage } from "../hosted-page.ts";
import { detailsPage } from "./details-page.ts";
import { documentPage } from "./document-page.ts";
import { overviewPage } from "./overview-page.ts";
import { ownerPage } from "./owner-page.ts";

/** All pages of a verification link. */
export const verificationPages: readonly HostedPage<Services>[] = [
  overviewPage,
  detailsPage,
  ownerPage,
  documentPage,
];
