import Type from "typebox";
import type { TravelRule } from "../../domain/uma/incoming/travel-rule.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

/** A row of travel-rule data, opened. */
export interface OpenedTravelRule extends Pick<TravelRule, "id" | "format" | "createdAt"> {
  /** A JSON value, or text. */
  readonly document: unknown;
  readonly sha256: string;
}

const example = {
  originator: {
    originatorPerson: [
      {
        naturalPerson: {
          name: [
            {
              nameIdentifier: [{ primaryIdentifier: "Bo Lind", nameIdentifierType: "LEGL" }],
            },
          ],
          dateAndPlaceOfBirth: { dateOfBirth: "1990-04-12" },
        },
      },
    ],
    accountNumber: ["$bo@vasp.example"],
  },
};

export const wireUmaTravelRule = wireObject(
  "UmaTravelRule",
  ({ of, maybe }: Kit<OpenedTravelRule>) => ({
    transactionId: of.id("Transaction", { from: ({ id }) => id, example: 6 }),
    format: maybe.text({
      description:
        "The format, by the name that the payer's institution gave. Absent where it gave none.",
      example: "ivms@101.2023",
    }),
    document: of.json(Type.Unknown({ ...sensitive }), {
      description:
        "What the payer's institution has told: a JSON value where it can be read as one, else the text.",
      example,
    }),
    sha256: of.text({
      description: "SHA-256 of the bytes as they were received, before they were read as JSON.",
      example: "5f1c9a0e7d0b4c7ab1f7c2c5d1e3a94b6f0d8e2c3b4a59687f1e2d3c4b5a6978",
    }),
    receivedAt: of.time({
      from: ({ createdAt }) => createdAt,
      example: "2026-11-21T10:00:00.000Z",
    }),
  }),
);
