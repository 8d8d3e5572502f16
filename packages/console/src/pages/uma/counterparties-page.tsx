/** Other institutions, as the platform knows them. They are named by their domains, which are unique among them. */
import type { UmaCounterparty } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailBar, DetailOf } from "../../detail/detail.tsx";
import { type Fact, Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { t, wordOf } from "../../text/messages.ts";
import type { Tone } from "../../text/tones.ts";
import { stateChoices } from "../../ui/choices.ts";
import { Pill } from "../../ui/pill.tsx";
import { Missing, OutsideText, Time } from "../../ui/values.tsx";
import { setInstitution, setStatus } from "./counterparty-acts.ts";
import { exchangeList } from "./exchanges.tsx";
import { Overrides } from "./policy.tsx";
import { UmaTabs } from "./uma-tabs.tsx";

const STATUS_TONES: Readonly<Record<string, Tone>> = { ALLOWED: "good", BLOCKED: "bad" };

interface Shown {
  readonly counterparty: UmaCounterparty;
}

function Status({ counterparty: { status } }: Shown) {
  return <Pill word={wordOf("umaStatus", status)} tone={STATUS_TONES[status] ?? "plain"} />;
}

function KeyState({ counterparty: { keyState } }: Shown) {
  if (keyState === "OK") return <Missing />;
  return <Pill word={wordOf("umaKeyState", keyState)} tone="bad" />;
}

/** Its name is what it says of itself, so the domain is always beside it. */
function Institution({ counterparty: { name, domain } }: Shown) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="font-medium text-ink">
        <OutsideText text={name ?? domain} isLine />
      </span>
      {name !== undefined && (
        <span className="text-caption text-soft">
          <OutsideText text={domain} isLine />
        </span>
      )}
    </span>
  );
}

const number = (value: number | undefined) =>
  value === undefined ? <Missing /> : <span className="tabular-nums">{value}</span>;

const spec: ListSpec<"listUmaCounterparties"> = {
  name: "uma-counterparties",
  title: "uma.title",
  call: (query) =>
    ({ method: "GET", path: ["uma", "counterparties"], query }) as Call<"listUmaCounterparties">,
  rowId: ({ domain }) => domain,
  place: ({ domain }) => `uma-counterparties/${domain}`,
  columns: [
    {
      id: "institution",
      title: "uma.institution",
      cell: (row) => <Institution counterparty={row} />,
    },
    { id: "status", title: "column.status", cell: (row) => <Status counterparty={row} /> },
    { id: "key", title: "uma.key", cell: (row) => <KeyState counterparty={row} /> },
    {
      id: "paymentsIn",
      title: "uma.paymentsIn",
      isEnd: true,
      cell: ({ counts }) => number(counts?.paymentsIn),
    },
    {
      id: "lookupsIn",
      title: "uma.lookupsIn",
      isEnd: true,
      cell: ({ counts }) => number(counts?.lookupsIn),
    },
    {
      id: "lookupsOut",
      title: "uma.lookupsOut",
      isEnd: true,
      cell: ({ counts }) => number(counts?.lookupsOut),
    },
    {
      id: "seen",
      title: "uma.seen",
      isEnd: true,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? <Missing /> : <Time at={lastSeenAt} />),
    },
  ],
  filters: [
    {
      name: "status",
      label: "column.status",
      kind: "choice",
      choices: stateChoices(["ALLOWED", "BLOCKED", "DEFAULT"], "umaStatus"),
    },
    {
      name: "keyState",
      label: "uma.key",
      kind: "choice",
      choices: stateChoices(["CHANGED", "EXPIRED"], "umaKeyState"),
    },
    { name: "domain", label: "uma.domain", kind: "text", placeholder: "bank.example" },
  ],
  card: (row) => ({
    lead: (
      <span className="font-medium text-ink">
        <OutsideText text={row.name ?? row.domain} isLine />
      </span>
    ),
    under: row.name === undefined ? undefined : <OutsideText text={row.domain} isLine />,
    end: <Status counterparty={row} />,
    endUnder: row.keyState === "OK" ? undefined : <KeyState counterparty={row} />,
  }),
  empty: "uma.noCounterparty",
};

export function CounterpartiesPage() {
  const may = useMay("settings.write");
  return (
    <ListPage
      spec={spec}
      place="uma-counterparties"
      above={<UmaTabs />}
      acts={
        may ? (
          <ActButton spec={setInstitution} act="new" weight="primary">
            {t("uma.set")}
          </ActButton>
        ) : undefined
      }
    />
  );
}

