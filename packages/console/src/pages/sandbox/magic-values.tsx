/** The endings that decide an outcome. A button makes one and leads to what came of it. */
import { useMay } from "../../api/platform.ts";
import { t, wordOf } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { LabSection } from "./lab-section.tsx";
import { customerNamed, payTo } from "./recipes.ts";
import { useRecipe } from "./use-recipe.ts";

const PAYMENTS = ["000", "002", "003", "004", "005"] as const;
const PEOPLE = ["001", "002", "003"] as const;

export function MagicValues() {
  const may = useMay("sandbox.use");
  const run = useRecipe();
  return (
    <LabSection title={t("sandbox.outcomes")} hint={t("sandbox.outcomesHint")}>
      <table className="w-full text-body">
        <tbody>
          {PAYMENTS.map((ending) => (
            <Outcome
              key={ending}
              ending={ending}
              what={wordOf("sandbox.payment", ending)}
              verb={t("sandbox.pay")}
              isOff={!may || run.isPending}
              onRun={() => run.mutate(async (send) => `payments/${await payTo(send, ending)}`)}
            />
          ))}
          {PEOPLE.map((ending) => (
            <Outcome
              key={`person ${ending}`}
              ending={ending}
              what={wordOf("sandbox.person", ending)}
              verb={t("sandbox.create")}
              isOff={!may || run.isPending}
              onRun={() =>
                run.mutate(async (send) => `customers/${await customerNamed(send, ending)}`)
              }
            />
          ))}
        </tbody>
      </table>
      {run.isError && <Problem error={run.error} />}
    </LabSection>
  );
}

function Outcome({
  ending,
  what,
  verb,
  isOff,
  onRun,
}: {
  readonly ending: string;
  readonly what: string;
  readonly verb: string;
  readonly isOff: boolean;
  readonly onRun: () => void;
}) {
  return (
    <tr>
      <th
        scope="row"
        className="w-14 border-line border-b py-1.5 text-start font-mono text-code font-normal"
      >
        {ending}
      </th>
      <td className="border-line border-b py-1.5 text-soft">{what}</td>
      <td className="border-line border-b py-1.5 text-end">
        <Button isSmall isDisabled={isOff} onPress={onRun} label={`${verb} ${ending}`}>
          {verb}
        </Button>
      </td>
    </tr>
  );
}
