/** Shows documents of a customer side by side with the same zoom. Images and PDFs are drawn on a canvas; other files are downloaded. */
import type { Document } from "@florin/client";
import { Download, RotateCw, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useReducer, useRef, useState } from "react";
import { Facts } from "../../../detail/facts.tsx";
import { visibleText } from "../../../std/outside-text.ts";
import { t } from "../../../text/messages.ts";
import { buttonLook, IconButton } from "../../../ui/button.tsx";
import { ChoiceInput } from "../../../ui/fields.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";
import {
  type DocumentFile,
  type DocumentsOf,
  documentName,
  useDocumentFile,
  useDocuments,
  useMayReadDocuments,
} from "./documents.ts";
import { PdfPages } from "./pdf-pages.tsx";

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3, 4];
const WHOLE = ZOOMS.indexOf(1);

export function DocumentBench({
  of,
  isPair = false,
}: {
  readonly of: DocumentsOf;
  readonly isPair?: boolean;
}) {
  const may = useMayReadDocuments(of);
  const reading = useDocuments(of);
  if (!may) return <p className="py-4 text-form text-soft">{t("documents.refused")}</p>;
  return (
    <Waiting reading={reading} rows={6}>
      {(documents) =>
        documents.length === 0 ? (
          <p className="py-4 text-form text-soft">{t("documents.empty")}</p>
        ) : (
          <Panes of={of} documents={documents} isPair={isPair && documents.length > 1} />
        )
      }
    </Waiting>
  );
}

function Panes({
  of,
  documents,
  isPair,
}: {
  readonly of: DocumentsOf;
  readonly documents: readonly Document[];
  readonly isPair: boolean;
}) {
  const [zoom, setZoom] = useState(WHOLE);
  const [chosen, setChosen] = useState(() =>
    documents.slice(0, isPair ? 2 : 1).map(({ id }) => id),
  );
  const choices = documents.map((document) => ({
    value: document.id,
    label: `${documentName(document)} \u00b7 ${document.fileName}`,
  }));
  return (
    <>
      <div className="flex items-center justify-end gap-1 pb-2">
        <span className="me-1 text-caption text-soft tabular-nums">
          {t("documents.zoom", { percent: (ZOOMS[zoom] ?? 1) * 100 })}
        </span>
        <IconButton
          label={t("documents.smaller")}
          isDisabled={zoom === 0}
          onPress={() => setZoom(zoom - 1)}
        >
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={t("documents.larger")}
          isDisabled={zoom === ZOOMS.length - 1}
          onPress={() => setZoom(zoom + 1)}
        >
          <ZoomIn size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={isPair ? "grid gap-4 rail:grid-cols-2" : "grid gap-4"}>
        {chosen.map((id, index) => {
          const document = documents.find((one) => one.id === id);
          const place = t(index === 0 ? "documents.shown" : "documents.beside");
          return (
            <div key={index === 0 ? "first" : "second"} className="min-w-0">
              <ChoiceInput
                label={place}
                choices={choices}
                value={id}
                onChange={(next) => setChosen(chosen.map((one, at) => (at === index ? next : one)))}
                placeholder={t("form.choose")}
              />
              {document !== undefined && (
                <Pane
                  key={document.id}
                  of={of}
                  document={document}
                  place={place}
                  zoom={ZOOMS[zoom] ?? 1}
                />
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}

function Pane({
  of,
  document,
  place,
  zoom,
}: {
  readonly of: DocumentsOf;
  readonly document: Document;
  /** Distinguishes the panes in labels, because both may show documents with the same name. */
  readonly place: string;
  readonly zoom: number;
}) {
  const reading = useDocumentFile(of, document.id);
  return (
    <div className="flex flex-col gap-3 pt-3">
      <Waiting reading={reading} rows={6}>
        {(file) => <FileView document={document} file={file} place={place} zoom={zoom} />}
      </Waiting>
      <Facts
        facts={[
          [t("documents.file"), <OutsideText key="file" text={document.fileName} />],
          [t("documents.holder"), <IdLink key="holder" id={document.documentHolder} />],
          [t("customers.country"), document.country],
          document.documentNumber !== undefined && [
            t("documents.number"),
            <OutsideText key="number" text={document.documentNumber} />,
          ],
          document.issuingAuthority !== undefined && [
            t("documents.authority"),
            <OutsideText key="authority" text={document.issuingAuthority} />,
          ],
          [t("column.created"), <Time key="created" at={document.createdAt} isExact />],
        ]}
      />
    </div>
  );
}

function FileView({
  document,
  file,
  place,
  zoom,
}: {
  readonly document: Document;
  readonly file: DocumentFile;
  readonly place: string;
  readonly zoom: number;
}) {
  const [turns, setTurns] = useState(0);
  const [isUndrawn, markUndrawn] = useReducer(() => true, false);
  if (file.kind === "file" || (file.kind === "pdf" && isUndrawn))
    return <SavedFile document={document} url={file.url} />;
  const shared = { turns, zoom, name: documentName(document) };
  return (
    <div className="relative">
      <section
        aria-label={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="max-h-[70dvh] overflow-auto rounded-panel border border-line bg-panel"
      >
        {file.kind === "image" ? (
          <Picture image={file.image} {...shared} />
        ) : (
          <PdfPages bytes={file.bytes} {...shared} onFailed={markUndrawn} />
        )}
      </section>
      <div className="absolute end-2 top-2 rounded-control bg-raised shadow-raised">
        <IconButton label={t("documents.rotate")} onPress={() => setTurns((turns + 1) % 4)}>
          <RotateCw size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

function SavedFile({ document, url }: { readonly document: Document; readonly url: string }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-panel border border-line bg-panel p-4 text-form">
      <p className="text-soft">{t("documents.noPicture")}</p>
      <a href={url} download={visibleText(document.fileName)} className={buttonLook("plain")}>
        <Download size={15} aria-hidden />
        {t("documents.save")}
      </a>
    </div>
  );
}

/** Bounds the side of a canvas, because browsers limit its size; a larger image is scaled down. */
const LARGEST_SIDE = 4_096;

function Picture({
  image,
  turns,
  zoom,
  name,
}: {
  readonly image: ImageBitmap;
  readonly turns: number;
  readonly zoom: number;
  readonly name: string;
}) {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = place.current;
    const context = canvas?.getContext("2d");
    if (canvas === null || context === null || context === undefined) return;
    const scale = Math.min(1, LARGEST_SIDE / Math.max(image.width, image.height));
    const [width, height] = [image.width * scale, image.height * scale];
    const isTurned = turns % 2 === 1;
    canvas.width = isTurned ? height : width;
    canvas.height = isTurned ? width : height;
    context.translate(canvas.width / 2, canvas.height / 2);
    context.rotate((turns * Math.PI) / 2);
    context.drawImage(image, -width / 2, -height / 2, width, height);
  }, [image, turns]);
  return (
    <canvas
      ref={place}
      role="img"
      aria-label={name}
      className="block max-w-none"
      style={{ width: `${zoom * 100}%` }}
    />
  );
}
