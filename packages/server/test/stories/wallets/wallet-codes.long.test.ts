/** Guesses at a mailed code, five hundred at once. */
import { createClientKey } from "@florin/client/wallet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStory, type Story } from "../../kit/story.ts";
import { createOutside, newWallet } from "../../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const ADDRESS = "person@example.com";
const outside = createOutside();
let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ wallets: outside.wallets });
  story = await openStory(server, { environment: "PRODUCTION" });
});
afterAll(() => server.close());

it("a code is judged five times among 500 guesses at once", async () => {
  const { clientPublicKey } = await createClientKey();
  outside.answerMail({ kind: "sent" });
  const { accountId } = await newWallet(story);
  const registration = { type: "EMAIL_OTP", accountId, email: ADDRESS };
  const { json } = await story.call("POST", "/auth/credentials", registration);
  await story.settle();
  const guess = (otp: string) =>
    story.call("POST", `/auth/credentials/${json.id}/verify`, {
      type: "EMAIL_OTP",
      otp,
      clientPublicKey,
    });
  const right = outside.lastCode(ADDRESS);
  const wrong = Array.from({ length: 501 }, (_, index) => String(index).padStart(6, "0"))
    .filter((one) => one !== right)
    .slice(0, 500);
  const answers = await Promise.all(wrong.map(guess));
  // A machine under load turns some of them away unjudged.
  expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true);
  const uuid = json.id.split(":")[1];
  const tries = await server.database.asSuperuser(async (client) => {
    const { rows } = await client.query(
      "select (code ->> 'tries')::int as tries from wallet_credentials where id = $1",
      [uuid],
    );
    return rows[0].tries;
  });
  expect(tries).toBe(5);
  expect((await guess(right)).status).toBe(401);
});