export function CounterpartyDetail() {
  const { id: domain = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"listUmaCounterparties">({
    method: "GET",
    path: ["uma", "counterparties"],
    query: { domain, limit: 1 },
  });
  return (
    <DetailOf reading={reading}>
      {({ data: [found] }) =>
        found === undefined ? <NotSeen domain={domain} /> : <Found counterparty={found} />
      }
    </DetailOf>
  );
}

function NotSeen({ domain }: { readonly domain: string }) {
  return (
    <>
      <DetailBar />
      <h1 className="text-title font-semibold">
        <OutsideText text={domain} />
      </h1>
      <p className="py-4 text-form text-soft">{t("uma.notSeen")}</p>
    </>
  );
}

function Found({ counterparty }: Shown) {
  const { id, name, domain } = counterparty;
  return (
    <Detail
      kind={t("uma.institution")}
      lead={<OutsideText text={name ?? domain} />}
      under={name === undefined ? undefined : <OutsideText text={domain} />}
      state={<Status counterparty={counterparty} />}
      id={id}
      acts={<Acts counterparty={counterparty} />}
      json={counterparty}
      path={`/uma/counterparties?domain=${encodeURIComponent(domain)}`}
      tabs={[
        {
          id: "overview",
          title: t("detail.overview"),
          content: <Overview counterparty={counterparty} />,
        },
        {
          id: "exchanges",
          title: t("uma.exchanges"),
          content: <ResourceList spec={exchangeList(domain)} isEmbedded isBeside />,
        },
      ]}
    />
  );
}

function Overview({ counterparty }: Shown) {
  const { keyState, signingKey, versions, firstSeenAt, lastSeenAt, counts, overrides } =
    counterparty;
  return (
    <>
      <Facts
        facts={[
          firstSeenAt === undefined && [t("uma.seen"), t("uma.never")],
          firstSeenAt !== undefined && [
            t("uma.firstSeen"),
            <Time key="first" at={firstSeenAt} isExact />,
          ],
          lastSeenAt !== undefined && [t("uma.seen"), <Time key="last" at={lastSeenAt} />],
          versions.length > 0 && [
            t("uma.version"),
            <OutsideText key="versions" text={versions.join(", ")} />,
          ],
          ...(counts === undefined ? [] : countFacts(counts)),
        ]}
      />
      {signingKey !== undefined && (
        <Section title={t("uma.signingKey")}>
          <Facts
            facts={[
              keyState !== "OK" && [
                t("column.status"),
                <KeyState key="state" counterparty={counterparty} />,
              ],
              [
                t(keyState === "CHANGED" ? "uma.newKey" : "uma.key"),
                <Fingerprint key="key" text={signingKey.fingerprint} />,
              ],
              signingKey.previous !== undefined && [
                t(keyState === "CHANGED" ? "uma.acceptedKey" : "uma.previousKey"),
                <Fingerprint key="previous" text={signingKey.previous} />,
              ],
              [t("uma.keySince"), <Time key="since" at={signingKey.since} isExact />],
            ]}
          />
        </Section>
      )}
      {Object.keys(overrides).length > 0 && (
        <Section title={t("uma.overrides")}>
          <Overrides of={overrides} />
        </Section>
      )}
    </>
  );
}

function countFacts(counts: NonNullable<UmaCounterparty["counts"]>): readonly Fact[] {
  return (["paymentsIn", "lookupsIn", "lookupsOut"] as const).map((name) => [
    t(`uma.${name}`),
    number(counts[name]),
  ]);
}

function Fingerprint({ text }: { readonly text: string }) {
  return <span className="font-mono text-code [overflow-wrap:anywhere]">{text}</span>;
}

function Acts({ counterparty }: Shown) {
  const { status, keyState, signingKey } = counterparty;
  if (!useMay("settings.write")) return undefined;
  return (
    <>
      {keyState === "CHANGED" && signingKey !== undefined && (
        <ActButton spec={acceptKey(counterparty, signingKey)} weight="primary">
          {t("uma.accept")}
        </ActButton>
      )}
      {status !== "ALLOWED" && (
        <ActButton spec={setStatus(counterparty, "ALLOWED")}>
          {wordOf("umaSetVerb", "ALLOWED")}
        </ActButton>
      )}
      {status !== "DEFAULT" && (
        <ActButton spec={setStatus(counterparty, "DEFAULT")}>
          {wordOf("umaSetVerb", "DEFAULT")}
        </ActButton>
      )}
      {status !== "BLOCKED" && (
        <ActButton spec={setStatus(counterparty, "BLOCKED")} weight="danger">
          {wordOf("umaSetVerb", "BLOCKED")}
        </ActButton>
      )}
    </>
  );
}

type SigningKey = NonNullable<UmaCounterparty["signingKey"]>;

/** The key that was looked at is sent along: another one that came meanwhile is not accepted. */
function acceptKey(
  { domain }: UmaCounterparty,
  { fingerprint, previous }: SigningKey,
): ActSpec<"acceptUmaCounterpartyKey"> {
  return {
    title: t("uma.acceptTitle", { domain }),
    verb: t("uma.accept"),
    intro: (
      <>
        <p className="pb-2">{t("uma.acceptIntro")}</p>
        <Facts
          facts={[
            [t("uma.newKey"), <Fingerprint key="new" text={fingerprint} />],
            previous !== undefined && [
              t("uma.acceptedKey"),
              <Fingerprint key="old" text={previous} />,
            ],
          ]}
        />
      </>
    ),
    isDanger: true,
    fields: [],
    toCall: () => ({
      method: "POST",
      path: ["uma", "counterparties", domain, "accept-key"],
      body: { fingerprint },
    }),
  };
}
