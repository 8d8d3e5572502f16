/** The share of completed payments among those that ended in the period, and the reasons of the others. */
import { useState } from "react";
import type { Success } from "../../../api/overview.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { HomeSection } from "./home-section.tsx";

/** The server sends the groups with the most payments first. */
const SHOWN = 6;

export function SuccessSection({ success }: { readonly success: Success }) {
  const { completed, failed, groups, reasons } = success;
  if (completed + failed === 0) {
    return (
      <HomeSection title={t("home.success")}>
        <p className="py-3 text-body text-soft">{t("home.noneEnded")}</p>
      </HomeSection>
    );
  }
  return (
    <HomeSection title={t("home.success")}>
      <p className="py-3">
        <span className="text-amount font-semibold tabular-nums">{rate(completed, failed)}</span>
        <span className="block text-caption text-soft">
          {t("home.ended", { completed, failed })}
        </span>
      </p>
      <Groups groups={groups} />
      {reasons.length > 0 && (
        <>
          <h3 className="pt-4 pb-1 text-caption font-semibold text-soft">{t("home.reasons")}</h3>
          <ul>
            {reasons.map(({ code, payments }) => (
              <li
                key={code}
                className="relative flex justify-between gap-3 border-line border-t py-1.5 text-body hover:bg-panel"
              >
                <PlaceLink
                  place="payments"
                  search={{ failureCode: code }}
                  className="min-w-0 truncate text-accent after:absolute after:inset-0 hover:underline"
                >
                  {wordOf("failureCode", code)}
                </PlaceLink>
                <span className="tabular-nums">{payments}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </HomeSection>
  );
}

function Groups({ groups }: Pick<Success, "groups">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <table className="w-full text-body tabular-nums">
        <caption className="sr-only">{t("home.success")}</caption>
        <tbody>
          {(isOpen ? groups : groups.slice(0, SHOWN)).map((group) => (
            <tr key={`${group.type} ${group.rail ?? ""}`} className="border-line border-t">
              <th scope="row" className="py-1.5 text-start font-normal">
                {wordOf("payments.type", group.type)}
                {group.rail !== undefined && (
                  <span className="text-soft"> {wordOf("rail", group.rail)}</span>
                )}
              </th>
              <td className="py-1.5 text-end text-soft">
                {t("home.failedOf", {
                  failed: group.failed,
                  all: group.completed + group.failed,
                })}
              </td>
              <td className="w-16 py-1.5 text-end">{rate(group.completed, group.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > SHOWN && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="py-1.5 text-body text-accent hover:underline pointer-coarse:min-h-11"
        >
          {isOpen ? t("text.less") : t("home.allGroups", { count: groups.length })}
        </button>
      )}
    </>
  );
}

/** Rounded down, so that 100 % means all payments. */
function rate(completed: number, failed: number): string {
  if (completed + failed === 0) return "\u2013";
  const tenths = Math.floor((completed * 1000) / (completed + failed));
  return `${Math.floor(tenths / 10)}.${tenths % 10} %`;
}
