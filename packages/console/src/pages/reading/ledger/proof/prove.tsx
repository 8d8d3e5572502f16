/** Proves commands in this browser: it recomputes every hash up to a signed checkpoint. The code is fetched when the dialog opens. */
import { lazy, Suspense, useState } from "react";
import { useMay } from "../../../../api/platform.ts";
import { later, t } from "../../../../text/messages.ts";
import { Button } from "../../../../ui/button.tsx";

const Dialog = lazy(() =>
  later(() => import("./proof-dialog.tsx")).then((loaded) => ({ default: loaded.ProofDialog })),
);

export function Prove({ seqs }: { readonly seqs: readonly number[] }) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay("ledger.read");
  if (!may || seqs.length === 0) return undefined;
  return (
    <>
      <Button opensDialog onPress={() => setOpen(true)}>
        {t("proof.prove")}
      </Button>
      {isOpen && (
        <Suspense>
          <Dialog seqs={seqs} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
