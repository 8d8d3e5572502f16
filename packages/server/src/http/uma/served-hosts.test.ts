import { expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import type { ServedDomain } from "../../domain/uma/domains/served-domain.sql.ts";
import { createServedHosts } from "./served-hosts.ts";

const bank: ServedDomain = {
  platformId: "p",
  environment: "PRODUCTION",
  domain: "bank.example",
  name: "Bank",
  callbackBase: "PUBLIC_URL",
  ownDomains: ["bank.example"],
};

function hostsWith(answers: Record<string, ServedDomain | undefined>) {
  const clock = createManualClock(0);
  const asked: string[] = [];
  const hosts = createServedHosts({
    clock,
    async find(host) {
      asked.push(host);
      if (host === "broken.example") throw new Error("no database");
      return answers[host];
    },
  });
  return { clock, asked, hosts, answers };
}

it("a host is read once a second, be it served or not", async () => {
  const { clock, asked, hosts, answers } = hostsWith({ "bank.example": bank });
  for (let count = 0; count < 5; count += 1) {
    expect(await hosts.find("bank.example")).toBe(bank);
    expect(await hosts.find("other.example")).toBeUndefined();
  }
  expect(asked).toEqual(["bank.example", "other.example"]);
  answers["bank.example"] = undefined;
  clock.advance(999);
  expect(await hosts.find("bank.example")).toBe(bank);
  clock.advance(1);
  expect(await hosts.find("bank.example")).toBeUndefined();
});

it("a change on this server is seen at once, and a failed read is not kept", async () => {
  const { asked, hosts, answers } = hostsWith({});
  expect(await hosts.find("bank.example")).toBeUndefined();
  answers["bank.example"] = bank;
  hosts.forget();
  expect(await hosts.find("bank.example")).toBe(bank);
  await expect(hosts.find("broken.example")).rejects.toThrow("no database");
  await expect(hosts.find("broken.example")).rejects.toThrow("no database");
  expect(asked.filter((host) => host === "broken.example")).toHaveLength(2);
});

it("many hosts take bounded memory: the oldest is read again", async () => {
  const { asked, hosts } = hostsWith({});
  for (let count = 0; count <= 10_000; count += 1) await hosts.find(`h${count}.example`);
  await hosts.find("h10000.example");
  expect(asked).toHaveLength(10_001);
  await hosts.find("h0.example");
  expect(asked).toHaveLength(10_002);
});
