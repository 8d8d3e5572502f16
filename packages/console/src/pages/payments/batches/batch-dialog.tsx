/**
 * Sends a file of payments: choose it, see its faults by row and column, and follow the batch. The idempotency key is created when the file
 * is chosen, so a second press or a retry after a lost answer makes one batch.
 */
import { FlorinError } from "@florin/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { usePlatform, useRead } from "../../../api/platform.ts";
import { hostZone, newKey } from "../../../std/host.ts";
import { visibleText } from "../../../std/outside-text.ts";
import { type MessageKey, t } from "../../../text/messages.ts";
import { exactTime, platformNow } from "../../../text/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextInput } from "../../../ui/fields.tsx";
import { FileLink } from "../../../ui/file-link.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { Problem, Waiting } from "../../../ui/states.tsx";
import { OutsideText } from "../../../ui/values.tsx";
import { type Batch, isScheduled, isUnderWay } from "./batch.tsx";
import { Progress } from "./progress.tsx";

interface Chosen {
  readonly file: File;
  readonly key: string;
}

export function BatchDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>();
  const sending = useSending();
  const sent = sending.data?.id;
  const [time, setTime] = useState("");
  const scheduledFor = timeIn(time);
  const isPast = scheduledFor !== undefined && Date.parse(scheduledFor) <= platformNow();
  const choose = (file: File) => {
    sending.reset();
    setChosen({ file, key: newKey() });
  };
  const changeTime = (value: string) => {
    setTime(value);
    // Another time is another call, which needs a key of its own.
    if (chosen !== undefined) choose(chosen.file);
  };
  return (
    <Dialog title={t("batches.open")} isOpen onClose={onClose} isDismissable={!sending.isPending}>
      {sent !== undefined ? (
        <Sent id={sent} isPlanned={scheduledFor !== undefined} onClose={onClose} />
      ) : (
        <>
          <p className="text-form text-soft">{t("batches.intro")}</p>
          <div className="flex flex-wrap items-center gap-3">
            <FileTrigger
              acceptedFileTypes={[".csv", "text/csv"]}
              onSelect={(files) => {
                const file = files?.item(0);
                if (file != null) choose(file);
              }}
            >
              <Button>{t(chosen === undefined ? "import.choose" : "import.other")}</Button>
            </FileTrigger>
            <FileLink path="/payment-batches/template.csv" text={t("batches.template")} />
          </div>
          {chosen !== undefined && (
            <p className="truncate font-medium text-form">
              <OutsideText text={chosen.file.name} isLine />
            </p>
          )}
          <TextInput
            label={t("batches.runsAt")}
            type="datetime-local"
            hint={t("batches.runsAtHint", { zone: hostZone() })}
            error={isPast ? t("batches.past") : undefined}
            isRequired={false}
            value={time}
            onChange={changeTime}
          />
          {sending.error !== null && <Faults error={sending.error} />}
          <div className="flex justify-end gap-2">
            <Button onPress={onClose} isDisabled={sending.isPending}>
              {t("dialog.cancel")}
            </Button>
            <Button
              weight="primary"
              isDisabled={
                chosen === undefined || isPast || sending.isPending || sending.error !== null
              }
              onPress={() => chosen !== undefined && sending.mutate({ ...chosen, scheduledFor })}
            >
              {t(sending.isPending ? "import.sending" : sendWord(scheduledFor))}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** The control gives a time of the person's zone; undefined while it is empty. */
function timeIn(local: string): string | undefined {
  return local === "" ? undefined : new Date(local).toISOString();
}

function sendWord(scheduledFor: string | undefined): MessageKey {
  return scheduledFor === undefined ? "batches.send" : "batches.schedule";
}

const MOST_SHOWN = 20;

/** Each fault says its row and column. */
function Faults({ error }: { readonly error: unknown }) {
  const faults = faultsOf(error);
  if (faults.length === 0) return <Problem error={error} />;
  return (
    <div role="alert" className="tint-wait rounded-control p-3 text-form">
      <p className="font-medium">{t("batches.faults", { count: faults.length })}</p>
      <ul className="mt-1">
        {faults.slice(0, MOST_SHOWN).map((message) => (
          <li key={message}>
            <OutsideText text={message} />
          </li>
        ))}
        {faults.length > MOST_SHOWN && (
          <li>{t("import.moreFaults", { count: faults.length - MOST_SHOWN })}</li>
        )}
      </ul>
    </div>
  );
}

function useSending() {
  const { id, send } = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn({
      file,
      key,
      scheduledFor,
    }: Chosen & { readonly scheduledFor?: string | undefined }) {
      const body = new FormData();
      body.set("name", file.name.replace(/\.csv$/i, "").slice(0, 80));
      if (scheduledFor !== undefined) body.set("scheduledFor", scheduledFor);
      body.set("file", file, file.name);
      return send<"createPaymentBatchFromCsv">(
        { method: "POST", path: ["payment-batches", "csv"], body },
        { idempotencyKey: key },
      );
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [id] }),
  });
}

/** The batch that runs, or the order that waits for other people. */
function Sent({
  id,
  isPlanned,
  onClose,
}: {
  readonly id: string;
  readonly isPlanned: boolean;
  readonly onClose: () => void;
}) {
  const isApproval = id.startsWith("Approval:");
  const place = isApproval ? `approvals/${id}` : `batches/${id}`;
  return (
    <>
      {isApproval ? (
        <p className="text-form">{t(isPlanned ? "batches.waitsForTime" : "batches.waits")}</p>
      ) : (
        <Running id={id} />
      )}
      <div className="flex items-center justify-end gap-3">
        <PlaceLink place={place} className="text-accent text-form">
          {t(isApproval ? "batches.seeOrder" : "batches.see")}
        </PlaceLink>
        <Button weight="primary" onPress={onClose}>
          {t("dialog.done")}
        </Button>
      </div>
    </>
  );
}

function Running({ id }: { readonly id: string }) {
  const reading = useRead<"getPaymentBatch">(
    { method: "GET", path: ["payment-batches", id] },
    { isMoving: isUnderWay },
  );
  return (
    <Waiting reading={reading} rows={3}>
      {(batch) =>
        isScheduled(batch) ? <Planned batch={batch} /> : <Progress counts={batch.counts} />
      }
    </Waiting>
  );
}

function Planned({ batch: { counts, scheduledFor = "" } }: { readonly batch: Batch }) {
  return (
    <p className="text-form">
      {t("batches.planned", { count: counts.total, time: exactTime(scheduledFor) })}
    </p>
  );
}

/** The messages of all faults that a refusal lists, such as those of the rows of a file. */
function faultsOf(error: unknown): readonly string[] {
  const named = error instanceof FlorinError ? (error.details?.errors ?? []) : [];
  return named.map(({ message }) => visibleText(message));
}
