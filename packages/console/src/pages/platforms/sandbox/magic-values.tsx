/** Account and name endings that select an outcome, from the simulator's tables. A button creates an object with one and opens it. */
import { useMay } from "../../../api/platform.ts";
import type { PlatformSend } from "../../../api/platform-send.ts";
import { type MessageKey, t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Problem } from "../../../ui/states.tsx";
import { LabSection } from "./lab-section.tsx";
import outcomes from "./outcomes.json";
import { businessNamed, customerNamed, payeeNamed, payTo, quoteTo } from "./recipes.ts";
import { useRecipe } from "./use-recipe.ts";

interface Outcome {
  readonly ending: string;
  readonly kind: string;
  readonly seconds: number;
  readonly cause: string;
}

interface Group {
  readonly title: MessageKey;
  readonly hint: MessageKey;
  readonly rows: readonly Outcome[];
  readonly verb: MessageKey;
  /** Creates the object and returns its page; absent when the value can only be copied. */
  readonly run?: (send: PlatformSend, ending: string) => Promise<string>;
}

/** The outcome of every ending that is not in a table. */
const COMPLETES: Outcome = { ending: "000", kind: "completes", seconds: 0, cause: "" };

const GROUPS: readonly Group[] = [
  {
    title: "sandbox.transfers",
    hint: "sandbox.transfersHint",
    rows: [COMPLETES, ...outcomes.transfers],
    verb: "sandbox.pay",
    run: async (send, ending) => `payments/${await payTo(send, ending)}`,
  },
  {
    title: "quotes.title",
    hint: "sandbox.quotesHint",
    rows: [COMPLETES, ...outcomes.quotes],
    verb: "sandbox.payByQuote",
    run: async (send, ending) => `payments/${await quoteTo(send, ending)}`,
  },
  {
    title: "sandbox.persons",
    hint: "sandbox.personsHint",
    rows: outcomes.persons,
    verb: "sandbox.create",
    run: async (send, ending) => `customers/${await customerNamed(send, ending)}`,
  },
  {
    title: "sandbox.businesses",
    hint: "sandbox.businessesHint",
    rows: outcomes.businesses,
    verb: "sandbox.create",
    run: async (send, ending) => `customers/${await businessNamed(send, ending)}`,
  },
  {
    title: "sandbox.nameChecks",
    hint: "sandbox.nameChecksHint",
    rows: outcomes.nameChecks,
    verb: "sandbox.addPayee",
    run: async (send, ending) => `external-accounts/${await payeeNamed(send, ending)}`,
  },
  {
    title: "sandbox.receivers",
    hint: "sandbox.receiversHint",
    rows: outcomes.receivers,
    verb: "sandbox.pay",
  },
];

export function MagicValues() {
  const may = useMay("sandbox.use");
  const recipe = useRecipe();
  return (
    <LabSection title={t("sandbox.outcomes")} hint={t("sandbox.outcomesHint")}>
      {recipe.isError && <Problem error={recipe.error} />}
      <div className="grid gap-x-12 gap-y-6 wide:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group.title} className="min-w-0">
            <h3 className="text-form font-semibold">{t(group.title)}</h3>
            <p className="pb-1 text-caption text-soft">{t(group.hint)}</p>
            <table className="w-full text-body">
              <tbody>
                {group.rows.map((row) => (
                  <Row
                    key={row.ending}
                    group={group}
                    row={row}
                    isOff={!may || recipe.isPending}
                    onRun={(run) => recipe.mutate((send) => run(send, row.ending))}
                  />
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </LabSection>
  );
}

function Row({
  group: { title, verb, run },
  row: { ending, kind, seconds, cause },
  isOff,
  onRun,
}: {
  readonly group: Group;
  readonly row: Outcome;
  readonly isOff: boolean;
  readonly onRun: (run: NonNullable<Group["run"]>) => void;
}) {
  const what = t(`sandbox.outcome.${kind}` as MessageKey, { seconds });
  const word = t(verb);
  return (
    <tr>
      <th
        scope="row"
        className="w-14 border-line border-b py-1.5 pe-3 text-start font-mono text-code font-normal whitespace-nowrap"
      >
        {ending}
      </th>
      <td className="border-line border-b py-1.5 text-soft">
        {what} {cause}
      </td>
      <td className="border-line border-b py-1.5 text-end">
        {run === undefined ? (
          <CopyButton text={ending} what={ending} />
        ) : (
          <Button
            isSmall
            isDisabled={isOff}
            onPress={() => onRun(run)}
            label={`${word} ${ending}, ${t(title)}`}
          >
            {word}
          </Button>
        )}
      </td>
    </tr>
  );
}
