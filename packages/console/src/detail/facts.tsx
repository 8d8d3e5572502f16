import type { ReactNode } from "react";
import { accountTypeWord, fieldWord } from "../text/field-word.ts";
import { wordOf } from "../text/messages.ts";
import { OutsideText } from "../ui/values.tsx";

export type Fact = readonly [name: string, value: ReactNode] | false | undefined;

/** Name and value pairs of an object. Undefined facts are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const shown = facts.filter((fact) => fact !== false && fact !== undefined);
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-6 text-body">
      {shown.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid border-line border-b py-1.5">
          <dt className="text-soft">{name}</dt>
          <dd className="flex min-w-0 flex-wrap items-center justify-end gap-x-2 text-end [overflow-wrap:anywhere]">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists the members of an object whose fields depend on its type, each under its API name in words. */
export function memberFacts(value: object, prefix = ""): readonly Fact[] {
  return Object.entries(value).flatMap(([name, member]): readonly Fact[] => {
    const path = `${prefix}${name}`;
    if (Array.isArray(member) && member.every((one) => typeof one !== "object"))
      return [[fieldWord(path), <OutsideText key={path} text={wordsOf(name, member)} />]];
    if (typeof member === "object" && member !== null) return memberFacts(member, `${path}.`);
    return [[fieldWord(path), <OutsideText key={path} text={wordsOf(name, [member])} />]];
  });
}

/** Codes of the API as words. Other values are shown as they are: an identifier may look like a code. */
function wordsOf(name: string, values: readonly unknown[]): string {
  const wordFor = (value: string) => {
    if (name === "accountType") return accountTypeWord(value);
    if (name.startsWith("paymentRail")) return wordOf("rail", value);
    return name.endsWith("Type") ? wordOf("word", value) : value;
  };
  return values.map((value) => wordFor(String(value))).join(", ");
}

export function Section({
  title,
  act,
  children,
}: {
  readonly title: string;
  readonly act?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="min-w-0 pt-5">
      <div className="flex min-h-8 items-center justify-between gap-2 pb-1">
        <h2 className="text-form font-semibold">{title}</h2>
        {act}
      </div>
      {children}
    </section>
  );
}
