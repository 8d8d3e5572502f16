import { invalidFields, type Refusal } from "../../engine/refusal.ts";

export function invalidField(field: string, message: string): Refusal {
  return invalidFields([{ field, message }]);
}
