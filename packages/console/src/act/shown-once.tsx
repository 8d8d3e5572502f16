import encodeQR from "qr";
import { CodeBlock } from "../ui/code-block.tsx";

/** A code or a link that is shown once, with a copy button and a QR code. */
export function ShownOnce({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="flex flex-col gap-4">
      <QrCode text={text} what={what} />
      <CodeBlock code={text} what={what} />
    </div>
  );
}

/** Dark on white in both themes, because cameras expect that. */
function QrCode({ text, what }: { readonly text: string; readonly what: string }) {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={what}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-44 self-center rounded-panel border border-line"
    >
      <rect width="100%" height="100%" fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
