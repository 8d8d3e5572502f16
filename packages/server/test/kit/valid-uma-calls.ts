/** Keys of UMA, and a valid call of each operation on them. */
import { present } from "../../src/std/assert.ts";
import type { Make } from "./made-objects.ts";
import type { Story } from "./story.ts";
import { expectStatus } from "./story-rails.ts";

interface Key {
  readonly id: string;
  readonly status: string;
  readonly chain: readonly string[];
}

async function current(story: Story): Promise<Key> {
  const { json } = expectStatus(200, await story.call("GET", "/uma/keys?limit=100"));
  const keys: readonly Key[] = json.data;
  return present(
    keys.find(({ status }) => status === "CURRENT"),
    "a published key",
  );
}

/** A rotation of a compromised key replaces one that is under way. */
const ROTATION = { use: "SIGNING", takesOverInSeconds: 600, compromised: true };

async function next(story: Story): Promise<string> {
  return expectStatus(201, await story.call("POST", "/uma/keys/rotate", ROTATION)).json.id;
}

export const umaObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  UmaKey: async (story) => (await current(story)).id,
};

export const umaCalls: Readonly<Record<string, Make>> = {
  setUmaKeyChain: async (story) => {
    const { id, chain } = await current(story);
    return { path: `/uma/keys/${id}/chain`, body: { pem: chain.join("") } };
  },
  rotateUmaKey: () => ({ path: "/uma/keys/rotate", body: ROTATION }),
  destroyUmaKey: async (story) => ({ path: `/uma/keys/${await next(story)}/destroy` }),
};
