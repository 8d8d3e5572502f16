import { describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { manualClock, tokenOf } from "../../../test/kit/http-shell.ts";
import { Refusal } from "../../engine/refusal.ts";
import { createRateLimiter } from "../server/rate-limit.ts";
import { addressKey } from "./address-key.ts";
import { createTokenAuth, parseBasic, type TokenRecord } from "./auth.ts";
import { createFailedAttemptLimiter } from "./failed-attempts.ts";

const ADDRESS = "192.0.2.7";

function encoded(text: string | Buffer): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

describe("a Basic header", () => {
  it.each([
    [encoded("id:secret"), "id", "secret"],
    [encoded("id:secret").replace("Basic", "bAsIc"), "id", "secret"],
    [encoded("id:se:cr:et"), "id", "se:cr:et"],
    [encoded(`${"i".repeat(200)}:${"s".repeat(200)}`), "i".repeat(200), "s".repeat(200)],
  ])("%s is taken apart", (header, clientId, clientSecret) => {
    expect(parseBasic(header)).toEqual({ clientId, clientSecret });
  });

  it.each([
    ["", "nothing"],
    ["Basic", "no credentials"],
    ["Basic ", "empty credentials"],
    ["Basic !!!!", "not base64"],
    ["Basic aWQ6c2VjcmV0=", "wrong padding"],
    ["Basic aWQ6c2Vjcm V0", "a space within"],
    ["Basic aWQ6_-8=", "the other alphabet"],
    [encoded("no colon"), "no colon"],
    [encoded(":secret"), "no id"],
    [encoded("id:"), "no secret"],
    [encoded(":"), "neither"],
    [encoded("id:sécret"), "beyond ASCII"],
    [encoded(Buffer.from([0x69, 0x3a, 0xff])), "not UTF-8"],
    [encoded("id:se\u0000cret"), "a NUL"],
    [encoded("id:secret\r\n"), "a line end"],
    [encoded(`${"i".repeat(201)}:s`), "a long id"],
    [encoded(`i:${"s".repeat(201)}`), "a long secret"],
    ["Bearer aWQ6c2VjcmV0", "an agent's scheme"],
    ["aWQ6c2VjcmV0", "no scheme"],
    ["Basicly aWQ6c2VjcmV0", "another scheme"],
  ])("%s is refused (%s)", (header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});

function setUp(answer?: (clientId: string) => Promise<TokenRecord | undefined>) {
  const clock = manualClock();
  const tokens = new Map([tokenOf("client", "secret")]);
  let reads = 0;
  const limiter = createRateLimiter({ clock, rate: { perSecond: 1, burst: 3 }, maxKeys: 100 });
  const failures = createFailedAttemptLimiter({ limiter, clock });
  const gate = createTokenAuth({
    clock,
    failures,
    authenticate: async (clientId) => {
      reads += 1;
      return answer === undefined ? tokens.get(clientId) : await answer(clientId);
    },
  });
  async function codeOf(header: string | undefined, address = ADDRESS): Promise<string> {
    try {
      await gate.verify(header, address);
      return "OK";
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown.code;
      throw thrown;
    }
  }
  return { clock, tokens, gate, codeOf, reads: () => reads };
}

describe("token authentication", () => {
  it("accepts the right secret and returns no hash", async () => {
    const { gate } = setUp();
    const principal = await gate.verify(basic("client", "secret"), ADDRESS);
    expect(principal).toEqual({
      platformId: "platform-a",
      environment: "SANDBOX",
      tokenId: "token-client",
      permissions: new Set(["VIEW", "TRANSACT", "MANAGE"]),
      people: [],
      personId: null,
    });
  });

  it("refuses a wrong secret, an unknown client and another token's secret alike", async () => {
    const { tokens, codeOf } = setUp();
    tokens.set(...tokenOf("other", "other secret"));
    for (const header of [
      basic("client", "wrong"),
      basic("nobody", "x"),
      basic("client", "other secret"),
    ]) {
      expect(await codeOf(header)).toBe("UNAUTHORIZED");
    }
    expect(await codeOf(undefined, "192.0.2.8")).toBe("UNAUTHORIZED");
    expect(await codeOf(`Basic ${"A".repeat(10_000)}`, "192.0.2.8")).toBe("UNAUTHORIZED");
  });

  it("refuses a client whose stored hash is the one that unknown clients are compared with", async () => {
    const { tokens, codeOf } = setUp();
    tokens.set(...tokenOf("zero", "x", { secretHash: Buffer.alloc(32) }));
    expect(await codeOf(basic("zero", "x"))).toBe("UNAUTHORIZED");
  });

  it("knows a verified header for one second from the start of the read", async () => {
    const { clock, gate } = setUp(async (clientId) => {
      clock.advance(400);
      return new Map([tokenOf("client", "secret")]).get(clientId);
    });
    const header = basic("client", "secret");
    expect(gate.cached(header)).toBeUndefined();
    const principal = await gate.verify(header, ADDRESS);
    expect(gate.cached(header)).toBe(principal);
    expect(gate.cached(basic("client", "secret2"))).toBeUndefined();
    clock.advance(599);
    expect(gate.cached(header)).toBe(principal);
    clock.advance(1);
    expect(gate.cached(header)).toBeUndefined();
  });

  it("trusts no verdict from the future", async () => {
    const { clock, gate } = setUp();
    const header = basic("client", "secret");
    await gate.verify(header, ADDRESS);
    clock.advance(-1);
    expect(gate.cached(header)).toBeUndefined();
  });

  it("refuses a deleted token a second later at most, and at once after forget", async () => {
    const { clock, gate, tokens, codeOf } = setUp();
    const header = basic("client", "secret");
    await gate.verify(header, ADDRESS);
    tokens.delete("client");
    clock.advance(1000);
    expect(gate.cached(header)).toBeUndefined();
    expect(await codeOf(header)).toBe("UNAUTHORIZED");

    tokens.set(...tokenOf("client", "secret"));
    await gate.verify(header, ADDRESS);
    tokens.delete("client");
    gate.forget();
    expect(gate.cached(header)).toBeUndefined();
    expect(await codeOf(header)).toBe("UNAUTHORIZED");
  });

  it("keeps no verdict of a read that began before forget", async () => {
    let release: (record: TokenRecord | undefined) => void = () => {};
    const { gate } = setUp(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    const header = basic("client", "secret");
    const pending = gate.verify(header, ADDRESS);
    await new Promise((resolve) => setImmediate(resolve));
    gate.forget();
    release(new Map([tokenOf("client", "secret")]).get("client"));
    await pending;
    expect(gate.cached(header)).toBeUndefined();
  });

  it("reads anew for a request after forget, also while an older check of its header is under way", async () => {
    let release: (record: TokenRecord | undefined) => void = () => {};
    let isDeleted = false;
    const { gate, codeOf, reads } = setUp(async () => {
      if (isDeleted) return undefined;
      return new Promise((resolve) => {
        release = resolve;
      });
    });
    const header = basic("client", "secret");
    const older = gate.verify(header, ADDRESS);
    await new Promise((resolve) => setImmediate(resolve));
    isDeleted = true;
    gate.forget();
    const later = codeOf(header);
    release(new Map([tokenOf("client", "secret")]).get("client"));
    await older;
    expect(await later).toBe("UNAUTHORIZED");
    expect(reads()).toBe(2);
  });

  it("reads a token once for many requests at once", async () => {
    const { gate, reads } = setUp();
    const header = basic("client", "secret");
    await Promise.all(Array.from({ length: 3 }, () => gate.verify(header, ADDRESS)));
    expect(reads()).toBe(1);
  });

  it("passes on a failure of the read and does not remember it", async () => {
    let isBroken = true;
    const { gate } = setUp(async (clientId) => {
      if (isBroken) throw new Error("no database");
      return new Map([tokenOf("client", "secret")]).get(clientId);
    });
    await expect(gate.verify(basic("client", "secret"), ADDRESS)).rejects.toThrow("no database");
    isBroken = false;
    await expect(gate.verify(basic("client", "secret"), ADDRESS)).resolves.toBeDefined();
  });

  it("limits failures per address, also when they come all at once", async () => {
    const { clock, codeOf, reads } = setUp();
    const tries = Array.from({ length: 10 }, (_, index) =>
      codeOf(basic("client", `wrong-${index}`)),
    );
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === "UNAUTHORIZED")).toHaveLength(3);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(7);
    expect(reads()).toBe(1);
    expect(await codeOf(basic("client", "wrong"), "192.0.2.8")).toBe("UNAUTHORIZED");
    clock.advance(1000);
    expect(await codeOf(basic("client", "wrong"))).toBe("UNAUTHORIZED");
  });

  it("does not count what succeeds", async () => {
    const { gate, tokens } = setUp();
    for (let index = 0; index < 10; index += 1) {
      tokens.set(...tokenOf(`client-${index}`, "secret"));
      await gate.verify(basic(`client-${index}`, "secret"), ADDRESS);
    }
  });

  it("exempts an accepted header from the limit of its address", async () => {
    const { clock, codeOf } = setUp();
    const header = basic("client", "secret");
    expect(await codeOf(header)).toBe("OK");
    for (let index = 0; index < 5; index += 1) await codeOf(basic("client", `wrong-${index}`));
    clock.advance(500);
    expect(await codeOf(basic("client", "wrong"))).toBe("RATE_LIMITED");
    expect(await codeOf(header)).toBe("OK");
  });

  it("still accepts it when a token of another platform was deleted", async () => {
    const { gate, tokens, codeOf } = setUp();
    tokens.set(...tokenOf("other", "secret"));
    const [header, other] = [basic("client", "secret"), basic("other", "secret")];
    expect([await codeOf(header), await codeOf(other)]).toEqual(["OK", "OK"]);
    for (let index = 0; index < 5; index += 1) await codeOf(basic("client", `wrong-${index}`));
    tokens.delete("other");
    gate.forget();
    expect(await codeOf(header)).toBe("OK");
    expect(await codeOf(other)).toBe("UNAUTHORIZED");
    expect(await codeOf(other)).toBe("RATE_LIMITED");
  });
});

describe("an address", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "20010db800010002"],
    ["2001:db8:1:2::1", "20010db800010002"],
    ["::1", "0000000000000000"],
    ["fe80::1%eth0", "fe80000000000000"],
    ["", "unknown"],
  ])("%s counts as %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
