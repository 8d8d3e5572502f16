import { useNavigate } from "@tanstack/react-router";
import { usePlatform } from "../../api/platform.ts";

/** The case that has waited longest and that no person has, or the queue. */
export function useNextCase(): () => Promise<void> {
  const navigate = useNavigate();
  const { send, slug } = usePlatform();
  return async () => {
    const { data } = await send<"listVerificationCases">({
      method: "GET",
      path: ["verifications", "queue"],
      query: { assigned: "NONE", limit: 1 },
    });
    const [next] = data;
    await navigate({ to: `/p/${slug}/verifications${next === undefined ? "" : `/${next.id}`}` });
  };
}
