/** The blocks of a page. Each block is rendered as HTML and as Markdown; texts are Markdown. */

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly says: string;
  /** Accepted values, ranges, the default. */
  readonly notes: readonly string[];
  readonly groups: readonly FieldGroup[];
}

/** The fields of an object, or of one variant of a union. */
export interface FieldGroup {
  readonly title: string | undefined;
  readonly fields: readonly Field[];
}

export interface Sample {
  readonly language: "bash" | "ts" | "python";
  readonly label: string;
  readonly text: string;
}

export interface NavLink {
  readonly title: string;
  readonly href: string;
  readonly says: string;
}

export interface EndpointLink {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly href: string;
}

export type Block =
  | { readonly kind: "prose"; readonly markdown: string }
  | { readonly kind: "endpoint"; readonly method: string; readonly path: string }
  | { readonly kind: "endpoints"; readonly links: readonly EndpointLink[] }
  | { readonly kind: "facts"; readonly rows: readonly (readonly [name: string, says: string])[] }
  | {
      readonly kind: "fields";
      readonly title: string;
      readonly groups: readonly FieldGroup[];
      readonly isFolded?: true;
    }
  | {
      readonly kind: "code";
      readonly title: string;
      readonly language: string;
      readonly text: string;
    }
  | { readonly kind: "samples"; readonly samples: readonly Sample[] }
  | {
      readonly kind: "table";
      readonly title: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly isFolded: boolean;
    }
  | { readonly kind: "cards"; readonly links: readonly NavLink[] };

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly main: readonly Block[];
  /** Samples and examples, shown beside the text on a wide screen. */
  readonly aside: readonly Block[];
}

export interface Page {
  /** The path without a suffix, such as `/docs/reference/quotes`. */
  readonly path: string;
  readonly title: string;
  /** A longer title for search engines and the site's search. */
  readonly fullTitle?: string;
  readonly description: string;
  readonly intro: readonly Block[];
  readonly sections: readonly Section[];
}
