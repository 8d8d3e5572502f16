/** Parties, as answers show them where `expand=parties` asks for them. */
import Type from "typebox";
import { type Holder, type Party, partyKinds } from "../../domain/reading/parties/party.ts";
import { exampleId } from "../id-fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const wireHolder = wireObject({}, ({ of }: Kit<Holder>) => ({
  id: of.text({ example: exampleId("Customer") }),
  name: of.text({ example: "Ana Ruiz" }),
  yourId: of.text({
    description: "The `platformCustomerId` of the customer.",
    example: "customer-1042",
  }),
}));

export const wireParty = wireObject(
  { $id: "Party", description: "Who pays, is paid or acts, as people read it." },
  ({ of, maybe }: Kit<Party>) => ({
    kind: of.enum(partyKinds, {
      description:
        "`OUTSIDE`: a payer outside, as its bank told. `SYSTEM`: the server itself, its operator, or a hosted page.",
      example: "EXTERNAL_ACCOUNT",
    }),
    id: maybe.text({
      description: "The id of the account, the customer, the agent, the person or the token.",
      example: exampleId("ExternalAccount", "3"),
    }),
    name: of.text({
      description:
        "Of an external account its beneficiary, of an internal one its holder, of a UMA address the address.",
      example: "Maya Lindqvist",
    }),
    detail: of.text({
      description:
        "What tells it from others of its name: bank, last four characters and type of an external account, the currency of an internal " +
        "one, the remittance text of a payer outside. May be empty.",
      example: "First Example Bank · ••3210 · US account",
    }),
    holder: maybe.object(wireHolder, {
      description: "The customer whose account, address or agent it is.",
      example: wireHolder.example,
    }),
  }),
);

/** The value of `parties` of an object, with a party under each name. */
export function partiesSchema<const Name extends string>(names: readonly Name[], told = "") {
  const members = Object.fromEntries(
    names.map((name) => [name, Type.Optional(wireParty.schema)] as const),
  ) as Record<Name, Type.TOptional<typeof wireParty.schema>>;
  return Type.Object(members, {
    description: `Only with \`expand=parties\`. ${told}A party that is not known is absent.`,
  });
}

/** The member `parties` of an object. */
export function partiesMember<const Name extends string>(...names: readonly Name[]) {
  return Type.Optional(partiesSchema(names));
}

/** The JSON of an object with its parties as the last member. */
export function withParties(json: string, parties: NamedParties): string {
  return `${json.slice(0, -1)},"parties":${partiesJson(parties)}}`;
}

export type NamedParties = Readonly<Record<string, Party | undefined>>;

export function partiesJson(parties: NamedParties): string {
  let text = "";
  for (const name in parties) {
    const party = parties[name];
    if (party !== undefined) text += `${text === "" ? "" : ","}"${name}":${textOf(party)}`;
  }
  return `{${text}}`;
}

const texts = new WeakMap<Party, string>();

/** The JSON of a party, kept as long as the party is. */
function textOf(party: Party): string {
  let text = texts.get(party);
  if (text === undefined) {
    text = inAscii(wireParty.json(party));
    texts.set(party, text);
  }
  return text;
}

/**
 * Escapes characters beyond ASCII. With one of them the answer of a whole page is a string of two bytes a character, which takes several times
 * as long to join and to encode. The detour makes a string of one byte a character, which a replacement in one of two bytes does not.
 */
function inAscii(json: string): string {
  const escaped = json.replaceAll(/[^\x20-\x7e]/g, (one) => {
    const code = one.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
  return Buffer.from(escaped, "latin1").toString("latin1");
}
