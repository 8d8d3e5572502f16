/** The multiplier against a search among all decimals of 15 digits, and as a reader of messages gets it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonNumber, writeMessage } from "../../../formats/uma/json-message.ts";
import { Members } from "../../../formats/uma/members.ts";
import { compareRatios, multiply, type Ratio, ratio } from "../../../money/ratio.ts";
import { present } from "../../../std/assert.ts";
import { publishedMultiplier } from "./published-multiplier.ts";

const rates: fc.Arbitrary<Ratio> = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.bigInt({ min: 1n, max: 10n ** 18n }))
  .map(([numerator, denominator]) => ratio(numerator, denominator))
  .filter(({ numerator, denominator }) => numerator * 10n ** 14n > denominator);

function fraction(text: string): Ratio {
  const [numerator = "", denominator = ""] = text.split("/");
  return ratio(BigInt(numerator), BigInt(denominator));
}

/** The significant digits of a float as `JSON.stringify` would have to write them. */
function significantOf(value: number): string {
  return value.toExponential().replace(/e.*$/, "").replace(".", "");
}

function read(digits: string): Ratio {
  const body = Buffer.from(writeMessage({ m: new JsonNumber(digits) }));
  return Members.of(body, "PARSE_PAYREQ_RESPONSE_ERROR").multiplier("m");
}

describe("a published multiplier", () => {
  it.each([
    ["1/1", "1"],
    ["2500/1", "2500"],
    ["1/3", "0.333333333333334"],
    ["2/3", "0.666666666666667"],
    ["1/300000", "0.00000333333333333334"],
    ["123456789012345601/10", "12345678901234600"],
    ["123456789012345678/1", "123456789012346000"],
    ["9999999999999999/10", "1000000000000000"],
  ])("of %s is %s", (rate, digits) => {
    expect(publishedMultiplier(fraction(rate))?.digits).toBe(digits);
  });

  it("is the least decimal of 15 digits that is not below the rate, and a float reads it back", () => {
    fc.assert(
      fc.property(rates, (rate) => {
        const { value, digits } = present(publishedMultiplier(rate), "a multiplier");
        expect(read(digits)).toEqual(value);
        expect(compareRatios(value, rate)).not.toBe(-1);
        const significant = digits.replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
        expect(significant.length).toBeLessThanOrEqual(15);
        // Less than one unit of the fifteenth digit above the rate.
        const excess = multiply(value, ratio(rate.denominator, rate.numerator));
        expect(compareRatios(excess, ratio(10n ** 14n + 1n, 10n ** 14n))).toBe(-1);
        expect(significant).toBe(significantOf(Number(digits)));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([`1/${10n ** 16n}`, `${10n ** 31n}/1`, "0/1", "-1/2"])(
    "is absent for %s, which is not above zero or needs too many digits",
    (rate) => {
      expect(publishedMultiplier(fraction(rate))).toBeUndefined();
    },
  );
});
