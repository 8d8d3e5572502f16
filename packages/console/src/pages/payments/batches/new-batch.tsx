/** The button that sends a batch of payments. The code of its dialog is fetched when it opens. */
import { lazy, Suspense, useState } from "react";
import { later, t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";

const Dialog = lazy(() =>
  later(() => import("./batch-dialog.tsx")).then((loaded) => ({ default: loaded.BatchDialog })),
);

export function NewBatch() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button weight="primary" opensDialog onPress={() => setOpen(true)}>
        {t("batches.open")}
      </Button>
      {isOpen && (
        <Suspense>
          <Dialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
