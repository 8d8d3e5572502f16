/** The specification of a list: its call, columns, filters and acts. Each list page declares one. */
import type { ReactNode } from "react";
import type { Call, Item, ListId } from "../api/operations.ts";
import type { MessageKey } from "../text/messages.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: MessageKey;
  readonly cell: (row: Row) => ReactNode;
  /** Aligns the column to the end, for numbers and times. */
  readonly isEnd?: boolean;
  /** Hidden until the person chooses the column. */
  readonly isExtra?: boolean;
}

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** `name` is the parameter's name in the operation and in the console's URL. */
export type Filter = {
  readonly name: string;
  readonly label: MessageKey;
  /** Replaces `label` where it has a name from outside. */
  readonly labelText?: string;
} & (
  | { readonly kind: "choice"; readonly choices: readonly FilterChoice[] }
  | { readonly kind: "text"; readonly placeholder?: string }
  /** A decimal amount, sent in the smallest unit of the currency that is filtered by, or of two decimals. */
  | { readonly kind: "amount" }
  /** One of the platform's rail connections, chosen by its name. */
  | { readonly kind: "connection" }
  /** An API key or an agent, chosen by its name. */
  | { readonly kind: "caller" }
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
  /** The storage key of the chosen columns. */
  readonly name: string;
  readonly title: MessageKey;
  readonly call: (query: ListQuery) => Call<Id>;
  readonly columns: readonly Column<Item<Id>>[];
  readonly filters: readonly Filter[];
  /** The list is also filtered by the keys of metadata that the platform has declared. */
  readonly byMetadata?: true;
  /** The list has a box whose text is the parameter `q`: what one may type into it. */
  readonly search?: MessageKey;
  readonly tabs?: readonly ListTab[];
  readonly rowId: (row: Item<Id>) => string;
  /** The page that a row links to, below the platform; absent when the object has no page. */
  readonly place?: (row: Item<Id>) => string;
  readonly card: (row: Item<Id>) => {
    readonly lead: ReactNode;
    readonly under: ReactNode;
    readonly end?: ReactNode;
    readonly endUnder?: ReactNode;
  };
  /** Acts on the selected rows. Without it, rows cannot be selected. */
  readonly selection?: (rows: readonly Item<Id>[], onDone: () => void) => ReactNode;
  /** New rows are shown at once and shift the others. */
  readonly isTail?: boolean;
  /** True for a row in progress; while one is shown, the list is polled. */
  readonly isMoving?: (row: Item<Id>) => boolean;
  /** The effect of an act on a row comes after its answer. Rows that leave the list by it leave at once. */
  readonly actsLater?: boolean;
  readonly empty: MessageKey;
  /** The path of the call that creates the first object, for the sample of an empty list. */
  readonly curl?: string;
}
