import Type from "typebox";
import { customerInfoFields, LONGEST_ANSWER } from "../../domain/customers/customer-info.ts";

const FieldNameSchema = Type.Enum([...customerInfoFields]);

/** A customer field that a counterparty requires. */
export const RequestedFieldSchema = Type.Object(
  { name: FieldNameSchema, mandatory: Type.Boolean() },
  { $id: "RequestedField" },
);

export const FieldNamesSchema = Type.Array(FieldNameSchema);

export const CustomerInfoSchema = Type.Object(
  Object.fromEntries(
    customerInfoFields.map((name) => [
      name,
      Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_ANSWER })),
    ]),
  ),
  { description: "What the sender's institution asked of the receiver, by the name of the field." },
);
