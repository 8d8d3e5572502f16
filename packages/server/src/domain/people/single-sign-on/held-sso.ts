/** Changes of single sign-on that may wait for another owner: those that may let more people in. */
import type { Command } from "../../../engine/command.ts";
import { type HoldableOrder, refuseUnlessAsShown } from "../approvals/hold-order.ts";
import { toWorkspaceId } from "../workspaces/workspace.ts";
import { type ChangedSso, type ChangeSsoInput, changeSso, mailOwners } from "./change-sso.ts";
import { liveIssuers, type SsoIssuer } from "./sso-issuer.ts";
import { type SsoSettings, ssoSettings } from "./sso-settings.ts";

export const changeSsoOrder: HoldableOrder<ChangeSsoInput, ChangedSso> = {
  kind: "ISSUER",
  act: "updateSso",
  command: changeSso,
  factsOf: ({ opened }) => ({
    summary: `Single sign-on that lets more people in: ${opened.join(", ")}`,
    isHarmless: opened.length === 0,
  }),
  resultOf: ({ settings: { id } }) => toWorkspaceId(id),
  tellAsked: (world, { by }) => mailOwners(world, "ISSUER_ASKED", by),
};

/** The present settings, as the owner who decides about a change is shown them. */
export function shownSso(
  settings: Pick<SsoSettings, "names" | "isRequired"> | undefined,
  issuers: readonly SsoIssuer[],
) {
  return {
    names: settings?.names ?? [],
    isRequired: settings?.isRequired ?? false,
    issuers: issuers
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, name, issuer, clientId, autoJoin }) => ({
        id,
        name,
        issuer,
        clientId,
        autoJoin,
      })),
  };
}

export interface AgreedSsoInput extends ChangeSsoInput {
  /** The settings when the change was asked for; the change replaces all of them. */
  readonly shown: ReturnType<typeof shownSso>;
}

/** Refuses when the settings have changed since they were shown, and then whatever `changeSso` refuses. */
export const changeAgreedSso: Command<AgreedSsoInput, ChangedSso> = {
  name: changeSso.name,
  needs: (world, input) => changeSso.needs(world, input),
  decide(world, { shown, ...input }) {
    const now = shownSso(world.find(ssoSettings.ref(world.platformId)), world.all(liveIssuers));
    refuseUnlessAsShown("single sign-on", { shown, now });
    return changeSso.decide(world, input);
  },
};
