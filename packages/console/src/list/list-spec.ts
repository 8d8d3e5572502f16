/** What a list is made of. Each page of the console that shows a list declares one of these. */
import type { ReactNode } from "react";
import type { Call, Item, ListId } from "../api/operations.ts";
import type { MessageKey } from "../text/messages.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: MessageKey;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and times stand at the end of their column. */
  readonly isEnd?: boolean;
  /** Shown once it is chosen. */
  readonly isExtra?: boolean;
}

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** `name` is the parameter of the operation, and of the console's own URL. */
export type Filter = {
  readonly name: string;
  readonly label: MessageKey;
} & (
  | { readonly kind: "choice"; readonly choices: readonly FilterChoice[] }
  | { readonly kind: "text"; readonly placeholder?: string }
  /** A number of days back from now. */
  | { readonly kind: "period" }
);

export interface ListTab {
  readonly id: string;
  readonly title: MessageKey;
  readonly query: Readonly<Record<string, string>>;
}

export type ListQuery = Readonly<Record<string, string | readonly string[]>>;

export interface ListSpec<Id extends ListId> {
  /** Under which the choice of columns is remembered. */
  readonly name: string;
  readonly title: MessageKey;
  readonly call: (query: ListQuery) => Call<Id>;
  readonly columns: readonly Column<Item<Id>>[];
  readonly filters: readonly Filter[];
  readonly tabs?: readonly ListTab[];
  readonly rowId: (row: Item<Id>) => string;
  /** Where the row leads, below the platform; none when the object has no page. */
  readonly place?: (row: Item<Id>) => string;
  readonly card: (row: Item<Id>) => {
    readonly lead: ReactNode;
    readonly under: ReactNode;
    readonly end?: ReactNode;
    readonly endUnder?: ReactNode;
  };
  /** Acts on the rows that are selected; without it no row can be. */
  readonly selection?: (rows: readonly Item<Id>[], onDone: () => void) => ReactNode;
  /** The newest rows come into the list by themselves, and move the others. */
  readonly isTail?: boolean;
  /** A row that has not ended yet; while one is shown, the list is read again soon. */
  readonly isMoving?: (row: Item<Id>) => boolean;
  readonly empty: MessageKey;
  /** The path of a call that makes the first one, for the sample. */
  readonly curl?: string;
}
