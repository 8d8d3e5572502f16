/** Asks each person once for a second passkey, and reminds one whose only passkey is on a single device. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { addPasskey } from "../../api/passkeys.ts";
import { useAct, usePlatform } from "../../api/platform.ts";
import { type Session, sessionQuery } from "../../api/session.ts";
import { isThisHost, newKey } from "../../std/host.ts";
import { t } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { Fault } from "./entry/attempt.tsx";

/** Passkeys for other host names cannot sign in here, so they do not count. */
function needOf({ passkeys, passkeyPutOffAt }: Session["person"]): "ask" | "remind" | undefined {
  const [only, ...others] = passkeys.filter(({ host }) => isThisHost(host));
  if (only === undefined || others.length > 0) return undefined;
  if (!only.isSynced) return "remind";
  return passkeyPutOffAt === undefined ? "ask" : undefined;
}

export function AddPasskey({ isSmall = false }: { readonly isSmall?: boolean }) {
  const { id } = usePlatform();
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: () => addPasskey(),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [id, "me"] }),
        client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]),
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button isDisabled={add.isPending} isSmall={isSmall} onPress={() => add.mutate()}>
        {t("me.addPasskey")}
      </Button>
      {add.isError && <Fault error={add.error} />}
    </div>
  );
}

/** `hasButton` is false on a page that already has the button. */
export function SecondPasskey({ hasButton = true }: { readonly hasButton?: boolean }) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const client = useQueryClient();
  const putOff = useAct<"updateMe">();
  const need = session === undefined ? undefined : needOf(session.person);
  if (need === undefined) return null;
  const call = { method: "PATCH", path: ["me"], body: { isPuttingOffPasskey: true } } as const;
  const notNow = () =>
    putOff.mutate(
      { call, key: newKey() },
      { onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }) },
    );
  return (
    <section
      aria-label={t("team.passkeys")}
      className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-line px-4 py-2"
    >
      <KeyRound
        size={16}
        aria-hidden
        className={need === "ask" ? "shrink-0 text-soft" : "shrink-0 text-wait"}
      />
      <p className="min-w-0 flex-1 basis-64 text-form">
        {t(need === "ask" ? "me.onePasskey" : "me.onDevice")}
      </p>
      {need === "ask" && (
        <Button weight="quiet" isSmall isDisabled={putOff.isPending} onPress={notNow}>
          {t("me.notNow")}
        </Button>
      )}
      {hasButton && <AddPasskey isSmall />}
      {putOff.isError && <Problem error={putOff.error} />}
    </section>
  );
}
