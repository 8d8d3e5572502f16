import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { createFormTokens } from "./form-token.ts";

const PATH = "/i/abc";
const HOUR_MS = 3_600_000;

function tokensOn(key = "a key") {
  const clock = createManualClock(1_800_000_000_000);
  return { clock, tokens: createFormTokens({ key: Buffer.from(key), clock }) };
}

describe("a form's token", () => {
  it("holds for the page that it was made for, for an hour", async () => {
    const { clock, tokens } = tokensOn();
    const token = tokens.issue(PATH);
    expect(tokens.isSound(PATH, token)).toBe(true);
    await clock.advance(HOUR_MS - 1);
    expect(tokens.isSound(PATH, token)).toBe(true);
    await clock.advance(1);
    expect(tokens.isSound(PATH, token)).toBe(false);
  });

  it("is of no use at another page or under another key", () => {
    const { tokens } = tokensOn();
    const token = tokens.issue(PATH);
    for (const path of ["/i/abd", "/i/ab", "/i/abc/", "", "/I/abc"]) {
      expect(tokens.isSound(path, token)).toBe(false);
    }
    expect(tokensOn("another key").tokens.isSound(PATH, token)).toBe(false);
  });

  it("is accepted in canonical form with every bit unchanged", () => {
    const { tokens } = tokensOn();
    const token = tokens.issue(PATH);
    for (const odd of [
      "",
      "x",
      `${token}=`,
      ` ${token}`,
      `${token}A`,
      token.slice(1),
      "é".repeat(30),
    ]) {
      expect(tokens.isSound(PATH, odd)).toBe(false);
    }
    const bytes = Buffer.from(token, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(tokens.isSound(PATH, altered.toString("base64url"))).toBe(false);
    }
  });
});
