import { expect, it } from "vitest";
import { LINK_LIFE_MS, linkStatusAt, type VerificationLink } from "./verification-link.ts";

const link: VerificationLink = {
  id: "l",
  codeHash: "h",
  customerId: "c",
  redirectUri: null,
  createdAt: 5,
  expiresAt: 5 + LINK_LIFE_MS,
  usedAt: null,
};

it("a link is open for a day to the very end, and used is used for good", () => {
  expect(LINK_LIFE_MS).toBe(86_400_000);
  expect(linkStatusAt(link, link.expiresAt - 1)).toBe("OPEN");
  expect(linkStatusAt(link, link.expiresAt)).toBe("EXPIRED");
  expect(linkStatusAt({ ...link, usedAt: 6 }, 7)).toBe("USED");
  expect(linkStatusAt({ ...link, usedAt: 6 }, link.expiresAt)).toBe("USED");
});
