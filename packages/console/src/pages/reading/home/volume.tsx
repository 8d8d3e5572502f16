/** Incoming and outgoing amounts of a period, as bars and as a table, with the previous period. */
import { PERIODS, type Period, type Volume } from "../../../api/overview.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { exactTime, shortDay, shortHour } from "../../../text/time.ts";
import { Amount } from "../../../ui/values.tsx";
import { HomeSection } from "./home-section.tsx";

export interface Choice {
  readonly period: Period;
  readonly currency: string | undefined;
}

interface VolumeProps {
  readonly volume: Volume;
  readonly choice: Choice;
  readonly onChoose: (choice: Partial<Choice>) => void;
}

export function VolumeSection({ volume, choice, onChoose }: VolumeProps) {
  const { currency } = volume;
  return (
    <HomeSection
      title={t("home.volume")}
      tools={<Choices volume={volume} choice={choice} onChoose={onChoose} />}
    >
      {currency === undefined ? (
        <p className="py-3 text-body text-soft">{t("home.noVolume")}</p>
      ) : (
        <>
          <Sums volume={volume} currency={currency} />
          <Bars volume={volume} currency={currency} isHourly={choice.period === "24h"} />
          <BarTable volume={volume} currency={currency} />
        </>
      )}
    </HomeSection>
  );
}

const selectLook = "h-8 rounded-control border border-strong bg-ground px-1 text-body text-ink";

function Choices({ volume: { currencies, currency }, choice, onChoose }: VolumeProps) {
  const codes =
    currency === undefined || currencies.includes(currency)
      ? currencies
      : [currency, ...currencies];
  return (
    <div className="flex items-center gap-2">
      {codes.length > 1 && (
        <select
          aria-label={t("column.currency")}
          className={selectLook}
          value={currency}
          onChange={(event) => onChoose({ currency: event.target.value })}
        >
          {codes.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      )}
      <select
        aria-label={t("home.period")}
        className={selectLook}
        value={choice.period}
        onChange={(event) => onChoose({ period: event.target.value as Period })}
      >
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {wordOf("period", period)}
          </option>
        ))}
      </select>
    </div>
  );
}

const flows = ["incoming", "outgoing"] as const;
type FlowName = (typeof flows)[number];
const COLOURS: Readonly<Record<FlowName, string>> = {
  incoming: "bg-good",
  outgoing: "bg-accent",
};

const totalOf = ({ bars }: Volume, flow: FlowName): bigint =>
  bars.reduce((sum, bar) => sum + BigInt(bar[flow].amount), 0n);

function Sums({ volume, currency }: { readonly volume: Volume; readonly currency: string }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 py-3">
      {flows.map((flow) => (
        <div key={flow} className="min-w-0">
          <dt className="flex items-center gap-2 text-caption text-soft">
            <span aria-hidden className={`size-2 rounded-[2px] ${COLOURS[flow]}`} />
            {t(flow === "incoming" ? "home.in" : "home.out")}
          </dt>
          <dd className="text-section">
            <Amount amount={{ amount: String(totalOf(volume, flow)), currency }} isStrong />
          </dd>
          <dd className="text-caption text-soft">
            {t("home.before")} <Amount amount={{ amount: volume.before[flow].amount, currency }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const WIDTH = 600;
const HALF = 60;
const GAP = 2;
const LEAST = 2;

/** Incoming bars above the line and outgoing bars below it, on one scale. The table contains the same figures. */
function Bars({
  volume: { bars },
  currency,
  isHourly,
}: {
  readonly volume: Volume;
  readonly currency: string;
  readonly isHourly: boolean;
}) {
  const most = bars
    .flatMap((bar) => flows.map((flow) => BigInt(bar[flow].amount)))
    .reduce((top, one) => (one > top ? one : top), 1n);
  // The heights are for display only. The smallest amount gets a visible height.
  const heightOf = (amount: string) =>
    amount === "0" ? 0 : Math.max(LEAST, (Number((BigInt(amount) * 1000n) / most) / 1000) * HALF);
  const step = WIDTH / bars.length;
  const width = Math.max(1, step - GAP);
  const word = isHourly ? shortHour : shortDay;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${2 * HALF + 1}`}
        preserveAspectRatio="none"
        className="h-32 w-full"
        role="img"
        aria-label={t("home.chart", { currency })}
      >
        {bars.map((bar, index) => {
          const [up, down] = [heightOf(bar.incoming.amount), heightOf(bar.outgoing.amount)];
          const x = index * step;
          return (
            <g key={bar.startsAt}>
              <rect x={x} y={HALF - up} width={width} height={up} className="fill-good" />
              <rect x={x} y={HALF + 1} width={width} height={down} className="fill-accent" />
            </g>
          );
        })}
        <rect x={0} y={HALF} width={WIDTH} height={1} className="fill-strong" />
      </svg>
      <figcaption className="flex justify-between text-caption text-soft tabular-nums">
        <span>{first === undefined ? "" : word(first.startsAt)}</span>
        <span>{last === undefined ? "" : word(last.startsAt)}</span>
      </figcaption>
    </figure>
  );
}

function BarTable({ volume, currency }: { readonly volume: Volume; readonly currency: string }) {
  const filled = volume.bars.filter((bar) => flows.some((flow) => bar[flow].payments > 0));
  return (
    <details className="pt-1">
      <summary className="min-h-6 cursor-pointer text-caption text-soft">{t("home.table")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section aria-label={t("home.table")} tabIndex={0} className="max-h-72 overflow-auto">
        <table className="w-full text-body">
          <thead>
            <tr className="text-caption text-soft">
              <th scope="col" className="py-1 text-start font-semibold">
                {t("home.from")}
              </th>
              <th scope="col" className="py-1 text-end font-semibold">
                {t("home.in")}
              </th>
              <th scope="col" className="py-1 text-end font-semibold">
                {t("home.out")}
              </th>
            </tr>
          </thead>
          <tbody>
            {filled.toReversed().map((bar) => (
              <tr key={bar.startsAt} className="border-line border-t">
                <th scope="row" className="py-1 text-start font-normal whitespace-nowrap">
                  <time dateTime={bar.startsAt} title={exactTime(bar.startsAt)}>
                    {shortDay(bar.startsAt)} {shortHour(bar.startsAt)}
                  </time>
                </th>
                {flows.map((flow) => (
                  <td key={flow} className="py-1 ps-3 text-end">
                    <Amount amount={{ amount: bar[flow].amount, currency }} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
