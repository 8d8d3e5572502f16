import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fromWireId,
  idAt,
  isUuid,
  LONGEST_LEAD_MS,
  lowestIdAt,
  randomIds,
  tailOf,
  toWireId,
} from "./ids.ts";

const AT = Date.UTC(2025, 9, 13);

describe("new ids", () => {
  it("are UUIDs of version 7 that begin with their time", () => {
    const id = randomIds().next(AT);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(AT);
  });

  it("can be composed of a time and the tail of another id", () => {
    const [early, late] = [randomIds().next(0), randomIds().next(AT)];
    expect(idAt(AT, tailOf(late))).toBe(late);
    expect(idAt(0, tailOf(early))).toBe(early);
    expect(isUuid(idAt(AT, tailOf(early)))).toBe(true);
  });

  it("increase strictly, within a millisecond and when time stands still or goes back", () => {
    const times = fc.array(fc.integer({ min: AT, max: AT + 3 }), { maxLength: 200 });
    fc.assert(
      fc.property(times, (asked) => {
        const ids = randomIds();
        const made = asked.map((at) => ids.next(at));
        expect(made).toEqual([...new Set(made)].sort());
      }),
    );
  });

  it("increase also when one millisecond has more ids than the counter holds", () => {
    const ids = randomIds();
    let last = "";
    for (let count = 0; count < 20_000; count++) {
      const id = ids.next(AT);
      if (id <= last) expect(id > last).toBe(true);
      last = id;
    }
    expect(isUuid(last)).toBe(true);
  });

  it("go back when the time goes back by more than the longest lead", () => {
    const ids = randomIds();
    const far = ids.next(AT + LONGEST_LEAD_MS + 2);
    expect(ids.next(AT + 2) > far).toBe(true);
    const back = ids.next(AT);
    expect(back >= lowestIdAt(AT) && back < lowestIdAt(AT + 1)).toBe(true);
  });

  it("are not lower than the lowest id of their time, which is higher than earlier ids", () => {
    const ids = randomIds();
    const [before, at] = [ids.next(AT - 1), ids.next(AT)];
    expect(lowestIdAt(AT) > before && lowestIdAt(AT) <= at).toBe(true);
    expect([lowestIdAt(-1), lowestIdAt(2 ** 60)].every(isUuid)).toBe(true);
  });

  it("of two generators differ", () => {
    const [one, two] = [randomIds(), randomIds()];
    const made = Array.from({ length: 2_000 }, () => [one.next(AT), two.next(AT)]).flat();
    expect(new Set(made).size).toBe(made.length);
  });
});

describe("ids on the wire", () => {
  it("are parsed to the same id", () => {
    const id = randomIds().next(AT);
    expect(fromWireId("Customer", toWireId("Customer", id))).toBe(id);
  });

  it.each([
    "Customer:",
    "customer:018f0000-0000-7000-8000-00000000000a",
    "Customer 018f0000-0000-7000-8000-00000000000a",
    "CustomerX:018f0000-0000-7000-8000-00000000000a",
    "Token:018f0000-0000-7000-8000-00000000000a",
    "Customer:018F0000-0000-7000-8000-00000000000A",
    "Customer:018f00000000700080000000000000a",
    "Customer:{018f0000-0000-7000-8000-00000000000a}",
    "Customer:018f0000-0000-7000-8000-00000000000a ",
    "Customer:018f0000-0000-7000-8000-00000000000a\n",
    "018f0000-0000-7000-8000-00000000000a",
  ])("are taken in one spelling only: not %j", (wireId) => {
    expect(fromWireId("Customer", wireId)).toBeUndefined();
  });
});
