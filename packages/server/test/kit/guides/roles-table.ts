/** The table of roles in the guide of the console, made from the code. Those of operators are of no role. Capabilities that the same roles have share a row. */
import {
  capabilities,
  markOf,
  needsProof,
  OPERATOR_CAPABILITIES,
  roles,
} from "../../../src/domain/people/role.ts";

const PROOF_MARK = " ⚿";
const MARKS = { ALWAYS: "●", IN_SANDBOXES: "S", NEVER: "–", SWITCHED: "○" } as const;

export function rolesTable(): string {
  const rows = new Map<string, string[]>();
  for (const capability of capabilities) {
    if (OPERATOR_CAPABILITIES.includes(capability)) continue;
    const marks = roles.map((role) => MARKS[markOf(role, capability)]).join(" | ");
    const name = `\`${capability}\`${needsProof(capability) ? PROOF_MARK : ""}`;
    rows.set(marks, [...(rows.get(marks) ?? []), name]);
  }
  const head = `| Capability | ${roles.join(" | ")} |\n|---|${roles.map(() => "---|").join("")}`;
  return [head, ...[...rows].map(([marks, names]) => `| ${names.join(", ")} | ${marks} |`)].join(
    "\n",
  );
}
