import { useNavigate } from "@tanstack/react-router";
import { usePlatform } from "../../../api/platform.ts";
import { useCasePlace } from "./case-place.ts";

/** Opens the oldest case that no person has taken, or the queue when there is none. */
export function useNextCase(): () => Promise<void> {
  const navigate = useNavigate();
  const { send, slug } = usePlatform();
  const { queue, list, pageOf } = useCasePlace();
  return async () => {
    const { data } = await send<"listVerificationCases">({
      method: "GET",
      path: queue,
      query: { assigned: "NONE", limit: 1 },
    });
    const [next] = data;
    await navigate({ to: `/p/${slug}/${next === undefined ? list : pageOf(next)}` });
  };
}
