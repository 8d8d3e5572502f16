/** Types that the generated types use. */

/**
 * A value that this version of the client has no name for: the API's lists may grow. Such a value has any text; the form is the
 * compiler's. It is a form that no literal has by mistake, so a misspelt literal does not compile, neither where a value is
 * given nor where one is compared with it. With `string` in its place both would.
 */
export type Unlisted = `unlisted:${string}`;

/** A value of a list that may grow. */
export type Open<Known extends string> = Known | Unlisted;

/** The members of at least one of the sets must be there; the others stay optional. `Sets` has a tuple of names for each. */
export type AnyOf<Members, Sets extends readonly (keyof Members)[]> = Sets extends unknown
  ? Members & Required<Pick<Members, Sets[number]>>
  : never;

/**
 * One of two answers. The first is known to have none of the members that only the second has, so that `=== undefined` tells
 * them apart, and `in` does by a member of the first.
 */
export type Either<First, Second> = (First & Without<Second, First>) | Second;

type Without<Other, Own> = { readonly [Name in Exclude<keyof Other, keyof Own>]?: undefined };
