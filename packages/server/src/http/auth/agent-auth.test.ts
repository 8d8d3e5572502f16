import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/kit/http-shell.ts";
import { hashOf } from "../../domain/agents/agent.ts";
import type { AgentPolicy } from "../../domain/agents/agent-policy.ts";
import { createRateLimiter } from "../server/rate-limit.ts";
import { type AgentRecord, createAgentAuth } from "./agent-auth.ts";
import { createFailedAttemptLimiter } from "./failed-attempts.ts";

const policy: AgentPolicy = {
  permissions: [],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 1 },
};
const tokenOf = (digit: string) => `sat_${digit.repeat(40)}`;
const bearer = (digit: string) => `Bearer ${tokenOf(digit)}`;
const RIGHT = "a";
const record: AgentRecord = {
  platformId: "platform",
  environment: "SANDBOX",
  agentId: "agent",
  people: [],
  customerId: "customer",
  policy,
  accessTokenHash: hashOf(tokenOf(RIGHT)),
};
const FAILURES = 3;

function gate(find: (hash: string) => Promise<AgentRecord | undefined> = async () => record) {
  const rate = { perSecond: 1, burst: FAILURES };
  const clock = manualClock();
  const limiter = createRateLimiter({ clock, rate, maxKeys: 10 });
  const failures = createFailedAttemptLimiter({ limiter, clock });
  let reads = 0;
  const made = createAgentAuth({
    failures,
    authenticate: (hash) => {
      reads += 1;
      return find(hash);
    },
  });
  const verify = (header: string | undefined, address = "10.0.0.1") =>
    made.verify(header, address).then(
      ({ agentId }) => agentId,
      (error: { code: string }) => error.code,
    );
  return { verify, reads: () => reads };
}

const known = async (hash: string) => (hash === record.accessTokenHash ? record : undefined);

describe("agent authentication", () => {
  it("accepts an access token and reads its agent for each request", async () => {
    let isDeleted = false;
    const { verify, reads } = gate(async (hash) => (isDeleted ? undefined : known(hash)));
    expect([await verify(bearer(RIGHT)), await verify(`bearer ${tokenOf(RIGHT)}`)]).toEqual([
      "agent",
      "agent",
    ]);
    expect(reads()).toBe(2);
    isDeleted = true;
    expect(await verify(bearer(RIGHT))).toBe("UNAUTHORIZED");
  });

  it.each([
    undefined,
    "",
    "Bearer",
    tokenOf(RIGHT),
    `Basic ${tokenOf(RIGHT)}`,
    `Bearer  ${tokenOf(RIGHT)}`,
    `${bearer(RIGHT)} `,
    `${bearer(RIGHT)}a`,
    bearer(RIGHT).slice(0, -1),
    bearer("A"),
    bearer("g"),
  ])("does not even look up %j", async (header) => {
    const { verify, reads } = gate();
    expect(await verify(header)).toBe("UNAUTHORIZED");
    expect(reads()).toBe(0);
  });

  it("does not take one agent's record for another token", async () => {
    const { verify } = gate(async () => record);
    expect(await verify(bearer("b"))).toBe("UNAUTHORIZED");
  });

  it("limits wrong tokens of an address, and not the right one of a neighbour", async () => {
    const { verify } = gate(known);
    expect(await verify(bearer(RIGHT))).toBe("agent");
    const answers = await Promise.all(["1", "2", "3", "4"].map((digit) => verify(bearer(digit))));
    expect(answers).toEqual([...Array(FAILURES).fill("UNAUTHORIZED"), "RATE_LIMITED"]);
    expect(await verify(bearer(RIGHT))).toBe("agent");
    expect(await verify(bearer("5"), "10.0.0.2")).toBe("UNAUTHORIZED");
  });

  it("counts one new token on many concurrent connections as one attempt", async () => {
    const { verify } = gate(known);
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(bearer(RIGHT))));
    expect(new Set(answers)).toEqual(new Set(["agent"]));
  });

  it("counts an internal error neither as a right token nor as a wrong one", async () => {
    let isDown = true;
    const { verify } = gate(async (hash) => {
      if (isDown) throw Object.assign(new Error("down"), { code: "DOWN" });
      return known(hash);
    });
    expect(await verify(bearer("1"))).toBe("DOWN");
    isDown = false;
    const answers = [];
    for (const digit of ["1", "2", "3", "1"]) answers.push(await verify(bearer(digit)));
    expect(answers).toEqual([...Array(FAILURES).fill("UNAUTHORIZED"), "RATE_LIMITED"]);
  });
});
