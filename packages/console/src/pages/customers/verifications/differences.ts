/** What changed between two submissions of a customer, by the paths of their members. */

export interface Difference {
  /** `address.city`; that of an owner has the id: `owners.BeneficialOwner:….roles`. */
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

/** Members of members, each under its path. Objects of a list that have an id are known by it, so that a removal moves no other. */
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
