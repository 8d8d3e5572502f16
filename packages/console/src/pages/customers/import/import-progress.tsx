/** Shows the progress of an import, and its result at the end. */
import type { BulkJob } from "@florin/client";
import { useEffect, useState } from "react";
import { useRead } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { Button, buttonLook } from "../../../ui/button.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideText, OutsideWord } from "../../../ui/values.tsx";
import { reasonOf, refusedRows } from "./refused-rows.ts";

const MOST_SHOWN = 20;
const isUnderWay = ({ status }: BulkJob) => status === "PENDING" || status === "PROCESSING";

export function ImportProgress({
  jobId,
  file,
  onClose,
}: {
  readonly jobId: string;
  readonly file: File;
  readonly onClose: () => void;
}) {
  const reading = useRead<"getBulkCustomerJob">(
    { method: "GET", path: ["customers", "bulk", "jobs", jobId] },
    { isMoving: isUnderWay },
  );
  return (
    <>
      <Waiting reading={reading} rows={3}>
        {(job) => <State job={job} file={file} />}
      </Waiting>
      <div className="flex justify-end">
        <Button weight="primary" onPress={onClose}>
          {t("dialog.done")}
        </Button>
      </div>
    </>
  );
}

function State({ job, file }: { readonly job: BulkJob; readonly file: File }) {
  const { status, progress, errors } = job;
  const { total, processed, successful, failed } = progress;
  return (
    <div role="status" className="flex flex-col gap-3 text-form">
      <p className="flex flex-wrap items-center gap-3 tabular-nums">
        <StatePill state={status} />
        {total === 0
          ? isUnderWay(job) && t("import.looking")
          : t("import.progress", { done: processed, total })}
      </p>
      {isUnderWay(job) ? (
        <p className="text-soft">{t("import.goesOn")}</p>
      ) : (
        status === "COMPLETED" && <p>{t("import.made", { count: successful })}</p>
      )}
      {status === "FAILED" && <Reasons errors={errors} />}
      {status === "COMPLETED" && failed > 0 && (
        <>
          <div className="tint-wait rounded-control p-3">
            <p className="font-medium">
              {t("import.rowsRefused", { count: failed })}{" "}
              {failed > errors.length && t("import.firstListed", { count: errors.length })}
            </p>
            <Reasons errors={errors} />
          </div>
          <RefusedFile file={file} errors={errors} />
        </>
      )}
    </div>
  );
}

function Reasons({ errors }: Pick<BulkJob, "errors">) {
  return (
    <ul className="mt-1">
      {errors.slice(0, MOST_SHOWN).map((error) => (
        <li key={`${error.row} ${error.message}`}>
          <span>{rowName(error)}</span>{" "}
          <span className="font-mono text-code">
            <OutsideWord text={error.correlationId} />
          </span>{" "}
          <OutsideText text={reasonOf(error)} />
        </li>
      ))}
      {errors.length > MOST_SHOWN && (
        <li>{t("import.moreFaults", { count: errors.length - MOST_SHOWN })}</li>
      )}
    </ul>
  );
}

/** Row 0 is the header, which the error's `correlationId` names already. */
const rowName = ({ row = 0 }: BulkJob["errors"][number]) =>
  row === 0 ? undefined : t("import.ofRow", { line: row });

/** Reads the refused rows from the chosen file. The browser refuses to read a file that has changed since it was chosen. */
function RefusedFile({ file, errors }: { readonly file: File } & Pick<BulkJob, "errors">) {
  const [url, setUrl] = useState<string>();
  const [isUnreadable, setUnreadable] = useState(false);
  useEffect(() => {
    let made: string | undefined;
    let isOver = false;
    refusedRows(file, errors).then(
      (rows) => {
        if (isOver) return;
        made = URL.createObjectURL(rows);
        setUrl(made);
      },
      () => setUnreadable(true),
    );
    return () => {
      isOver = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file, errors]);
  if (isUnreadable) return <p role="alert">{t("import.unreadable")}</p>;
  if (url === undefined) return undefined;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <a href={url} download={`refused-${file.name}`} className={buttonLook("plain")}>
        {t("import.save")}
      </a>
      <span className="text-caption text-soft">{t("import.saveHint")}</span>
    </div>
  );
}
