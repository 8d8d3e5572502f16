/** Whom a mail goes to, for how long it is tried, and how its job ends. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, worldFor } from "../../../../test/kit/decide-alone.ts";
import { decided, written } from "../../../../test/kit/decided.ts";
import { idOf, link, WORKSPACE, workspaceRows } from "../../../../test/kit/person-rows.ts";
import { personLinks } from "../person-link.ts";
import { endPersonMail, mailPeople } from "./person-notice.ts";

const [ANA, OTTO, LINK, JOB] = [idOf("1"), idOf("2"), idOf("10"), idOf("50")];

describe("a mail", () => {
  const scheduled = (recipients: readonly string[], linkId?: string) => {
    const world = worldFor({
      command: endPersonMail,
      input: { jobId: JOB },
      platformId: WORKSPACE,
      tables: [],
    });
    const about = { about: "INVITATION", personId: ANA } as const;
    mailPeople(world, recipients, linkId === undefined ? about : { ...about, linkId });
    return world.jobs;
  };

  it.each([
    [[], []],
    [[ANA], [ANA]],
    [
      [ANA, OTTO],
      [ANA, OTTO],
    ],
    [
      [OTTO, ANA, OTTO],
      [OTTO, ANA],
    ],
  ])("to %j goes to each once", (recipients, expected) => {
    expect(scheduled(recipients).map(({ payload }) => payload.recipientId)).toEqual(expected);
  });

  it("is due at once and tried for a day", () => {
    expect(scheduled([OTTO])).toMatchObject([
      {
        kind: "mail-person",
        dueAt: DECIDED_AT,
        payload: { personId: ANA, about: "INVITATION", until: DECIDED_AT + 86_400_000 },
      },
    ]);
  });

  it("names the link that it brings, and none otherwise", () => {
    expect(scheduled([OTTO], LINK)[0]?.payload).toMatchObject({ linkId: LINK });
    expect(scheduled([OTTO])[0]?.payload).not.toHaveProperty("linkId");
  });
});

describe("the end of a mail", () => {
  const end = (links: Parameters<typeof workspaceRows>[0]["links"], linkId?: string) =>
    decided({
      command: endPersonMail,
      input: { jobId: JOB, linkId },
      platformId: WORKSPACE,
      tables: workspaceRows({ links: links ?? [] }),
    });

  it.each<[string, Parameters<typeof end>[0], string | undefined, number]>([
    ["without a link", [], undefined, 0],
    ["with a link that is gone", [], LINK, 0],
    ["with a link that was forgotten", [link("INVITE", ANA)], LINK, 0],
    ["with its link", [link("INVITE", ANA, { urlSealed: "sealed" })], LINK, 1],
    [
      "with a link that was used meanwhile",
      [link("INVITE", ANA, { urlSealed: "sealed", endedAt: 7 })],
      LINK,
      1,
    ],
  ])("%s ends the job, and forgets the link where there is one", (_what, links, linkId, count) => {
    const { world, refusal } = end(links, linkId);
    expect(refusal).toBeUndefined();
    expect(world.cancelledJobs).toEqual([JOB]);
    const forgotten = written(world, personLinks);
    expect(forgotten).toHaveLength(count);
    for (const one of forgotten) expect(one.urlSealed).toBeNull();
  });

  it("leaves the link open: its person may have it", () => {
    const open = end([link("INVITE", ANA, { urlSealed: "sealed" })], LINK);
    expect(written(open.world, personLinks)).toMatchObject([{ endedAt: null }]);
  });
});
