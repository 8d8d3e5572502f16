import type { ReactNode } from "react";
import { usePageTitle } from "./page-title.ts";

/** The title of a page, and its acts. */
export function PageHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-4">
      <h1 className="text-title font-semibold">{title}</h1>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}
