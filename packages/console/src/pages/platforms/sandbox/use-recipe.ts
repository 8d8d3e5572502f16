/** Runs one recipe at a time and opens the object that it created. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { usePlatform } from "../../../api/platform.ts";
import type { PlatformSend } from "../../../api/platform-send.ts";

export function useRecipe() {
  const { id, slug, send } = usePlatform();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation<string, Error, (send: PlatformSend) => Promise<string>>({
    mutationFn: (recipe) => recipe(send),
    async onSuccess(place) {
      await client.invalidateQueries({ queryKey: [id] });
      await navigate({ to: `/p/${slug}/${place}` });
    },
  });
}
