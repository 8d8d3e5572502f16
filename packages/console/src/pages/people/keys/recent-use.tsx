/** The calls of a key in the last 24 hours, from the request log. */
import type { RequestLog } from "@florin/client";
import { useState } from "react";
import { useMay, useRead } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { daysAgo } from "../../../text/time.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { Waiting } from "../../../ui/states.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";

const MOST_CALLS = 100;

export function RecentUse({ tokenId }: { readonly tokenId: string }) {
  const may = useMay("logs.read");
  const [since] = useState(() => daysAgo(1));
  const reading = useRead<"listRequestLogs">(
    { method: "GET", path: ["request-logs"], query: { tokenId, since, limit: MOST_CALLS } },
    { isOff: !may },
  );
  if (!may) return <p>{t("keys.useUnknown")}</p>;
  return (
    <Waiting reading={reading} rows={2}>
      {({ data, hasMore }) => <Use tokenId={tokenId} calls={data} hasMore={hasMore} />}
    </Waiting>
  );
}

function Use({
  tokenId,
  calls,
  hasMore,
}: {
  readonly tokenId: string;
  readonly calls: readonly RequestLog[];
  readonly hasMore: boolean;
}) {
  const [newest] = calls;
  if (newest === undefined) return <p className="font-medium text-ink">{t("keys.notUsed")}</p>;
  return (
    <div className="rounded-control border border-line p-3 text-body">
      <p className="font-medium text-ink">
        {t("keys.calls", { count: calls.length, more: hasMore ? "+" : "" })}{" "}
        <Time at={newest.createdAt} isOfServer />
      </p>
      <ul className="pt-1">
        {commonest(calls.map(({ method, path }) => `${method} ${path}`)).map(([call, count]) => (
          <li key={call} className="flex justify-between gap-3 font-mono text-code">
            <OutsideText text={call} isLine />
            <span className="tabular-nums">{count}</span>
          </li>
        ))}
      </ul>
      <p className="pt-1">
        {t("keys.from", {
          addresses: commonest(calls.map(({ address }) => address))
            .map(([address]) => address)
            .join(", "),
        })}
      </p>
      <PlaceLink place="requests" search={{ who: tokenId }} className="text-accent hover:underline">
        {t("keys.allCalls")}
      </PlaceLink>
    </div>
  );
}

const MOST_SHOWN = 3;

function commonest(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_SHOWN);
}
