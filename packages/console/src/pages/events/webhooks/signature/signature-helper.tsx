/** Finds out why a receiver refuses a signature. The check runs in the browser, and nothing is sent. */
import type { WebhookEndpoint } from "@florin/client";
import { type FormEvent, useState } from "react";
import { toFailure } from "../../../../api/failures.ts";
import { usePlatform } from "../../../../api/platform.ts";
import type { PlatformSend } from "../../../../api/platform-send.ts";
import { Section } from "../../../../detail/facts.tsx";
import { t } from "../../../../text/messages.ts";
import { Button } from "../../../../ui/button.tsx";
import { CodeBlock } from "../../../../ui/code-block.tsx";
import { TextInput } from "../../../../ui/fields.tsx";
import { Pill } from "../../../../ui/pill.tsx";
import { type Delivered, eventIdIn, judge, type Verdict } from "./signature-check.ts";
import samples from "./signature-samples.json";

export function SignatureHelper({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  return (
    <div className="max-w-2xl">
      <CheckForm endpoint={endpoint} />
      {samples.map(({ language, code }) => (
        <Section key={language} title={language}>
          <CodeBlock code={code} what={language} />
        </Section>
      ))}
    </div>
  );
}

type Outcome = { readonly verdict: Verdict } | { readonly problem: string } | undefined;

function CheckForm({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { send } = usePlatform();
  const [header, setHeader] = useState("");
  const [body, setBody] = useState("");
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<Outcome>) => {
    setBusy(true);
    setOutcome(await work().catch((error: unknown) => ({ problem: toFailure(error).message })));
    setBusy(false);
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => ({ verdict: await judgeOn(endpoint, { header, body }, send) }));
  };
  const fill = () =>
    run(async () => {
      const latest = await latestDelivery(endpoint.id, send);
      if (latest === undefined) return { problem: t("signature.none") };
      setHeader(latest.header);
      setBody(latest.body);
      return undefined;
    });
  return (
    <form onSubmit={check} className="flex flex-col gap-4 pt-4" noValidate>
      <p className="text-form text-soft">{t("signature.intro")}</p>
      <TextInput
        label={t("signature.header")}
        value={header}
        onChange={setHeader}
        isLong
        autoComplete="off"
      />
      <TextInput
        label={t("signature.body")}
        hint={t("signature.bodyHint")}
        value={body}
        onChange={setBody}
        isLong
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" weight="primary" isDisabled={isBusy}>
          {t("signature.check")}
        </Button>
        <Button isDisabled={isBusy} onPress={() => void fill()}>
          {t("signature.fill")}
        </Button>
      </div>
      <div role="status" className="flex min-h-6 flex-wrap items-center gap-2 text-form">
        {outcome !== undefined && "verdict" in outcome && <Answer verdict={outcome.verdict} />}
        {outcome !== undefined && "problem" in outcome && outcome.problem}
      </div>
    </form>
  );
}

function Answer({ verdict }: { readonly verdict: Verdict }) {
  const isGood = verdict === "valid" || verdict === "validByNext";
  return (
    <>
      <Pill
        word={t(isGood ? "signature.valid" : "signature.invalid")}
        tone={isGood ? "good" : "bad"}
      />
      <span>{t(`signature.is.${verdict}`)}</span>
    </>
  );
}

async function judgeOn(
  { publicKey = "", next }: WebhookEndpoint,
  delivered: Delivered,
  send: PlatformSend,
): Promise<Verdict> {
  const id = eventIdIn(delivered.body);
  return judge(delivered, {
    key: publicKey,
    nextKey: next?.publicKey,
    original: id === undefined ? undefined : await textOf(id, send),
  });
}

/** Returns undefined when there is no such event, because the pasted body may contain any id. */
async function textOf(id: string, send: PlatformSend): Promise<string | undefined> {
  try {
    return (await send<"getEvent">({ method: "GET", path: ["events", id] })).body;
  } catch {
    return undefined;
  }
}

async function latestDelivery(
  endpointId: string,
  send: PlatformSend,
): Promise<Delivered | undefined> {
  const query = { endpointId, limit: 1 };
  const { data } = await send<"listWebhookDeliveries">({
    method: "GET",
    path: ["webhook-deliveries"],
    query,
  });
  const [latest] = data;
  if (latest === undefined) return undefined;
  const attempts = await send<"listDeliveryAttempts">({
    method: "GET",
    path: ["webhook-deliveries", latest.id, "attempts"],
    query: { limit: 1 },
  });
  const headers = Object.entries(attempts.data[0]?.requestHeaders ?? {});
  const [, header] = headers.find(([name]) => name.toLowerCase() === "x-service-signature") ?? [];
  const body = await textOf(latest.eventId, send);
  return header === undefined || body === undefined ? undefined : { header, body };
}
