/** What `expand=parties` adds to a timeline: names, the steps of people and banks, and failures of the same kind. */
import Type from "typebox";
import type { PartiesOfPage } from "../../domain/reading/parties/parties.sql.ts";
import { type PartyReference, referenceToActor } from "../../domain/reading/parties/party.ts";
import type { PaymentParties } from "../../domain/reading/parties/payment-parties.ts";
import type { TimelineFacts } from "../../domain/reading/timeline.sql.ts";
import type { TimelineStory } from "../../domain/reading/timeline-steps.sql.ts";
import { PAYMENTS_LOOKED_AT, timelineActs } from "../../domain/reading/timeline-steps.ts";
import { DateTimeSchema } from "../fields.ts";
import { partiesMember, wireParty } from "../reading/party.ts";

const WITH_PARTIES = "Only with `expand=parties`.";

const StepSchema = Type.Object(
  {
    at: DateTimeSchema,
    act: Type.Enum([...timelineActs], {
      description:
        "`ASKED`, `APPROVED`, `REJECTED`: an order that waited for people. `RAIL`: the order at a bank has this state from now on. " +
        "`RECALLED`: it was called back.",
    }),
    actor: Type.Optional(Type.String({ description: "As in the entries; named in `actors`." })),
    state: Type.Optional(
      Type.String({ description: "Of the order at the bank, or of its recall." }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          "Why it waited, or was recalled. Of `RAIL`: `REROUTED`, `FELL_BACK`, `RECALL_REFUSED`, where the state stayed.",
      }),
    ),
    code: Type.Optional(Type.String({ description: "The bank's." })),
    connection: Type.Optional(Type.String({ description: "The name of the rail connection." })),
    railPaymentId: Type.Optional(Type.String({ description: "`RailPayment:<uuid>`" })),
  },
  { $id: "TimelineStep" },
);

const ActorSchema = Type.Object(
  {
    actor: Type.String({ description: "As the entries and steps have it." }),
    party: wireParty.schema,
  },
  { $id: "TimelineActor" },
);

const CommandSchema = Type.Object(
  {
    commandSeq: Type.Integer({ minimum: 1 }),
    command: Type.String(),
    actor: Type.String(),
  },
  { $id: "TimelineCommand" },
);

const AlikeSchema = Type.Object(
  {
    code: Type.String({ description: "The failure code of this payment." }),
    count: Type.Integer({
      minimum: 0,
      description:
        "How many of the payments that were looked at failed with this code, this one included.",
    }),
    lookedAt: Type.Integer({
      minimum: 0,
      description: `The newest payments with the same account at the other end, at most ${PAYMENTS_LOOKED_AT}.`,
    }),
  },
  { $id: "AlikeFailures" },
);

export const storyMembers = {
  parties: partiesMember("from", "to", "by"),
  actors: Type.Optional(
    Type.Array(ActorSchema, { description: `${WITH_PARTIES} Who acted, each once.` }),
  ),
  commands: Type.Optional(
    Type.Array(CommandSchema, {
      description: `${WITH_PARTIES} The commands of the entries, with who gave them.`,
    }),
  ),
  steps: Type.Optional(
    Type.Array(StepSchema, {
      description: `${WITH_PARTIES} What happened beside the entries, oldest first.`,
    }),
  ),
  alike: Type.Optional(AlikeSchema),
};

/** The actors whose names a timeline shows. */
export function actorsOf(
  commands: readonly { readonly actor: string }[],
  { steps }: TimelineStory,
): readonly string[] {
  const named = steps.flatMap(({ actor }) => (actor === undefined ? [] : [actor]));
  return [...new Set([...commands.map(({ actor }) => actor), ...named])];
}

export function storyJson(
  story: TimelineStory,
  {
    commands,
    references,
    found,
  }: {
    readonly commands: TimelineFacts["commands"];
    readonly references: PaymentParties;
    readonly found: PartiesOfPage;
  },
): object {
  const partyOf = (reference: PartyReference | undefined) => {
    const party = reference && found(reference);
    return party && (JSON.parse(wireParty.json(party)) as object);
  };
  const { steps, alike } = story;
  const { from, to, by } = references;
  return {
    parties: { from: partyOf(from), to: partyOf(to), by: partyOf(by) },
    actors: actorsOf(commands, story).flatMap((actor) => {
      const party = partyOf(referenceToActor(actor));
      return party === undefined ? [] : [{ actor, party }];
    }),
    commands: commands.map(({ seq, name, actor }) => ({
      commandSeq: Number(seq),
      command: name,
      actor,
    })),
    steps,
    ...(alike === undefined ? {} : { alike }),
  };
}
