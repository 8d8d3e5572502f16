/** Shows the findings of the check of a file before it is sent. */
import { t } from "../../../text/messages.ts";
import { OutsideText } from "../../../ui/values.tsx";
import type { CheckedFile, FileFault } from "./check-file.ts";

const MOST_SHOWN = 20;
const MOST_NAMES = 10;

export function Findings({
  checked: { rows, fatal, refused, unknown },
}: {
  readonly checked: CheckedFile;
}) {
  const refusedRows = new Set(refused.map(({ line }) => line)).size;
  return (
    <div role="status" className="flex flex-col gap-3 text-form">
      {fatal.length > 0 && (
        <div className="tint-bad rounded-control p-3">
          <p className="font-medium">{t("import.fatal")}</p>
          <Faults faults={fatal} />
        </div>
      )}
      {fatal.length === 0 && (
        <p>
          {t("import.rowsRead", { count: rows.length })} {refused.length === 0 && t("import.good")}
        </p>
      )}
      {refused.length > 0 && (
        <div className="tint-wait rounded-control p-3">
          <p className="font-medium">{t("import.refused", { count: refusedRows })}</p>
          <Faults faults={refused} />
        </div>
      )}
      {unknown.length > 0 && (
        <p className="text-soft">
          <OutsideText
            text={t("import.unknown", { names: unknown.slice(0, MOST_NAMES).join(", ") })}
          />
          {unknown.length > MOST_NAMES &&
            ` ${t("import.moreFaults", { count: unknown.length - MOST_NAMES })}`}
        </p>
      )}
    </div>
  );
}

function Faults({ faults }: { readonly faults: readonly FileFault[] }) {
  return (
    <ul className="mt-1">
      {faults.slice(0, MOST_SHOWN).map(({ line, column, says, values }) => (
        <li key={`${line} ${column} ${says}`}>
          {line !== undefined && <span>{t("import.ofRow", { line })} </span>}
          {column !== undefined && <code className="font-mono text-code">{column}</code>}{" "}
          {t(says, values)}
        </li>
      ))}
      {faults.length > MOST_SHOWN && (
        <li>{t("import.moreFaults", { count: faults.length - MOST_SHOWN })}</li>
      )}
    </ul>
  );
}
