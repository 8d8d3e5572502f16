/** The owners of a business, each with the data that was given about the person. */
import { useRead } from "../../api/platform.ts";
import { Facts, memberFacts } from "../../detail/facts.tsx";
import { t } from "../../text/messages.ts";
import { StatePill } from "../../ui/pill.tsx";
import { Waiting } from "../../ui/states.tsx";
import { OutsideText } from "../../ui/values.tsx";

export function OwnersOf({ customerId }: { readonly customerId: string }) {
  const reading = useRead<"listBeneficialOwners">({
    method: "GET",
    path: ["beneficial-owners"],
    query: { customerId, limit: 100 },
  });
  return (
    <Waiting reading={reading}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-soft">{t("customers.noOwner")}</p>
        ) : (
          <ul>
            {data.map((owner) => (
              <li key={owner.id} className="border-line border-b py-2">
                <details>
                  <summary className="flex cursor-pointer items-center justify-between gap-3">
                    <span className="min-w-0 flex-1 font-medium">
                      <OutsideText
                        text={`${owner.personalInfo.firstName} ${owner.personalInfo.lastName}`}
                        isLine
                      />
                    </span>
                    <span className="text-soft tabular-nums">{`${owner.ownershipPercentage} %`}</span>
                    <StatePill state={owner.kycStatus} />
                  </summary>
                  <div className="pt-2">
                    <Facts facts={memberFacts({ roles: owner.roles, ...owner.personalInfo })} />
                  </div>
                </details>
              </li>
            ))}
          </ul>
        )
      }
    </Waiting>
  );
}
