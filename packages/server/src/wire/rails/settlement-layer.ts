/** A network on which a connector makes and pays invoices, as it described it last. */
import Type from "typebox";
import { listedText } from "../value-lists.ts";

export const SettlementLayerSchema = Type.Object(
  {
    layer: Type.String({ description: "The network's name, such as `ln`." }),
    send: Type.Boolean({ description: "It pays invoices." }),
    receive: Type.Boolean({ description: "It makes invoices." }),
    assets: Type.Array(
      Type.Object({
        identifier: Type.String({ description: "What moves there, by the layer's own name." }),
        currency: listedText("CurrencyCode"),
        decimals: Type.Integer(),
        minAmount: Type.Optional(Type.Integer()),
        maxAmount: Type.Optional(Type.Integer()),
      }),
    ),
    invoiceSeconds: Type.Object(
      { min: Type.Integer(), max: Type.Integer() },
      { description: "How long an invoice may live." },
    ),
    exactAmounts: Type.Boolean({
      description: "The layer refuses money that is not exactly the amount of the invoice.",
    }),
    partialPayments: Type.Boolean({
      description: "Several payments may add up to the amount of an invoice.",
    }),
  },
  { $id: "RailSettlementLayer" },
);
