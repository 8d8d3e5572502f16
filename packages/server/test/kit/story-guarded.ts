/** A production platform whose workspace has two owners: acts that need a second person wait there. */
import type { ConsoleBrowser } from "./console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "./console-people.ts";
import { openStory, type RawAnswer, type Story } from "./story.ts";
import { agree } from "./story-approvals.ts";
import { expectStatus } from "./story-rails.ts";
import type { TestServer } from "./test-server.ts";

export interface Guarded {
  readonly story: Story;
  readonly owner: ConsoleBrowser;
  readonly otherOwner: InvitedPerson;
  readonly admin: InvitedPerson;
  readonly finance: InvitedPerson;
  readonly approver: InvitedPerson;
  /** Agrees, as an owner, to an order that waits; answers the approval. */
  agreed(answer: RawAnswer): Promise<RawAnswer["json"]>;
  /** The id of what an order that was agreed to has made. */
  made(answer: RawAnswer): Promise<string>;
}

export async function openGuarded(server: TestServer): Promise<Guarded> {
  const { workspaceId } = await server.makePlatform();
  const story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  const owner = await makeOwner(server, workspaceId);
  // Before there are two owners: roles that decide would wait as well.
  const admin = await makePerson(owner, ["ADMIN"]);
  const approver = await makePerson(owner, ["APPROVER"]);
  const finance = await makePerson(owner, ["FINANCE"]);
  const otherOwner = await makePerson(owner, ["OWNER"]);
  const agreed = async (answer: RawAnswer) => {
    const asked = expectStatus(202, answer).json;
    return expectStatus(200, await agree(otherOwner.browser, asked.id)).json;
  };
  return {
    story,
    owner,
    otherOwner,
    admin,
    finance,
    approver,
    agreed,
    made: async (answer) => {
      const { state, resultId, failure } = await agreed(answer);
      if (state !== "DONE") throw new Error(`${state}: ${JSON.stringify(failure)}`);
      return resultId;
    },
  };
}

/** The story with orders and marks that wait agreed to at once, so that objects can be made as on any other platform. */
export function agreeing({ story, approver, made }: Guarded): Story {
  return {
    ...story,
    async call(method, path, body, options) {
      const answer = await story.call(method, path, body, options);
      const id: unknown = answer.json?.id;
      if (answer.status !== 202 || typeof id !== "string") return answer;
      const status = method === "POST" ? 201 : 200;
      if (id.startsWith("Approval:")) {
        const result = await made(answer);
        const place = result.startsWith("RailRoute:") ? "routes" : "connections";
        const isMade = !path.includes(":") && method === "POST";
        const shown = await story.call("GET", `/rails/${place}/${result}`);
        return { ...shown, status: isMade ? 201 : 200 };
      }
      const at = approver.browser.at(story.platformId);
      const { json } = expectStatus(200, await at("POST", `/rails/marks/${id}/confirm`));
      const { entryId } = json.result ?? {};
      if (entryId === undefined) return { ...answer, status: 200 };
      return { ...(await story.call("GET", `/rails/entries/${entryId}`)), status };
    },
  };
}
