/** References: their check digits, that they differ, and how they are found in what payers write. */
import { describe, expect, it } from "vitest";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import { sampleOf } from "../../../../test/kit/sample.ts";
import { remainder97 } from "../../../money/mod97.ts";
import { randomIds } from "../../../std/ids.ts";
import { newReference, randomBitsOf, referencesIn, spokenReference } from "./payment-reference.ts";

const ids = randomIds();
const bits = () => (randomBitsOf(ids.next(0)) << 62n) | randomBitsOf(ids.next(0));
const rf = () => newReference("RF", bits());
const memo = () => newReference("MEMO", bits());

const numbersTo = (length: number) => sampleOf(Array.from({ length }, (_, number) => number));

describe("a hundred thousand references", () => {
  const forms = [
    ["RF", /^RF\d{2}FL[0-9A-HJKMNP-TV-Z]{14}$/, (text: string) => text.slice(4) + text.slice(0, 4)],
    ["MEMO", /^FL[0-9A-HJKMNP-TV-Z]{12}\d{2}$/, (text: string) => text],
  ] as const;
  it.each(forms)("of the form %s differ and have right check digits", (form, shape, numberOf) => {
    const made = numbersTo(100_000).map(() => newReference(form, bits()));
    expect(new Set(made).size).toBe(made.length);
    const bad = made.filter((each) => !shape.test(each) || remainder97(numberOf(each)) !== 1);
    expect(bad).toEqual([]);
  });

  it.each([["RF"], ["MEMO"]] as const)(
    "of the form %s are found, and none with a wrong digit",
    (form) => {
      for (const count of numbersTo(20_000)) {
        const reference = newReference(form, bits());
        expect(referencesIn(reference)).toEqual([reference]);
        const places = [...reference].flatMap((each, index) => (/\d/.test(each) ? [index] : []));
        const place = places[count % places.length] ?? 0;
        const digit = (Number(reference[place]) + 1 + (count % 9)) % 10;
        const wrong = reference.slice(0, place) + digit + reference.slice(place + 1);
        expect(referencesIn(wrong)).not.toContain(reference);
        // A digit for a digit is always found out; the other form may be read in what is left once in a thousand.
        expect(
          referencesIn(wrong).filter(
            (each) => each.startsWith(form === "RF" ? "RF" : "FL") && each === wrong,
          ),
        ).toEqual([]);
      }
    },
  );
});

describe("a reference is found", () => {
  const one = rf();
  const two = memo();
  it.each([
    ["alone", one, [one]],
    ["in lower case", one.toLowerCase(), [one]],
    ["in groups", spokenReference(one), [one]],
    [
      "with dashes, dots and slashes",
      `${two.slice(0, 4)}-${two.slice(4, 9)}./${two.slice(9)}`,
      [two],
    ],
    ["across a line end", `for rent ${two.slice(0, 7)}\r\n${two.slice(7)} thanks`, [two]],
    ["between other words", `INVOICE17${one}REF`, [one]],
    ["twice", `${one} ${one}`, [one]],
    ["beside another one", `${one} and ${two}`, [one, two]],
    ["in nothing", "", []],
    ["in a text without one", "Invoice 17 of November, RF18 5390 0754 7034", []],
  ])("%s", (_how, text, expected) => {
    expect(referencesIn(text)).toEqual(expected);
  });

  it("with letters that look like digits", () => {
    const reference =
      Array.from({ length: 500 }, memo).find((each) => /FL.*0.*1|FL.*1.*0/.test(each)) ?? "";
    const misread = `FL${reference.slice(2).replaceAll("0", "o").replaceAll("1", "l")}`;
    expect(referencesIn(misread)).toEqual([reference]);
  });

  it("as it stands before letters are read as digits", () => {
    // A text with a sound reference is not read a second time, whatever else looks like one.
    const misread = `FL${two.slice(2).replaceAll("0", "O")}`;
    expect(referencesIn(`${one} ${misread === two ? "" : misread}`)).toEqual([one]);
  });
});

describe("a text that is dense with places where a reference may begin", () => {
  const BODY = "[0-9A-HJKMNP-TV-Z]";
  /** Each place on a copy of its own, as the format is written down. */
  function judgedApart(plain: string, read: (text: string) => string): readonly string[] {
    const places = Array.from({ length: plain.length }, (_, at) => at);
    const found = places.flatMap((at) => {
      if (!plain.startsWith("FL", at)) return [];
      const memo = `FL${read(plain.slice(at + 2, at + 16))}`;
      const rf = plain.slice(Math.max(at - 4, 0), at) + memo;
      const isRf = new RegExp(`^RF\\d{2}FL${BODY}{14}$`).test(rf);
      if (isRf && remainder97(rf.slice(4) + rf.slice(0, 4)) === 1) return [rf];
      const isMemo = new RegExp(`^FL${BODY}{12}\\d{2}$`).test(memo);
      return isMemo && remainder97(memo) === 1 ? [memo] : [];
    });
    return [...new Set(found)];
  }
  const asDigits = (text: string) => text.replaceAll("O", "0").replaceAll(/[IL]/g, "1");

  it("is read as if each place was judged alone", () => {
    const pieces = ["FL", "RF12", "00", "O", "L", "77", "RFFL", rf(), memo(), rf().slice(3), "Ä"];
    const chance = chanceFrom(20_261_126);
    for (let count = 0; count < 3_000; count += 1) {
      const some = Array.from({ length: chance(24) }, () => pieces[chance(pieces.length)] ?? "");
      const text = some.join("");
      const found = judgedApart(text, (body) => body);
      const expected = found.length > 0 ? found : judgedApart(text, asDigits);
      expect([text, referencesIn(text)]).toEqual([text, expected]);
    }
  });
});
