import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogues } from "./catalogue.ts";
import { chooseLanguage } from "./choose-language.ts";

const choose = (acceptLanguage: string, lang: string | null = null) => {
  const { language, asked } = chooseLanguage(catalogues, { acceptLanguage, lang });
  return {
    tag: language.tag,
    asked,
    amount: language.amount({ minor: 1_234_567n, currency: "EUR" }),
  };
};

describe("the language of a page", () => {
  it.each([
    ["", "en"],
    ["es", "es"],
    ["es-MX,es;q=0.9,en;q=0.8", "es"],
    ["de-DE,de;q=0.9,pt-BR;q=0.5,en;q=0.2", "pt"],
    ["en;q=0.2,pt;q=0.9", "pt"],
    ["pt;q=0,es;q=0.1", "es"],
    ["fr,*;q=0.5", "en"],
    ["ES-es", "es"],
    ["zh-Hant-TW, pt", "pt"],
    ["es;q=x, pt", "pt"],
    ["es;q=1.5, pt", "pt"],
    ["esperanto", "en"],
    [`${"x,".repeat(5_000)}es`, "en"],
  ])("is, for %j, %s", (header, tag) => {
    expect(choose(header)).toMatchObject({ tag, asked: undefined });
  });

  it("is the one that is asked for, whatever the browser says", () => {
    expect(choose("pt", "es")).toMatchObject({ tag: "es", asked: "es" });
    expect(choose("pt", "es-mx")).toMatchObject({ tag: "es", asked: "es-MX" });
    for (const lang of ["", "xx", "<script>", "es".repeat(9_000)]) {
      expect(choose("pt", lang)).toMatchObject({ tag: "pt", asked: undefined });
    }
  });

  it("has the numbers of the region, of the browser's if none is asked for", () => {
    expect(choose("es-MX").amount).toBe("12,345.67 EUR");
    expect(choose("es-MX", "es").amount).toBe("12,345.67 EUR");
    expect(choose("es-MX", "es-ES").amount).toBe("12.345,67 EUR");
    expect(choose("es-XX").amount).toBe("12.345,67 EUR");
  });

  it("is found for any header and any wish", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string());
    fc.assert(
      fc.property(text, text, (header, lang) => {
        expect(["en", "es", "pt"]).toContain(choose(header, lang).tag);
      }),
    );
  });
});
