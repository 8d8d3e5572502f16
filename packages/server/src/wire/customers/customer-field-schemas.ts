/** Schemas of the fields in the tables of customer fields. */
import Type, { type TProperties, type TSchema } from "typebox";
import {
  businessFields,
  type CustomerField,
  individualFields,
} from "../../domain/customers/customer-fields.ts";
import { CountrySchema, filledText } from "../fields.ts";

const MOST_COUNTRIES = 300;
const MOST_CHOICES = 100;

function schemaOf(field: CustomerField): TSchema {
  switch (field.form) {
    case "text":
      return field.explains === undefined
        ? filledText(field.longest)
        : filledText(field.longest, {
            description: `Required when \`${field.explains}\` is OTHER.`,
          });
    case "digits":
      return Type.String({ pattern: field.pattern });
    case "date":
      return Type.String({ format: "date" });
    case "country":
      return CountrySchema;
    case "countries":
      return Type.Array(CountrySchema, { maxItems: MOST_COUNTRIES });
    case "choice":
      return Type.Enum([...field.values]);
    case "choices":
      return Type.Array(Type.Enum([...field.values]), { maxItems: MOST_CHOICES });
  }
}

function schemasOf(
  fields: readonly CustomerField[],
  isRequired: (field: CustomerField) => boolean,
): TProperties {
  return Object.fromEntries(
    fields.map((field) => {
      const schema = schemaOf(field);
      return [field.name, isRequired(field) ? schema : Type.Optional(schema)];
    }),
  );
}

export const individualProperties = schemasOf(individualFields, () => false);

export const NewBusinessInfoSchema = Type.Object(
  schemasOf(businessFields, ({ isRequired }) => isRequired === true),
  { $id: "NewBusinessInfo" },
);
export const BusinessInfoChangesSchema = Type.Object(
  schemasOf(businessFields, () => false),
  { $id: "BusinessInfoChanges" },
);
export const BusinessInfoSchema = Type.Object(
  schemasOf(businessFields, ({ name }) => name === "legalName"),
  { $id: "BusinessInfo" },
);
