/** The limit on sign-ins at an issuer that are not right, which takes a minute's worth of them. */
import { expect, it } from "vitest";
import { openBrowser } from "../../kit/console.ts";
import { walk } from "../../kit/console-sso.ts";
import { ssoStory } from "../../kit/sso-story.ts";

const sso = ssoStory();

it("a sign-in at an issuer that is not right is limited by the address that it comes from", async () => {
  await sso.person();
  sso.issuer.goBack = (url) => {
    url.searchParams.set("state", "other");
    return url;
  };
  let to = "";
  for (let count = 0; count < 61; count += 1)
    to = (await walk(openBrowser(sso.server), sso.toSignIn())).to;
  expect(to).toBe("/console/sign-in?sso=LIMITED");
});
