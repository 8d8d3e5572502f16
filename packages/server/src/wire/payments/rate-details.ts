import Type from "typebox";

export const RateDetailsSchema = Type.Object(
  {
    counterpartyMultiplier: Type.Optional(
      Type.Number({
        description: "Smallest receiving units for one millisatoshi. Outgoing payments alone.",
      }),
    ),
    counterpartyFixedFee: Type.Optional(
      Type.Integer({ minimum: 0, description: "In the receiving currency." }),
    ),
    serviceApiMultiplier: Type.Number({
      description:
        "Outgoing: millisatoshis for one smallest sending unit, the variable fee taken off. Incoming: smallest receiving units for one millisatoshi.",
    }),
    serviceApiFixedFee: Type.Integer({ minimum: 0 }),
    serviceApiVariableFeeRate: Type.Number({
      minimum: 0,
      description: "A fraction: 0.003 is 0.3 percent.",
    }),
    serviceApiVariableFeeAmount: Type.Integer({ minimum: 0 }),
  },
  { $id: "RateDetails" },
);
