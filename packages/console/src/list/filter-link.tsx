/** A value in a row that filters the list by it. */
import { Link, useSearch } from "@tanstack/react-router";
import { t } from "../text/messages.ts";
import { Missing, OutsideText } from "../ui/values.tsx";

export function FilterLink({
  name,
  value,
}: {
  /** The parameter of the list. */
  readonly name: string;
  readonly value: string | undefined;
}) {
  const { cursor: _, ...search }: Readonly<Record<string, string>> = useSearch({ strict: false });
  if (value === undefined) return <Missing />;
  return (
    <Link
      to="."
      search={{ ...search, [name]: value } as never}
      title={t("filter.byThis")}
      className="relative z-1 rounded-control hover:underline"
    >
      <OutsideText text={value} isLine />
    </Link>
  );
}
