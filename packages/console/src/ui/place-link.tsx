/** Links to pages of the open platform, and to objects by their id. */
import { Link } from "@tanstack/react-router";
import { createContext, type ReactNode, Suspense, use } from "react";
import { useObjectName } from "../api/names.ts";
import { usePlatform } from "../api/platform.ts";
import { placeOf, readId, shortId } from "../std/ids.ts";
import { wordOf } from "../text/messages.ts";
import { amountLine } from "../text/money.ts";
import { CardContext, useCardTrigger, useHasCard } from "./card/hover-card.ts";
import { CopyButton } from "./copy-button.tsx";
import { OutsideWord } from "./values.tsx";

export interface PlaceLinkProps {
  /** `payments/Transaction:…` */
  readonly place: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly className?: string;
  readonly label?: string;
  readonly isExact?: boolean;
  readonly tabIndex?: number;
  readonly children: ReactNode;
}

export function PlaceLink({ place, search, label, isExact, children, ...rest }: PlaceLinkProps) {
  const { slug } = usePlatform();
  return (
    <Link
      to={`/p/${slug}/${place}`}
      search={search ?? {}}
      aria-label={label}
      activeOptions={{ exact: isExact === true, includeSearch: false }}
      {...rest}
    >
      {children}
    </Link>
  );
}

/** True where ids belong to another platform, so they cannot be links. */
export const ForeignIdsContext = createContext(false);

/** A link to an object, with a card for readers who may read the object. */
export function ObjectLink({
  id,
  place,
  className,
  children,
}: {
  readonly id: string;
  readonly place: string;
  readonly className: string;
  readonly children: ReactNode;
}) {
  const { slug } = usePlatform();
  const Card = use(CardContext);
  const { ref, state, triggerProps, tooltipId } = useCardTrigger(useHasCard(id));
  return (
    <>
      <Link ref={ref} to={`/p/${slug}/${place}`} className={className} {...triggerProps}>
        {children}
      </Link>
      {state.isOpen && Card !== undefined && (
        <Suspense>
          <Card id={id} state={state} tooltipId={tooltipId} triggerRef={ref} />
        </Suspense>
      )}
    </>
  );
}

/** Shows an id as a link if its object has a page. It can always be copied. */
export function IdLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  const place = usePlaceOf(id);
  return (
    <span className="group/id inline-flex min-w-0 max-w-full items-center gap-1">
      {place === undefined ? (
        <IdText id={id} />
      ) : (
        <ObjectLink id={id} place={place} className="truncate text-accent hover:underline">
          {children ?? <ObjectName id={id} />}
        </ObjectLink>
      )}
      <CopyButton text={id} what={kindOf(id)} isQuiet />
    </span>
  );
}

function usePlaceOf(id: string): string | undefined {
  const isForeign = use(ForeignIdsContext);
  return isForeign ? undefined : placeOf(id);
}

/** A name as a link to its object, where the object has a page here. */
export function NameLink({
  id,
  children,
}: {
  readonly id: string | undefined;
  readonly children: ReactNode;
}) {
  const place = usePlaceOf(id ?? "");
  if (id === undefined || place === undefined) return children;
  return (
    <ObjectLink id={id} place={place} className="min-w-0 truncate text-accent hover:underline">
      {children}
    </ObjectLink>
  );
}

export function IdText({ id }: { readonly id: string }) {
  return (
    <span className="block truncate text-soft">
      <ObjectName id={id} />
    </span>
  );
}

/** What an object is called, or its kind and the end of its id. */
export function ObjectName({ id }: { readonly id: string }) {
  const isForeign = use(ForeignIdsContext);
  const name = useObjectName(isForeign || readId(id) === undefined ? undefined : id);
  const { party, amount, label } = name ?? {};
  if (amount !== undefined) {
    const other = party === undefined ? "" : ` \u00b7 ${party.name}`;
    return <OutsideWord text={`${amountLine(amount)}${other}`} />;
  }
  if (party !== undefined) {
    const isAccount = party.kind.endsWith("_ACCOUNT") && party.detail !== "";
    return <OutsideWord text={isAccount ? `${party.name} \u00b7 ${party.detail}` : party.name} />;
  }
  if (label !== undefined) return <OutsideWord text={label} />;
  return (
    <>
      {kindOf(id)} {shortId(id)}
    </>
  );
}

function kindOf(id: string): string {
  return wordOf("kind", readId(id)?.kind ?? "id");
}
