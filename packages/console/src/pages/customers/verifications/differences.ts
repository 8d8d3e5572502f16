/** Compares two submissions of a customer by the paths of their fields. */

export interface Difference {
  /** A path such as `address.city`; for an owner it contains the id: `owners.BeneficialOwner:….roles`. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function differences(before: object, after: object): readonly Difference[] {
  const [was, is] = [textsOf(before), textsOf(after)];
  const paths = new Set([...is.keys(), ...was.keys()]);
  return [...paths].flatMap((path) => {
    const difference = { path, before: was.get(path), after: is.get(path) };
    return difference.before === difference.after ? [] : [difference];
  });
}

/** Flattens nested fields to paths. List items with an id are keyed by it, so that a removal does not shift the others. */
function textsOf(value: object, prefix = ""): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(value).flatMap(([name, member]): readonly (readonly [string, string])[] => {
      const path = `${prefix}${name}`;
      if (Array.isArray(member)) {
        if (member.every((one) => typeof one !== "object")) return [[path, member.join(", ")]];
        return member.flatMap((one, index) => [
          ...textsOf(withoutId(one), `${path}.${one.id ?? index + 1}.`),
        ]);
      }
      if (typeof member === "object" && member !== null) return [...textsOf(member, `${path}.`)];
      return [[path, String(member)]];
    }),
  );
}

function withoutId({ id: _, ...rest }: { readonly id?: string }): object {
  return rest;
}
