/** A valid call of each operation on UMA domains. A platform has one from its creation. */
import type { Make } from "./made-objects.ts";
import type { Story } from "./story.ts";

async function domain(story: Story): Promise<string> {
  const { json } = await story.call("GET", "/uma/domains");
  return json.data[0].id;
}

export const umaDomainObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  UmaDomain: domain,
};

export const umaDomainCalls: Readonly<Record<string, Make>> = {
  updateUmaDomain: async (story) => ({
    path: `/uma/domains/${await domain(story)}`,
    body: { callbackBase: "DOMAIN" },
  }),
  checkUmaDomain: async (story) => ({ path: `/uma/domains/${await domain(story)}/check` }),
};
