/** What each role may do: one row for each capability. */
import { KeyRound } from "lucide-react";
import type { RoleMatrix } from "../../api/own-operations.ts";
import { t, wordOf } from "../../text/messages.ts";
import { classes } from "../../ui/classes.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Waiting } from "../../ui/states.tsx";
import { RoleSwitch, useRoleMatrix } from "./role-switch.tsx";
import { TeamTabs } from "./team-tabs.tsx";

const ROWS = 20;

export function RolesPage() {
  const reading = useRoleMatrix();
  return (
    <>
      <PageHead title={t("team.title")} />
      <TeamTabs />
      <Waiting reading={reading} rows={ROWS}>
        {(matrix) => (
          <>
            <div className="max-w-2xl pb-4">
              <RoleSwitch matrix={matrix} />
            </div>
            <p className="pb-3 text-body text-soft">{t("roles.legend")}</p>
            <Matrix matrix={matrix} />
          </>
        )}
      </Waiting>
    </>
  );
}

const HEAD =
  "border-line border-b px-2 py-2 text-caption font-semibold whitespace-nowrap text-soft";

function Matrix({ matrix: { roles, capabilities } }: { readonly matrix: RoleMatrix }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section aria-label={t("roles.title")} tabIndex={0} className="relative -mx-2 overflow-x-auto">
      <table className="border-separate border-spacing-0 text-body">
        <thead>
          <tr>
            <th scope="col" className={classes(HEAD, "sticky start-0 bg-ground text-start")}>
              {t("roles.capability")}
            </th>
            {roles.map((role) => (
              <th key={role} scope="col" className={HEAD}>
                {wordOf("role", role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {capabilities.map((row) => (
            <tr key={row.capability}>
              <th
                scope="row"
                className="sticky start-0 border-line border-b bg-ground px-2 py-1.5 text-start font-mono text-code font-normal whitespace-nowrap"
              >
                {row.capability}
                {row.needsProof && (
                  <KeyRound
                    size={12}
                    className="ms-1.5 inline"
                    aria-label={t("roles.needsProof")}
                  />
                )}
              </th>
              {row.marks.map((mark, index) => (
                <td key={roles[index]} className="border-line border-b px-2 py-1.5 text-center">
                  <Mark {...shown(row, roles[index] ?? "", mark)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const SIGNS: Readonly<Record<string, string>> = {
  ALWAYS: "\u25cf",
  IN_SANDBOXES: "S",
  NEVER: "\u2013",
};

function shown({ switchable }: RoleMatrix["capabilities"][number], role: string, mark: string) {
  const isOff = mark === "NEVER" && switchable.includes(role);
  return isOff
    ? { sign: "\u25cb", word: t("roles.switchedOff") }
    : { sign: SIGNS[mark] ?? mark, word: wordOf("roles.mark", mark) };
}

/** Shows a sign, and a word for screen readers. */
function Mark({ sign, word }: { readonly sign: string; readonly word: string }) {
  return (
    <span title={word} className={classes(sign === SIGNS.NEVER && "text-soft")}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{word}</span>
    </span>
  );
}
