import { type Checked, checkProof, type Fault, type Proof } from "@florin/cli/proof";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { usePlatform } from "../../../../api/platform.ts";
import { t } from "../../../../text/messages.ts";
import { Button, buttonLook } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Pill } from "../../../../ui/pill.tsx";
import { Problem } from "../../../../ui/states.tsx";
import { OutsideText, Time } from "../../../../ui/values.tsx";
import { gatherProof, TooFar } from "./gather-proof.ts";

interface Outcome {
  readonly proof: Proof;
  readonly checked: Checked | Fault;
}

export function ProofDialog({
  seqs,
  onClose,
}: {
  readonly seqs: readonly number[];
  readonly onClose: () => void;
}) {
  const { id, send } = usePlatform();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "proof", ...seqs],
    // A proof stays valid, and reading one may create a checkpoint, so it is read once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    queryFn: async (): Promise<Outcome> => {
      const proof = await gatherProof({ send, platformId: id }, seqs);
      return { proof, checked: await checkProof(proof) };
    },
  });
  return (
    <Dialog title={t("proof.title")} isOpen onClose={onClose}>
      <p className="text-form text-soft">{t("proof.intro")}</p>
      {data === undefined && error === null && <p role="status">{t("proof.reading")}</p>}
      {error instanceof TooFar ? (
        <p role="alert">{t("proof.tooFar")}</p>
      ) : (
        error !== null && <Problem error={error} onRetry={() => refetch()} />
      )}
      {data !== undefined && <Shown {...data} />}
      <div className="flex flex-wrap justify-end gap-2">
        {data !== undefined && <ProofFile proof={data.proof} />}
        <Button weight="primary" onPress={onClose}>
          {t("dialog.done")}
        </Button>
      </div>
    </Dialog>
  );
}

function Shown({ proof: { checkpoint }, checked }: Outcome) {
  if ("part" in checked) return <Broken fault={checked} />;
  const { from, to, hasEffects } = checked;
  return (
    <div role="status" className="flex flex-col gap-2 text-form">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <Pill tone="good" word={t("proof.holds")} />
        {t("proof.unbroken", { from: String(from), to: String(to) })}
      </p>
      <p>
        {t("proof.signed")}{" "}
        <span className="font-mono text-code">
          <OutsideText text={checkpoint.keyId} isLine />
        </span>{" "}
        <Time at={checkpoint.at} isExact />
      </p>
      {!hasEffects && <p className="text-soft">{t("proof.chainAlone")}</p>}
      <p className="text-caption text-soft">{t("proof.offline")}</p>
    </div>
  );
}

function Broken({ fault: { part, seq, rows = [] } }: { readonly fault: Fault }) {
  return (
    <div role="alert" className="tint-bad flex flex-col gap-2 rounded-control p-3 text-form">
      <p className="font-medium">{t(`proof.fault.${part}`, { seq: String(seq) })}</p>
      {rows.length > 0 && (
        <ul className="font-mono text-code">
          {rows.map((row) => (
            <li key={row}>
              <OutsideText text={row} isLine />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ProofFile({ proof }: { readonly proof: Proof }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const file = new Blob([JSON.stringify(proof)], { type: "application/json" });
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [proof]);
  if (url === undefined) return undefined;
  const name = `proof-${proof.links[0]?.seq}-${proof.checkpoint.seq}.json`;
  return (
    <a href={url} download={name} className={buttonLook("plain")}>
      {t("proof.save")}
    </a>
  );
}
