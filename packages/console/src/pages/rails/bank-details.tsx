/** What a person types at the bank for an order. The whole account number is read on demand and hidden again after a while. */
import { useEffect, useState } from "react";
import type { BankDetail } from "../../api/desk-operations.ts";
import { useMay, usePlatform } from "../../api/platform.ts";
import { Facts, Section } from "../../detail/facts.tsx";
import { fieldWord } from "../../text/field-word.ts";
import { t } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { OutsideText } from "../../ui/values.tsx";

const SHOWN_SECONDS = 30;

export function BankDetails({ id }: { readonly id: string }) {
  const may = useMay("reconciliation.write", "pii.read");
  const { details, left, error, isBusy, isCopied, reveal, copy, hide } = useReveal(id);
  if (!may) return null;
  return (
    <Section
      title={t("desk.bank")}
      act={
        <span className="flex gap-2">
          <Button isSmall isDisabled={isBusy} onPress={details === undefined ? reveal : hide}>
            {t(details === undefined ? "desk.reveal" : "desk.hide")}
          </Button>
          <Button isSmall isDisabled={isBusy} onPress={copy}>
            {t(isCopied ? "desk.copied" : "desk.copyBank")}
          </Button>
        </span>
      }
    >
      {details !== undefined && (
        <Facts
          facts={details.map(({ field, value }) => [
            fieldWord(field),
            <OutsideText key={field} text={value} />,
          ])}
        />
      )}
      <p className="pt-1 text-caption text-soft" role="status">
        {details === undefined
          ? t("desk.revealNote")
          : t("desk.revealed", { seconds: String(left) })}
      </p>
      {error !== undefined && <Problem error={error} />}
    </Section>
  );
}

function useReveal(id: string) {
  const { send } = usePlatform();
  const [details, setDetails] = useState<readonly BankDetail[]>();
  const [left, setLeft] = useState(0);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const isShown = details !== undefined;
  const hide = () => {
    setDetails(undefined);
    setCopied(false);
  };
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000);
    return () => clearInterval(timer);
  }, [isShown]);
  useEffect(() => {
    if (isShown && left <= 0) {
      setDetails(undefined);
      setCopied(false);
    }
  }, [isShown, left]);

  async function read(): Promise<readonly BankDetail[] | undefined> {
    setBusy(true);
    setError(undefined);
    try {
      const path = ["rails", "desk", "orders", id, "bank-details"] as const;
      const answer = await send<"revealDeskOrder">({ method: "GET", path });
      setLeft(SHOWN_SECONDS);
      setDetails(answer.lines);
      return answer.lines;
    } catch (caught) {
      setError(caught);
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  async function copy(): Promise<void> {
    const found = details ?? (await read());
    if (found === undefined) return;
    const text = found.map(({ field, value }) => `${fieldWord(field)}: ${value}`).join("\n");
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }
  return {
    ...{ details, left, error, isBusy, isCopied, hide },
    reveal: () => void read(),
    copy: () => void copy(),
  };
}
