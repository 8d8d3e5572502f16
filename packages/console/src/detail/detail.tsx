/** The detail view of every object: title, state, id and acts, then tabs. The last tabs are the JSON and the API call. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft, X } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { shortId } from "../std/ids.ts";
import { t } from "../text/messages.ts";
import { curlCall, pythonCall, typescriptCall } from "../ui/api-call.ts";
import { classes } from "../ui/classes.ts";
import { CodeBlock, jsonText } from "../ui/code-block.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { usePageTitle } from "../ui/page-head.tsx";
import { PlaceLink } from "../ui/place-link.tsx";
import { Problem, Skeleton } from "../ui/states.tsx";
import { type TabSpec, Tabs } from "../ui/tabs.tsx";
import { useWidth } from "../ui/use-width.ts";

/** The list that closing the detail returns to. */
export const BackContext = createContext<string>("");

/** The parts of a query's state that `DetailOf` uses. */
export interface Reading<Value> {
  readonly data: Value | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/** Shows a skeleton while the object loads, and an error in its place when that fails. */
export function DetailOf<Value>({
  reading,
  children,
}: {
  readonly reading: Reading<Value>;
  readonly children: (value: Value) => ReactNode;
}) {
  if (reading.data !== undefined) return children(reading.data);
  return (
    <div>
      <DetailBar />
      {reading.error === null ? (
        <Skeleton rows={8} />
      ) : (
        <Problem isPage error={reading.error} onRetry={() => reading.refetch()} />
      )}
    </div>
  );
}

export interface DetailProps {
  readonly kind: string;
  readonly lead: ReactNode;
  /** Shows the title in the larger size for amounts. */
  readonly isAmount?: boolean;
  readonly under?: ReactNode;
  readonly state?: ReactNode;
  readonly id: string;
  readonly acts?: ReactNode;
  readonly json: unknown;
  /** The path of the public API call that reads the object, without the version; absent for console-only operations. */
  readonly path?: string;
  readonly tabs: readonly TabSpec[];
}

export function Detail(props: DetailProps) {
  const { kind, lead, isAmount, under, state, id, acts, json, path, tabs } = props;
  usePageTitle(`${kind} ${shortId(id)}`);
  const search: Readonly<Record<string, string>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const all: readonly TabSpec[] = [
    ...tabs,
    { id: "json", title: t("detail.json"), content: <JsonTab json={json} /> },
    ...(path === undefined
      ? []
      : [{ id: "call", title: t("detail.call"), content: <CallTab path={path} /> }]),
  ];
  const selected = all.find((tab) => tab.id === search.view)?.id ?? all[0]?.id ?? "json";
  return (
    <article aria-label={`${kind} ${id}`}>
      <DetailBar />
      <header className="flex flex-col gap-2 pb-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1
            className={classes(
              "min-w-0 font-semibold break-words",
              isAmount === true ? "text-amount" : "text-title",
            )}
          >
            {lead}
          </h1>
          {state}
        </div>
        {under !== undefined && <div className="text-form text-soft">{under}</div>}
        <div className="flex min-w-0 items-center gap-1 font-mono text-code text-soft">
          <span className="truncate">{id}</span>
          <CopyButton text={id} what={kind} />
        </div>
        {acts !== undefined && <div className="flex flex-wrap gap-2 pt-1">{acts}</div>}
      </header>
      <Tabs
        label={kind}
        tabs={all}
        selected={selected}
        onSelect={(view) =>
          navigate({ to: ".", search: { ...search, view } as never, replace: true })
        }
      />
    </article>
  );
}

/** The way back to the list. */
export function DetailBar() {
  const back = useContext(BackContext);
  const width = useWidth();
  const search: Readonly<Record<string, string>> = useSearch({ strict: false });
  const { view: _, ...kept } = search;
  if (back === "") return null;
  const isPanel = width === "wide";
  return (
    <div className={isPanel ? "float-end" : "pb-2"}>
      <PlaceLink
        place={back}
        search={kept}
        label={t(isPanel ? "detail.close" : "detail.back")}
        className="inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-control text-body text-soft hover:bg-panel hover:text-ink pointer-coarse:h-11"
      >
        {isPanel ? (
          <X size={16} aria-hidden />
        ) : (
          <>
            <ArrowLeft size={16} aria-hidden />
            {t("detail.back")}
          </>
        )}
      </PlaceLink>
    </div>
  );
}

function JsonTab({ json }: { readonly json: unknown }) {
  return <CodeBlock code={jsonText(json)} what={t("detail.json")} />;
}

function CallTab({ path }: { readonly path: string }) {
  return (
    <div className="flex flex-col gap-4">
      {(
        [
          ["curl", curlCall("GET", path)],
          ["TypeScript", typescriptCall(path)],
          ["Python", pythonCall(path)],
        ] as const
      ).map(([name, code]) => (
        <div key={name} className="flex flex-col gap-1">
          <h2 className="text-caption font-semibold text-soft">{name}</h2>
          <CodeBlock code={code} what={name} />
        </div>
      ))}
    </div>
  );
}
