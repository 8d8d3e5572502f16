import { usePlatform } from "../api/platform.ts";
import { OWN_BASE } from "../api/platform-send.ts";
import { buttonLook } from "./button.tsx";

/** A link that downloads a file of the API. */
export function FileLink({
  path,
  query = {},
  text,
  isMain = false,
}: {
  /** The file's path, below the platform. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isMain?: boolean;
}) {
  const { id } = usePlatform();
  const asked = new URLSearchParams(query).toString();
  return (
    <a
      href={`${OWN_BASE}/p/${id}${path}${asked === "" ? "" : `?${asked}`}`}
      download
      className={buttonLook(isMain ? "primary" : "plain")}
    >
      {text}
    </a>
  );
}
