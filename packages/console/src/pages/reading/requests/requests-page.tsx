import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { ListPage } from "../../../detail/list-page.tsx";
import { t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { ExportButton } from "../exports/export-button.tsx";
import { requestList } from "./request-list.tsx";

const tail = { ...requestList, isTail: true };

type Search = Readonly<Record<string, string | undefined>>;

/**
 * In live mode the newest page is polled every two seconds. The API's stream of calls is for programs: a browser has one stream for
 * all of its tabs, which contains no calls.
 */
export function RequestsPage() {
  const search: Search = useSearch({ strict: false });
  const isLive = search.live === "on" && search.cursor === undefined;
  return (
    <ListPage
      spec={isLive ? tail : requestList}
      place="requests"
      tools={
        <>
          <LiveSwitch isLive={isLive} />
          <ExportButton kind="REQUESTS" list={requestList} />
        </>
      }
      above={
        <div className="-mt-2 max-w-3xl pb-4 text-body text-soft">
          <p>{t("requests.kept")}</p>
          <p>{t("requests.thinned")}</p>
          {isLive && (
            <p role="status" className="pt-2 font-medium text-good">
              {t("requests.isLive")}
            </p>
          )}
        </div>
      }
    />
  );
}

function LiveSwitch({ isLive }: { readonly isLive: boolean }) {
  const { live: _live, cursor: _cursor, ...search }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const turn = () =>
    void navigate({
      to: ".",
      search: { ...search, ...(isLive ? {} : { live: "on" }) } as never,
      replace: true,
    });
  const Icon = isLive ? Pause : Play;
  return (
    <Button onPress={turn}>
      <Icon size={14} aria-hidden />
      {t(isLive ? "requests.pause" : "requests.live")}
    </Button>
  );
}
