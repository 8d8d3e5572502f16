/** What a person changes of themselves, who is an operator, and which roles a person has on a platform. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT } from "../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../test/kit/decided.ts";
import {
  idOf,
  on,
  PLATFORM_A,
  PLATFORM_B,
  person,
  WORKSPACE,
  workspaceRows,
} from "../../../test/kit/person-rows.ts";
import { isOwner, type Person, people, rolesOn } from "./person.ts";
import { setOperator } from "./set-operator.ts";
import { updateMe } from "./update-me.ts";

const WHOM = idOf("2");
const owner = person(idOf("1"), "OWNER");
const support = person(WHOM, "SUPPORT");

describe("a person", () => {
  const one = (whom: Person | undefined) => ({
    platformId: WORKSPACE,
    tables: workspaceRows({ people: whom === undefined ? [] : [whom] }),
  });
  const operator = (whom: Person | undefined, isOperator: boolean) =>
    decided({ command: setOperator, input: { personId: WHOM, isOperator }, ...one(whom) });
  const me = (whom: Person | undefined, more: object) =>
    decided({ command: updateMe, input: { personId: WHOM, ...more }, ...one(whom) });

  it.each([undefined, person(WHOM, "VIEWER", { state: "REMOVED" })])(
    "who is not there is not found: %#",
    (whom) => {
      expect(named(operator(whom, true).refusal)).toBe("REFERENCE_NOT_FOUND");
      expect(named(me(whom, { name: "X" }).refusal)).toBe("REFERENCE_NOT_FOUND");
    },
  );

  it("becomes an operator and is one no longer", () => {
    expect(operator(support, true).output?.isOperator).toBe(true);
    expect(operator({ ...support, isOperator: true }, false).output?.isOperator).toBe(false);
  });

  it("changes what is named of them and keeps the rest", () => {
    const whom = person(WHOM, "VIEWER", { locale: "de", timeZone: "Europe/Berlin" });
    expect(me(whom, {}).output).toMatchObject({
      name: "A person",
      locale: "de",
      timeZone: "Europe/Berlin",
    });
    expect(me(whom, { name: "Bo" }).output).toMatchObject({ name: "Bo", locale: "de" });
    expect(me(whom, { locale: null, timeZone: null }).output).toMatchObject({
      locale: null,
      timeZone: null,
    });
    expect(me(whom, { roles: [on(null, "OWNER")] }).output?.roles).toEqual(whom.roles);
  });

  it("puts off the second passkey once: the first time counts", () => {
    expect(me(support, { isPuttingOffPasskey: true }).output?.passkeyPutOffAt).toBe(DECIDED_AT);
    expect(me(support, { isPuttingOffPasskey: false }).output?.passkeyPutOffAt).toBeNull();
    const before = person(WHOM, "VIEWER", { passkeyPutOffAt: 7 });
    expect(me(before, { isPuttingOffPasskey: true }).output?.passkeyPutOffAt).toBe(7);
    expect(me(before, { name: "Bo" }).output?.passkeyPutOffAt).toBe(7);
  });

  it("has on a platform the roles of it and of all platforms, each once", () => {
    const grants = [
      on(PLATFORM_A, "FINANCE", "VIEWER"),
      on(null, "VIEWER"),
      on(PLATFORM_B, "ADMIN"),
    ];
    expect(rolesOn({ roles: grants }, PLATFORM_A)).toEqual(["FINANCE", "VIEWER"]);
    expect(rolesOn({ roles: grants }, PLATFORM_B)).toEqual(["VIEWER", "ADMIN"]);
    expect(rolesOn({ roles: grants }, WORKSPACE)).toEqual(["VIEWER"]);
    expect(rolesOn({ roles: [] }, PLATFORM_A)).toEqual([]);
    expect([isOwner({ roles: grants }), isOwner(owner)]).toEqual([false, true]);
  });

  it("is written nowhere else by these commands", () => {
    expect(written(operator(support, true).world, people)).toHaveLength(1);
    expect(written(me(support, { name: "Bo" }).world, people)).toHaveLength(1);
  });
});
