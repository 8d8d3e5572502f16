import { describe, expect, it } from "vitest";
import { BECH32, identifierGeneratorFor } from "./identifier-generator.ts";

describe("identifierGeneratorFor", () => {
  const generator = identifierGeneratorFor("01890000-0000-7000-8000-000000000000");

  it("gives the same text for the same purpose, and another for any other", () => {
    expect(generator.digits("account", 14)).toBe(generator.digits("account", 14));
    expect(generator.digits("account", 14)).not.toBe(generator.digits("phone", 14));
    expect(identifierGeneratorFor("another").digits("account", 14)).not.toBe(
      generator.digits("account", 14),
    );
  });

  it("gives as many characters of the alphabet as asked for, without repeating itself", () => {
    const text = generator.characters("invoice", 240, BECH32);
    expect(text).toHaveLength(240);
    expect([...text].every((character) => BECH32.includes(character))).toBe(true);
    expect(text.slice(32, 64)).not.toBe(text.slice(0, 32));
    expect(generator.digits("none", 0)).toBe("");
  });
});
