/**
 * Draws pages of a PDF on canvases with PDF.js, whose code is fetched when the first PDF is opened. It runs in the main thread,
 * because the page's trusted-types policy prevents scripts from starting a worker. It compiles no code and fetches nothing: no fonts,
 * no character maps, no WebAssembly.
 *
 * Bounds: one page at a time, with a maximum number of pixels. Larger images within a page are left out.
 */
import type { PDFDocumentProxy, RenderTask } from "pdfjs-dist/legacy/build/pdf.mjs";

export interface PdfFile {
  readonly pages: number;
  /** Draws a page; pages start at 1. Rejects when the page is broken, or when a later drawing replaces this one. */
  draw(page: number, turns: number, canvas: HTMLCanvasElement): Promise<void>;
  close(): void;
}

const LONGEST_SIDE = 2_400;
const MOST_IMAGE_PIXELS = 50_000_000;

export async function openPdf(bytes: ArrayBuffer): Promise<PdfFile> {
  const [pdf, worker] = await Promise.all([
    import("pdfjs-dist/legacy/build/pdf.min.mjs"),
    import("pdfjs-dist/legacy/build/pdf.worker.min.mjs"),
  ]);
  Object.assign(globalThis, { pdfjsWorker: worker });
  const task = pdf.getDocument({
    // PDF.js takes ownership of the buffer, so it gets a copy.
    data: new Uint8Array(bytes.slice(0)),
    isEvalSupported: false,
    useWasm: false,
    useWorkerFetch: false,
    enableXfa: false,
    disableFontFace: true,
    isImageDecoderSupported: false,
    maxImageSize: MOST_IMAGE_PIXELS,
    verbosity: pdf.VerbosityLevel.ERRORS,
  });
  return drawerOf(await task.promise, () => void task.destroy());
}

function drawerOf(document: PDFDocumentProxy, close: () => void): PdfFile {
  let drawing: RenderTask | undefined;
  return {
    pages: document.numPages,
    async draw(number, turns, canvas) {
      const page = await document.getPage(number);
      drawing?.cancel();
      const rotation = (page.rotate + turns * 90) % 360;
      const whole = page.getViewport({ scale: 1, rotation });
      const scale = LONGEST_SIDE / Math.max(whole.width, whole.height);
      const viewport = page.getViewport({ scale, rotation });
      canvas.width = Math.ceil(viewport.width);
      canvas.height = Math.ceil(viewport.height);
      drawing = page.render({ canvas, viewport });
      await drawing.promise;
    },
    close,
  };
}
