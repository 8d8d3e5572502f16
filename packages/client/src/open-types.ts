/** Types that the generated types use. */

/**
 * A value that this version of the client does not list: the API's lists may grow. At run time it is any text; the prefix exists
 * only for the compiler. No literal has this prefix by mistake, so a misspelt literal does not compile, neither as a value nor in
 * a comparison. With `string` instead, both would compile.
 */
export type Unlisted = `unlisted:${string}`;

/** A value of a list that may grow. */
export type Open<Known extends string> = Known | Unlisted;

/** All members of at least one of the sets are required; the others stay optional. `Sets` is a union of tuples of names. */
export type AnyOf<Members, Sets extends readonly (keyof Members)[]> = Sets extends unknown
  ? Members & Required<Pick<Members, Sets[number]>>
  : never;

/**
 * One of two answers. The first has none of the members that only the second has, so `=== undefined` on such a member
 * distinguishes them, as does `in` with a member of the first.
 */
export type Either<First, Second> = (First & Without<Second, First>) | Second;

type Without<Other, Own> = { readonly [Name in Exclude<keyof Other, keyof Own>]?: undefined };
