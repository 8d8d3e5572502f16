/** The rows of a list: a table, or cards on a narrow screen. Each row is a real link, so it can open in a new tab. */
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { shortId } from "../std/ids.ts";
import { t } from "../text/messages.ts";
import { classes } from "../ui/classes.ts";
import { PlaceLink } from "../ui/place-link.tsx";
import type { Column } from "./list-spec.ts";

interface RowLink<Row> {
  readonly place: ((row: Row) => string) | undefined;
  readonly rowId: (row: Row) => string;
  readonly current: string | undefined;
}

/** The ids of the selected rows. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  toggle(id: string): void;
  /** Selects all rows of the page, or none when all are selected. */
  toggleAll(): void;
}

export function Table<Row>({
  caption,
  columns,
  rows,
  link,
  selection,
  isBeside,
}: {
  readonly selection: Selection | undefined;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly link: RowLink<Row>;
  /** Half of the width is left for the columns. */
  readonly isBeside: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section aria-label={caption} tabIndex={0} className="-mx-2 overflow-x-auto">
      <table className="w-full border-separate border-spacing-0 text-body">
        <thead>
          <tr>
            {selection !== undefined && (
              <th scope="col" className="sticky top-0 w-8 border-line border-b bg-ground px-2">
                <RowCheck
                  label={t("list.selectAll")}
                  isChecked={rows.length > 0 && selection.ids.size === rows.length}
                  onToggle={selection.toggleAll}
                />
              </th>
            )}
            {columns.map(({ id, title, isEnd }) => (
              <th
                key={id}
                scope="col"
                className={classes(
                  "sticky top-0 border-line border-b bg-ground px-2 py-2 text-caption font-semibold whitespace-nowrap text-soft",
                  isEnd === true ? "text-end" : "text-start",
                )}
              >
                {t(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow
              key={link.rowId(row)}
              row={row}
              columns={columns}
              link={link}
              selection={selection}
              isBeside={isBeside}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TableRow<Row>({
  row,
  columns,
  link,
  selection,
  isBeside,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly link: RowLink<Row>;
  readonly selection: Selection | undefined;
  readonly isBeside: boolean;
}) {
  const id = link.rowId(row);
  return (
    <tr
      data-row-id={id}
      className={classes(
        "group relative h-9 hover:bg-panel pointer-coarse:h-11",
        (link.current === id || selection?.ids.has(id) === true) && "bg-panel",
      )}
    >
      {selection !== undefined && (
        <td className="w-8 border-line border-b px-2">
          <RowCheck
            label={t("list.select", { id: shortId(id) })}
            isChecked={selection.ids.has(id)}
            onToggle={() => selection.toggle(id)}
          />
        </td>
      )}
      {columns.map(({ id: column, cell, isEnd }, index) => (
        <td
          key={column}
          className={classes(
            "border-line border-b px-2 py-1",
            isBeside ? "max-w-44" : "max-w-64",
            isEnd === true ? "text-end" : "text-start",
          )}
        >
          {index === 0 && link.place !== undefined ? (
            <RowAnchor place={link.place(row)} isCurrent={link.current === id}>
              {cell(row)}
            </RowAnchor>
          ) : (
            // Links inside a row are stacked above the row's own link.
            <div className="relative [&_a]:relative [&_a]:z-10 [&_a]:text-ink [&_a]:hover:text-accent [&_button]:relative [&_button]:z-10 pointer-events-none [&_a]:pointer-events-auto [&_button]:pointer-events-auto">
              {cell(row)}
            </div>
          )}
        </td>
      ))}
    </tr>
  );
}

/** The checkbox, stacked above the row's link. The key `x` finds it from there. */
function RowCheck({
  label,
  isChecked,
  onToggle,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      onChange={onToggle}
      className="row-check relative z-10 block size-4 accent-accent pointer-coarse:size-6"
    />
  );
}

/** Keeps the list's filters in the URL of the detail, so that the list beside it does not change. */
function RowAnchor({
  place,
  isCurrent,
  children,
}: {
  readonly place: string;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}) {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false });
  const { view: _, ...kept } = search;
  return (
    <PlaceLink
      place={place}
      search={kept}
      className={classes(
        "row-link outline-offset-[-2px] after:absolute after:inset-0",
        isCurrent &&
          "before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-accent",
      )}
    >
      {children}
    </PlaceLink>
  );
}

export interface Card {
  readonly lead: ReactNode;
  readonly under: ReactNode;
  readonly end?: ReactNode;
  readonly endUnder?: ReactNode;
}

export function Cards<Row>({
  caption,
  rows,
  card,
  link,
  selection,
}: {
  readonly selection: Selection | undefined;
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly card: (row: Row) => Card;
  readonly link: RowLink<Row>;
}) {
  return (
    <ul aria-label={caption} className="-mx-4 border-line border-t">
      {rows.map((row) => {
        const { lead, under, end, endUnder } = card(row);
        return (
          <li
            key={link.rowId(row)}
            data-row-id={link.rowId(row)}
            className="relative flex items-start justify-between gap-3 border-line border-b px-4 py-2.5"
          >
            {selection !== undefined && (
              <RowCheck
                label={t("list.select", { id: shortId(link.rowId(row)) })}
                isChecked={selection.ids.has(link.rowId(row))}
                onToggle={() => selection.toggle(link.rowId(row))}
              />
            )}
            <div className="min-w-0 flex-1">
              {link.place === undefined ? (
                lead
              ) : (
                <RowAnchor place={link.place(row)} isCurrent={false}>
                  {lead}
                </RowAnchor>
              )}
              <div className="truncate text-caption text-soft">{under}</div>
            </div>
            <div className="flex shrink-0 flex-col items-end gap-1">
              {end}
              <div className="text-caption text-soft">{endUnder}</div>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
