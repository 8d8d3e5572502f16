/** A list, with the detail of a row in a side panel, or in place of the list on a narrow screen. */
import { Outlet, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ListId } from "../api/operations.ts";
import type { ListSpec } from "../list/list-spec.ts";
import { ResourceList } from "../list/resource-list.tsx";
import { useWidth } from "../ui/use-width.ts";
import { BackContext } from "./detail.tsx";

export function ListPage<Id extends ListId>({
  spec,
  place,
  acts,
  tools,
  above,
}: {
  readonly spec: ListSpec<Id>;
  /** The list's path, below the platform. */
  readonly place: string;
  readonly acts?: ReactNode;
  readonly tools?: ReactNode;
  readonly above?: ReactNode;
}) {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  const width = useWidth();
  const detail = (
    <BackContext value={place}>
      <Outlet />
    </BackContext>
  );
  if (id === undefined) return <ResourceList spec={spec} acts={acts} tools={tools} above={above} />;
  if (width !== "wide") return detail;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,32rem)] items-start gap-8">
      <ResourceList spec={spec} acts={acts} tools={tools} above={above} current={id} isBeside />
      <aside className="sticky top-18 max-h-[calc(100dvh-6rem)] overflow-y-auto border-line border-s ps-8">
        {detail}
      </aside>
    </div>
  );
}
