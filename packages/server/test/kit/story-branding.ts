/** The branding of a story's platform. */
import { formOf } from "./forms.ts";
import { png } from "./images.ts";
import type { RawAnswer, Story } from "./story.ts";

/** Uploads a document of the platform itself. */
export function uploadLogo(
  story: Story,
  bytes: Buffer = png(),
  fields: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const sent = {
    documentHolder: `PlatformConfig:${story.platformId}`,
    documentType: "PLATFORM_LOGO",
    country: "US",
    ...fields,
  };
  return story.call("POST", "/documents", formOf(sent, { bytes, name: "logo.png" }));
}

export function setBranding(story: Story, branding: unknown): Promise<RawAnswer> {
  return story.call("PATCH", "/config", { branding });
}

/** A name, a colour and a logo. */
export async function brand(story: Story, more: object = {}): Promise<RawAnswer> {
  const logoDocument = (await uploadLogo(story)).json.id;
  return setBranding(story, { name: "Lind Pay", color: "#0b6e4f", logoDocument, ...more });
}
