/** Shows a PDF one page at a time. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { t } from "../../../text/messages.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { openPdf, type PdfFile } from "./pdf-file.ts";

export function PdfPages({
  bytes,
  turns,
  zoom,
  name,
  onFailed,
}: {
  readonly bytes: ArrayBuffer;
  readonly turns: number;
  readonly zoom: number;
  readonly name: string;
  /** Called when the file cannot be drawn. Must be a stable function. */
  readonly onFailed: () => void;
}) {
  const [file, setFile] = useState<PdfFile>();
  const [page, setPage] = useState(1);
  useEffect(() => {
    let isGone = false;
    const opening = openPdf(bytes);
    opening.then(
      (file) => !isGone && setFile(file),
      () => !isGone && onFailed(),
    );
    return () => {
      isGone = true;
      opening.then(
        (opened) => opened.close(),
        () => {},
      );
    };
  }, [bytes, onFailed]);
  if (file === undefined) return <Skeleton rows={8} />;
  return (
    <>
      {file.pages > 1 && (
        <div className="sticky start-0 top-0 flex items-center gap-1 border-line border-b bg-raised px-2 py-1">
          <IconButton
            label={t("documents.previousPage")}
            isDisabled={page === 1}
            onPress={() => setPage(page - 1)}
          >
            <ChevronLeft size={16} aria-hidden />
          </IconButton>
          <span className="text-caption text-soft tabular-nums" aria-live="polite">
            {t("documents.page", { page, pages: file.pages })}
          </span>
          <IconButton
            label={t("documents.nextPage")}
            isDisabled={page === file.pages}
            onPress={() => setPage(page + 1)}
          >
            <ChevronRight size={16} aria-hidden />
          </IconButton>
        </div>
      )}
      <PdfPage file={file} page={page} turns={turns} zoom={zoom} name={name} onFailed={onFailed} />
    </>
  );
}

function PdfPage({
  file,
  page,
  turns,
  zoom,
  name,
  onFailed,
}: {
  readonly file: PdfFile;
  readonly page: number;
  readonly turns: number;
  readonly zoom: number;
  readonly name: string;
  readonly onFailed: () => void;
}) {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = place.current;
    if (canvas === null) return;
    let isCurrent = true;
    file.draw(page, turns, canvas).catch(() => isCurrent && onFailed());
    return () => {
      isCurrent = false;
    };
  }, [file, page, turns, onFailed]);
  return (
    <canvas
      // PDF.js refuses two drawings on one canvas at the same time, so each drawing gets a new canvas.
      key={`${page}.${turns}`}
      ref={place}
      role="img"
      aria-label={name}
      className="block max-w-none bg-white"
      style={{ width: `${zoom * 100}%` }}
    />
  );
}
