/** Which identities count as one human, and until when. */
import { describe, expect, it } from "vitest";
import { JOINED_MS, joinedWith, type Kin, lineageOf, membersOf, share } from "./lineage.ts";

const NOW = Date.UTC(2026, 10, 21);
const person = (id: string, joined: readonly Kin[] = []) => ({ id, joined });
const kin = (id: string, until: number | null) => ({ id, until });

describe("a lineage", () => {
  it("is the person alone when nobody is joined, or not any more", () => {
    expect(lineageOf(person("a"), NOW)).toEqual([kin("a", null)]);
    expect(membersOf(lineageOf(person("a", [kin("b", NOW)]), NOW), NOW)).toEqual(["a"]);
    expect(membersOf(lineageOf(person("a", [kin("b", NOW + 1)]), NOW), NOW)).toEqual(["a", "b"]);
  });

  it("takes in who changes the person for thirty days", () => {
    const joined = joinedWith(person("b"), person("a"), { at: NOW });
    expect(joined).toEqual([kin("a", NOW + JOINED_MS)]);
    const ids = (at: number) => membersOf(lineageOf(person("b", joined), at), at);
    expect(ids(NOW + JOINED_MS - 1)).toEqual(["b", "a"]);
    expect(ids(NOW + JOINED_MS)).toEqual(["b"]);
  });

  it("takes in everybody whom that person counts as: identities that one makes of another share the first", () => {
    const b = person("b", joinedWith(person("b"), person("a"), { at: NOW }));
    const c = person("c", joinedWith(person("c"), b, { at: NOW + 1 }));
    const sister = person("d", joinedWith(person("d"), person("a"), { at: NOW }));
    const ids = (one: Parameters<typeof lineageOf>[0]) =>
      membersOf(lineageOf(one, NOW + 2), NOW + 2);
    expect(ids(c)).toEqual(["c", "b", "a"]);
    expect(share(ids(c), ids(person("a")))).toBe(true);
    expect(share(ids(b), ids(sister))).toBe(true);
    expect(share(ids(c), ids(person("e")))).toBe(false);
  });

  it("stays as it is when a person changes themself, the operator does it, or the word of an issuer is old", () => {
    const joined = [kin("x", NOW + 5)];
    const own = person("a", joined);
    expect(joinedWith(own, own, { at: NOW })).toBe(joined);
    expect(joinedWith(own, undefined, { at: NOW })).toBe(joined);
    expect(joinedWith(own, person("b"), { at: NOW, until: NOW })).toBe(joined);
  });

  it("keeps the later end of two, never the person themself, and none that is over", () => {
    const by = person("a", [kin("b", NOW + 1)]);
    const joined = [kin("a", NOW + 10), kin("gone", NOW)];
    expect(joinedWith(person("b", joined), by, { at: NOW, until: NOW + 20 })).toEqual([
      kin("a", NOW + 20),
    ]);
    const longer = [kin("a", NOW + 30)];
    expect(joinedWith(person("b", longer), by, { at: NOW, until: NOW + 20 })).toBe(longer);
  });
});
