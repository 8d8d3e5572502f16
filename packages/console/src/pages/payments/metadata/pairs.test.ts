import { describe, expect, it } from "vitest";
import {
  faultIn,
  metadataIn,
  type Pair,
  pairsIn,
  textOf,
  withOneMore,
  withoutPair,
} from "./pairs.ts";

describe("pairs of metadata", () => {
  it("begin with those there are, or with an empty one, and end as they are", () => {
    expect(pairsIn(textOf({ a: "1", "b.c": "" }))).toEqual([
      ["a", "1"],
      ["b.c", ""],
    ]);
    expect(pairsIn(textOf({}))).toEqual([["", ""]]);
    expect(pairsIn(withOneMore([["a", "1"]]))).toEqual([
      ["a", "1"],
      ["", ""],
    ]);
    expect(pairsIn(withoutPair([["a", "1"]], 0))).toEqual([["", ""]]);
    expect(
      metadataIn([
        ["a", "1"],
        ["", ""],
        ["b", ""],
      ]),
    ).toEqual({ a: "1", b: "" });
  });

  it.each<readonly [string, readonly Pair[], ReturnType<typeof faultIn>]>([
    ["none", [["", ""]], undefined],
    ["an empty value", [["a", ""]], undefined],
    [
      "a value without a key",
      [
        ["a", "1"],
        ["", "2"],
      ],
      { at: 1, kind: "noKey" },
    ],
    ["a space in a key", [["order id", "2"]], { at: 0, kind: "badKey" }],
    ["a long key", [["k".repeat(41), "2"]], { at: 0, kind: "badKey" }],
    ["the longest key", [["k".repeat(40), "2"]], undefined],
    ["a reserved key", [["constructor", "2"]], { at: 0, kind: "badKey" }],
    [
      "a key twice",
      [
        ["a", "1"],
        ["b", "1"],
        ["a", "2"],
      ],
      { at: 2, kind: "twice" },
    ],
    ["a long value", [["a", "v".repeat(501)]], { at: 0, kind: "longValue" }],
  ])("have a fault where there is one: %s", (_what, pairs, fault) => {
    expect(faultIn(pairs)).toEqual(fault);
  });
});
