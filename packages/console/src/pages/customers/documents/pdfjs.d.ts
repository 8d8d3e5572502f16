/** The minified files of PDF.js have no type declarations of their own. */
declare module "pdfjs-dist/legacy/build/pdf.min.mjs" {
  export { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
}
declare module "pdfjs-dist/legacy/build/pdf.worker.min.mjs" {
  export const WorkerMessageHandler: unknown;
}
