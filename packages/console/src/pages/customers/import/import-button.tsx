/** The button that imports customers. The code of its dialog is fetched when it opens. */
import { lazy, Suspense, useState } from "react";
import { later, t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";

const Dialog = lazy(() =>
  later(() => import("./import-dialog.tsx")).then((loaded) => ({ default: loaded.ImportDialog })),
);

export function ImportButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button opensDialog onPress={() => setOpen(true)}>
        {t("import.open")}
      </Button>
      {isOpen && (
        <Suspense>
          <Dialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
