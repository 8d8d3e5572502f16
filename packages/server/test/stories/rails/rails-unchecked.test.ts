/** What a start says of production platforms at whose connections nothing waits for a second person. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { uncheckedRails } from "../../../src/boot/system/unchecked-rails.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { activeConnection, expectStatus, manualConnection } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const told = () => uncheckedRails(server.app.store.database.reads);
const attach = (story: Story, approval: string) =>
  activeConnection(story, { ...manualConnection(), control: { approval } });

it("names the platforms of which no connection has a control, and no others", async () => {
  await openStory(server, { environment: "PRODUCTION", name: "Without connections" });
  const sandbox = await openStory(server, { name: "Sandbox" });
  await attach(sandbox, "NONE");
  const mixed = await openStory(server, { environment: "PRODUCTION", name: "Mixed" });
  await attach(mixed, "NONE");
  await attach(mixed, "FOUR_EYES");
  expect(await told()).toBeUndefined();

  const live = await openStory(server, { environment: "PRODUCTION", name: "Live" });
  const ids = [await attach(live, "NONE"), await attach(live, "NONE")];
  expect(await told()).toMatch(/any connection of Live: control\.approval is NONE\. PATCH/);
  for (const id of ids) expectStatus(204, await live.call("DELETE", `/rails/connections/${id}`));
  expect(await told()).toBeUndefined();

  for (const number of [1, 2, 3, 4, 5, 6, 7]) {
    const one = await openStory(server, { environment: "PRODUCTION", name: `Open ${number}` });
    await attach(one, "NONE");
  }
  expect(await told()).toMatch(/of Open 1, Open 2, Open 3, Open 4, Open 5 and 2 more: /);
});
