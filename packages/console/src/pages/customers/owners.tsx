/** The beneficial owners of a business, each with their personal data. */
import type { BeneficialOwner } from "@florin/client";
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
  return <Waiting reading={reading}>{({ data }) => <Owners owners={data} />}</Waiting>;
}

/** An owner with present data, or with the data of a submission. */
export interface ShownOwner
  extends Pick<BeneficialOwner, "id" | "roles" | "ownershipPercentage">,
    Partial<Pick<BeneficialOwner, "kycStatus">> {
  readonly personalInfo: object & Pick<BeneficialOwner["personalInfo"], "firstName" | "lastName">;
}

export function Owners({ owners }: { readonly owners: readonly ShownOwner[] }) {
  return owners.length === 0 ? (
    <p className="text-soft">{t("customers.noOwner")}</p>
  ) : (
    <ul>
      {owners.map((owner) => (
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
              {owner.kycStatus !== undefined && <StatePill state={owner.kycStatus} />}
            </summary>
            <div className="pt-2">
              <Facts facts={memberFacts({ roles: owner.roles, ...owner.personalInfo })} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
