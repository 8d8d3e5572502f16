import { describe, expect, it } from "vitest";
import { createAgentClient, createClient, redeemDeviceCode } from "./client.ts";
import type { RetryNotice } from "./transport.ts";

const baseUrl = "http://127.0.0.1:9/2025-10-13";
const own = { baseUrl, clientId: "id", clientSecret: "tell-nobody" };

/** Everything that a log could show of an error. */
function shown(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, cause, ...rest } = error as Error & { readonly cause?: unknown };
  return `${error} ${stack} ${JSON.stringify(rest)} ${cause === undefined ? "" : shown(cause)}`;
}

async function caught(make: () => unknown): Promise<unknown> {
  try {
    await make();
  } catch (error) {
    return error;
  }
  return expect.fail("it did not throw");
}

describe("a secret that cannot be sent", () => {
  it.each(["tell-\nnobody", "tell-nobody\n", "tell-\0nobody", "tell-nöbody", "tell nobody", ""])(
    "makes no agent's client and is not shown: %j",
    async (accessToken) => {
      const error = await caught(() => createAgentClient({ baseUrl, accessToken }));
      expect(error).toBeInstanceOf(TypeError);
      expect(shown(error)).not.toMatch(/tell|body/);
    },
  );

  it.each([
    { clientSecret: "tell-\nnobody" },
    { clientSecret: "tell-nobody\r\n" },
    { clientSecret: "tell-\u0085nobody" },
    { clientId: "tell-\tnobody" },
    { clientId: "tell:nobody" },
    { clientId: "" },
    { clientId: undefined as unknown as string },
  ])("makes no client and is not shown: %j", async (wrong) => {
    const error = await caught(() => createClient({ ...own, ...wrong }));
    expect(error).toBeInstanceOf(TypeError);
    expect(shown(error)).not.toMatch(/tell|body/);
    expect(shown(error)).toMatch(/clientId|clientSecret/);
  });

  it("in another header is not shown either", async () => {
    const signature = { requestId: "Request:1", stamp: "tell-\nnobody" };
    const client = createClient(own);
    const error = await caught(() => client.sessions.revoke("Session:1", { signature }));
    expect(error).toBeInstanceOf(TypeError);
    expect(shown(error)).not.toMatch(/tell|body/);
    expect(shown(error)).toContain("service-wallet-signature");
  });
});

describe("a code in a path", () => {
  const notices: RetryNotice[] = [];
  const settings = {
    ...own,
    retries: 1,
    fetch: () => Promise.reject(new Error("no connection")),
    sleep: () => Promise.resolve(),
    onRetry: (notice: RetryNotice) => notices.push(notice),
  };
  const client = createClient(settings);
  const code = "tell-nobody";

  it.each([
    ["/agents/device-codes/{code}/redeem", () => redeemDeviceCode(settings, code)],
    ["/agents/device-codes/{code}/status", () => client.agents.deviceCodeStatus(code)],
    ["/invitations/{code}", () => client.invitations.get(code)],
    ["/invitations/{code}/claim", () => client.invitations.claim(code, { inviteeUma: "$a@b.c" })],
    ["/invitations/{code}/cancel", () => client.invitations.cancel(code)],
  ])("is not shown: %s", async (path, call) => {
    notices.length = 0;
    const error = await caught(call);
    expect(shown(error)).toContain(`${path}: no connection`);
    expect(notices.map((notice) => notice.path)).toEqual([path]);
    for (const one of [error, ...notices.map((notice) => notice.error)]) {
      expect(shown(one)).not.toContain(code);
    }
  });
});
