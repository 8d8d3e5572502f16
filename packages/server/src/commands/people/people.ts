/** `florin people`: who may sign in to the console. Each change has an audit entry of the operator. */
import { engineOn } from "../../app.ts";
import { issueLink } from "../../boot/people/start-link.ts";
import type { Config } from "../../config.ts";
import { type Invited, invitePerson } from "../../domain/people/invite-person.ts";
import { issueReEnrolment } from "../../domain/people/issue-re-enrolment.ts";
import { listPeople } from "../../domain/people/person.sql.ts";
import { type Person, toPersonId } from "../../domain/people/person.ts";
import { hashLinkCode } from "../../domain/people/person-link.ts";
import { type Role, roles } from "../../domain/people/role.ts";
import { setOperator } from "../../domain/people/set-operator.ts";
import { listWorkspaces } from "../../domain/people/workspaces/workspace.sql.ts";
import { toWorkspaceId } from "../../domain/people/workspaces/workspace.ts";
import { newLinkCode } from "../../http/console/link-code.ts";
import { toIso } from "../../std/clock.ts";
import { StartRefused } from "../../std/errors.ts";
import { randomIds } from "../../std/ids.ts";
import { operate } from "../operate-platform.ts";
import { textOption } from "../options/option-texts.ts";
import { print } from "../print.ts";
import { atDeployment, emailOption, linkTo, personOf, workspaceOf } from "./at-workspace.ts";

const MOST_LISTED = 1_000;
const LONGEST_NAME = 255;

interface OfWorkspace {
  readonly workspace?: string;
}

/** `florin people list`: the people of a workspace, or of all of them. */
export async function listPeopleFromShell(config: Config, options: OfWorkspace): Promise<void> {
  await atDeployment(config, async (at) => {
    const { workspace } = options;
    const all =
      workspace === undefined ? await listWorkspaces(at.reads) : [await workspaceOf(at, workspace)];
    if (all.length === 0) print("There is no workspace yet.");
    for (const { id, name } of all) {
      // A name may contain line ends; JSON quotes keep it on its line.
      print(`${toWorkspaceId(id)}  ${JSON.stringify(name)}`);
      const page = { platformId: id, conditions: [], after: undefined, limit: MOST_LISTED };
      for (const person of (await listPeople(at.reads, page)).rows) print(`  ${lineOf(person)}`);
    }
  });
}

function lineOf({ id, email, name, state, isOperator, roles: grants }: Person): string {
  const held = grants.map(({ platformId, roles: own }) => {
    const where = platformId === null ? "" : `@${platformId}`;
    return `${own.join("+")}${where}`;
  });
  const marks = [state, ...held, ...(isOperator ? ["operator"] : [])];
  return `${toPersonId(id)}  ${email}  ${marks.join(" ")}  ${JSON.stringify(name)}`;
}

/** `florin people start-link`: prints the link by which the first owner of a workspace signs up. */
export async function startLinkFromShell(config: Config, options: OfWorkspace): Promise<void> {
  await atDeployment(config, async (at) => {
    const { id } = await workspaceOf(at, options.workspace);
    const engine = engineOn(at.store, at.surroundings);
    const { code, answered } = await issueLink({ engine, reads: at.reads }, id).finally(() =>
      engine.close(),
    );
    if (answered.status !== 201) throw new StartRefused(messageIn(answered.body));
    print(`console  ${linkTo(at.surroundings, "start", code)}`);
  });
}

function messageIn(body: string): string {
  return (JSON.parse(body) as { readonly message: string }).message;
}

export interface InviteOptions extends OfWorkspace {
  readonly email: string;
  readonly name: string;
  readonly roles: string;
}

/** `florin people invite`: a link for a new person, with roles on every platform of the workspace. */
export async function inviteFromShell(config: Config, options: InviteOptions): Promise<void> {
  const email = emailOption(options.email);
  const name = textOption("--name", options.name, LONGEST_NAME);
  const granted = rolesOf(options.roles);
  await atDeployment(config, async (at) => {
    const { id } = await workspaceOf(at, options.workspace);
    const code = newLinkCode();
    const personId = randomIds().next(at.surroundings.clock.now());
    const grant = { platformId: null, roles: granted };
    const told = await operate(
      { ...at, platform: { id } },
      {
        command: invitePerson,
        input: { personId, email, name, roles: [grant], codeHash: hashLinkCode(code), by: null },
        tell: linkFacts,
      },
    );
    print(told);
    print(`link     ${linkTo(at.surroundings, "invite", code)}`);
  });
}

function linkFacts({ person, link }: Invited): string {
  return `person   ${toPersonId(person.id)}\nuntil    ${toIso(link.expiresAt)}`;
}

function rolesOf(text: string): readonly Role[] {
  const wanted = new Set(text.split(",").map((part) => part.trim().toUpperCase()));
  const granted = roles.filter((role) => wanted.has(role));
  if (granted.length === wanted.size) return granted;
  throw new StartRefused(
    `--roles must be one or more of ${roles.join(", ")}, with commas between them`,
  );
}

export interface OfPerson extends OfWorkspace {
  readonly email: string;
}

/** `florin people recover`: a link by which a person who lost all passkeys makes a new one. */
export async function recoverFromShell(config: Config, options: OfPerson): Promise<void> {
  await atDeployment(config, async (at) => {
    const { workspaceId, person } = await personOf(at, options);
    const code = newLinkCode();
    const page = person.state === "INVITED" ? "invite" : "re-enrol";
    const told = await operate(
      { ...at, platform: { id: workspaceId } },
      {
        command: issueReEnrolment,
        input: { personId: person.id, codeHash: hashLinkCode(code), by: null },
        tell: linkFacts,
      },
    );
    print(told);
    print(`link     ${linkTo(at.surroundings, page, code)}`);
  });
}

export interface OperatorOptions extends OfPerson {
  readonly grant?: boolean;
  readonly revoke?: boolean;
}

/** `florin people operator`: makes a person an operator of the deployment, or revokes that. */
export async function operatorFromShell(config: Config, options: OperatorOptions): Promise<void> {
  const { grant = false, revoke = false } = options;
  if (grant === revoke) throw new StartRefused("add either --grant or --revoke");
  await atDeployment(config, async (at) => {
    const { workspaceId, person } = await personOf(at, options);
    print(
      await operate(
        { ...at, platform: { id: workspaceId } },
        {
          command: setOperator,
          input: { personId: person.id, isOperator: grant },
          tell: ({ email }) => `${email} ${grant ? "is an operator" : "is no operator any more"}`,
        },
      ),
    );
  });
}
