import type { WebhookDelivery } from "@florin/client";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { useMay } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";

/** Sends the same bytes again. Used in the list and in the delivery's detail. */
export function ResendButton({
  delivery,
  weight = "quiet",
}: {
  readonly delivery: WebhookDelivery;
  readonly weight?: "primary" | "quiet";
}) {
  const may = useMay("deliveries.resend", "pii.read");
  if (!may || !delivery.canResend) return undefined;
  const retry: ActSpec<"retryWebhookDelivery"> = {
    title: t("deliveries.resend"),
    verb: t("deliveries.resend"),
    intro: t("deliveries.resendIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["webhook-deliveries", delivery.id, "retry"] }),
  };
  return (
    <ActButton spec={retry} weight={weight}>
      {t("deliveries.resend")}
    </ActButton>
  );
}
