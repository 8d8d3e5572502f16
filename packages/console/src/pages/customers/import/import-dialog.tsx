/**
 * Imports customers from a file: choose it, see which of its first rows would be refused, send it, follow the progress, and save the
 * refused rows. The idempotency key is created when the file is chosen, so a second press or a retry after a lost answer starts one
 * import.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { DropZone, FileTrigger, isFileDropItem, Text } from "react-aria-components";
import { usePlatform } from "../../../api/platform.ts";
import { newKey } from "../../../std/host.ts";
import { t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Problem } from "../../../ui/states.tsx";
import { OutsideText } from "../../../ui/values.tsx";
import { type CheckedFile, checkFile, MOST_MB } from "./check-file.ts";
import { Findings } from "./findings.tsx";
import { ImportProgress } from "./import-progress.tsx";

interface Chosen {
  readonly file: File;
  readonly key: string;
  readonly checked: CheckedFile;
}

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { file, take } = useChosenFile();
  const sending = useSending();
  const chosen = file.data;
  const jobId = sending.data?.jobId;
  return (
    <Dialog title={t("import.title")} isOpen onClose={onClose} isDismissable={!sending.isPending}>
      {jobId !== undefined && chosen !== undefined ? (
        <ImportProgress jobId={jobId} file={chosen.file} onClose={onClose} />
      ) : (
        <>
          <p className="text-form text-soft">{t("import.intro", { count: MOST_MB })}</p>
          <Choice chosen={chosen} onChoose={take} />
          {file.isPending && <p role="status">{t("import.reading")}</p>}
          {file.error !== null && <Problem error={file.error} />}
          {chosen !== undefined && <Findings checked={chosen.checked} />}
          {sending.error !== null && <Problem error={sending.error} />}
          <div className="flex justify-end gap-2">
            <Button onPress={onClose} isDisabled={sending.isPending}>
              {t("dialog.cancel")}
            </Button>
            <Button
              weight="primary"
              isDisabled={
                chosen === undefined || chosen.checked.fatal.length > 0 || sending.isPending
              }
              onPress={() => chosen !== undefined && sending.mutate(chosen)}
            >
              {sending.isPending ? t("import.sending") : t("import.send")}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** A file that is chosen while another one is checked replaces it, because a mutation shows only its last call. */
function useChosenFile() {
  const file = useMutation({
    mutationFn: async (chosen: File): Promise<Chosen> => ({
      file: chosen,
      key: newKey(),
      checked: await checkFile(chosen),
    }),
  });
  return { file, take: file.mutate };
}

/** Long enough for a file of 100 MB over a slow connection. */
const TIMEOUT_MS = 600_000;

function useSending() {
  const { id, send } = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn({ file, key }: Chosen) {
      const body = new FormData();
      body.set("file", file, file.name);
      return send<"uploadCustomersCsv">(
        { method: "POST", path: ["customers", "bulk", "csv"], body },
        { idempotencyKey: key, timeoutMs: TIMEOUT_MS },
      );
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [id, "jobs"] }),
  });
}

function Choice({
  chosen,
  onChoose,
}: {
  readonly chosen: Chosen | undefined;
  readonly onChoose: (file: File) => void;
}) {
  return (
    <DropZone
      onDrop={async ({ items }) => {
        const dropped = items.find(isFileDropItem);
        if (dropped !== undefined) onChoose(await dropped.getFile());
      }}
      className="flex flex-wrap items-center gap-3 rounded-panel border border-strong border-dashed p-4 text-form text-soft data-[drop-target]:border-accent data-[drop-target]:bg-panel"
    >
      {chosen !== undefined && (
        <span className="min-w-0 basis-full truncate font-medium text-ink">
          <OutsideText text={chosen.file.name} isLine />
        </span>
      )}
      <FileTrigger
        acceptedFileTypes={[".csv", "text/csv"]}
        onSelect={(files) => {
          const file = files?.item(0);
          if (file != null) onChoose(file);
        }}
      >
        <Button>{t(chosen === undefined ? "import.choose" : "import.other")}</Button>
      </FileTrigger>
      <Text slot="label">{t("import.drop")}</Text>
    </DropZone>
  );
}
