/** As many actions as may wait, which takes a thousand orders. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStory } from "../../kit/story.ts";
import { connectedAgent, decide } from "../../kit/story-agents.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it("the actions that wait are a thousand at most, and all rejected with their agent", async () => {
  const here = await openStory(server);
  const agent = await connectedAgent(here, {
    policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
  });
  for (let twenty = 0; twenty < 50; twenty++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.pay(1)));
    for (const { status } of answers) expect(status).toBe(201);
  }
  const more = await agent.pay(1);
  expect([more.status, more.json.code]).toEqual([409, "CONFLICT"]);
  const { data } = (await here.call("GET", "/agents/approvals?limit=1")).json;
  await decide(here, data[0], { word: "reject" });
  expect((await agent.pay(1)).status).toBe(201);
  expect((await here.call("DELETE", `/agents/${agent.agentId}`)).status).toBe(204);
  expect((await here.call("GET", "/agents/approvals")).json.totalCount).toBe(0);
});
