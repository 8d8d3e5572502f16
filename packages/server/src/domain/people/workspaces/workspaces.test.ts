/** How a workspace begins, and whose sessions a switch of its roles ends. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import {
  idOf,
  on,
  PLATFORM_A,
  person,
  session,
  WORKSPACE,
  workspaceRows,
} from "../../../../test/kit/person-rows.ts";
import type { Person, PersonState } from "../person.ts";
import { type Role, roles } from "../role.ts";
import { personSessions } from "../sessions/person-session.ts";
import { setRoleSwitches } from "./set-role-switches.ts";
import { createWorkspace, toWorkspaceId, workspaces } from "./workspace.ts";

const ANA = idOf("1");
const there = workspaceRows({});
const absent = there.filter(([table]) => table.name !== workspaces.name);

describe("a new workspace", () => {
  it("has no switch on, and the id of its partition", () => {
    const input = { name: "Acme" };
    const { output } = decided({
      command: createWorkspace,
      input,
      platformId: WORKSPACE,
      tables: absent,
    });
    expect(output).toEqual({
      id: WORKSPACE,
      name: "Acme",
      adminsReadDocuments: false,
      createdAt: DECIDED_AT,
      updatedAt: DECIDED_AT,
    });
    expect(toWorkspaceId(WORKSPACE)).toBe(`Workspace:${WORKSPACE}`);
  });

  it("is refused where there is one", () => {
    const input = { name: "Acme" };
    const { refusal } = decided({
      command: createWorkspace,
      input,
      platformId: WORKSPACE,
      tables: there,
    });
    expect(named(refusal)).toBe("CONFLICT");
  });
});

describe("a switch of the roles", () => {
  const turn = (adminsReadDocuments: boolean, whom: Person, isThere = true) =>
    decided({
      command: setRoleSwitches,
      input: { adminsReadDocuments },
      platformId: WORKSPACE,
      tables: workspaceRows({ people: [whom], sessions: [session(idOf("30"), whom.id)] }).filter(
        ([table]) => isThere || table.name !== workspaces.name,
      ),
    });
  const endedBy = (whom: Person) => written(turn(true, whom).world, personSessions).length === 1;

  it("is refused in a workspace that is not there", () => {
    const { refusal } = turn(true, person(ANA, "ADMIN"), false);
    expect(named(refusal)).toBe("REFERENCE_NOT_FOUND");
  });

  it("changes nothing where it stands as it is sent", () => {
    const { output, world } = turn(false, person(ANA, "ADMIN"));
    expect([output?.updatedAt, world.isEmpty]).toEqual([1, true]);
  });

  it("is kept with its time", () => {
    expect(turn(true, person(ANA, "ADMIN")).output).toMatchObject({
      adminsReadDocuments: true,
      updatedAt: DECIDED_AT,
    });
  });

  it.each(roles)("ends the sessions of %s where it changes what they may do", (role) => {
    expect(endedBy(person(ANA, role))).toBe(role === "ADMIN");
  });

  it.each<[PersonState, boolean]>([
    ["ACTIVE", true],
    ["INVITED", false],
    ["SUSPENDED", false],
    ["REMOVED", false],
  ])("ends the sessions of an admin who is %s: %s", (state, isEnded) => {
    expect(endedBy(person(ANA, "ADMIN", { state }))).toBe(isEnded);
  });

  it.each<[string, readonly Role[], readonly Role[], boolean]>([
    ["an owner who is an admin besides", ["OWNER", "ADMIN"], [], false],
    ["an owner who is the admin of a platform besides", ["OWNER"], ["ADMIN"], false],
    ["the admin of a platform", [], ["ADMIN"], true],
    ["an admin with another role", ["FINANCE", "ADMIN"], [], true],
    ["one who reads documents in another role", ["COMPLIANCE"], [], false],
  ])("ends the sessions of %s as it must", (_who, everywhere, onOne, isEnded) => {
    const grants = [on(null, ...everywhere), on(PLATFORM_A, ...onOne)];
    expect(endedBy(person(ANA, "VIEWER", { roles: grants }))).toBe(isEnded);
  });
});
