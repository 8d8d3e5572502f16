/** The three decisions about a case, by button or key. The next case opens after each. Also the override of a rejection. */
import { useEffect, useRef } from "react";
import { ActDialog } from "../../../act/act-dialog.tsx";
import type { ActSpec, FormField, FormValues } from "../../../act/act-spec.ts";
import type { CaseRoot, VerificationCase } from "../../../api/own-operations.ts";
import { useAct, useRead } from "../../../api/platform.ts";
import { isInField, newKey } from "../../../std/host.ts";
import { shortId } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { stateChoices } from "../../../ui/choices.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import type { Choice } from "../../../ui/fields.tsx";
import { Problem } from "../../../ui/states.tsx";
import { documentName, useDocuments } from "../documents/documents.ts";
import { useCasePlace, useDocumentsOf } from "./case-place.ts";
import { useNextCase } from "./next-case.ts";
import { ownersIn } from "./submitted.tsx";

export type Decision = "approve" | "reject" | "more";

const KEYS: Readonly<Record<string, Decision>> = { a: "approve", r: "reject", m: "more" };

export function Decisions({
  found,
  isMine,
  open,
  onOpen,
}: {
  readonly found: VerificationCase;
  /** The person holds the case's lease, and the case is still undecided. */
  readonly isMine: boolean;
  readonly open: Decision | undefined;
  readonly onOpen: (decision: Decision | undefined) => void;
}) {
  const openNext = useNextCase();
  const objects = useObjects(found);
  const decided = { found, root: useCasePlace().rootOf(found) };
  useEffect(() => {
    if (!isMine) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isInField(event.target)) return;
      const decision = KEYS[event.key];
      if (decision !== undefined) onOpen(decision);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isMine, onOpen]);
  const next = () => void openNext();
  const specs: Readonly<Record<Decision, ActSpec<"decideCase">>> = {
    approve: approve(decided, next),
    reject: reject(decided, next),
    more: askForMore(decided, objects),
  };
  return (
    <>
      {isMine && (
        <>
          <Button opensDialog weight="primary" onPress={() => onOpen("approve")}>
            {t("act.approve")}
          </Button>
          <Button opensDialog onPress={() => onOpen("more")}>
            {t("cases.more")}
          </Button>
          <Button opensDialog weight="danger" onPress={() => onOpen("reject")}>
            {t("act.reject")}
          </Button>
        </>
      )}
      {open !== undefined && (
        <ActDialog key={open} spec={specs[open]} isOpen onClose={() => onOpen(undefined)} />
      )}
    </>
  );
}

interface Decided {
  readonly found: VerificationCase;
  readonly root: CaseRoot;
}

function pathOf({ root }: Decided) {
  return { method: "POST", path: [...root, "decide"] } as const;
}

const note: FormField = { name: "note", label: "form.note", kind: "long", isOptional: true };
const noteOf = ({ note: text = "" }: FormValues) => (text === "" ? {} : { note: text });

function approve(found: Decided, next: () => void): ActSpec<"decideCase"> {
  return {
    title: t("cases.approve"),
    verb: t("act.approve"),
    intro: t("cases.approveIntro"),
    fields: [note],
    toCall: (values) => ({
      ...pathOf(found),
      body: { outcome: "APPROVED", ...noteOf(values) },
    }),
    onDone: next,
  };
}

/** Approves a rejected customer. The reason is shown to the person who must approve the override. */
export function override(found: Decided): ActSpec<"decideCase"> {
  return {
    title: t("cases.override"),
    verb: t("act.approve"),
    intro: t("cases.overrideIntro"),
    fields: [{ ...note, isOptional: false }],
    toCall: (values) => ({
      ...pathOf(found),
      body: { outcome: "APPROVED", ...noteOf(values) },
    }),
  };
}

const REJECTIONS = [
  "APPLICANT_SANCTIONED",
  "APPLICANT_FRAUD",
  "APPLICANT_CRIMINAL_RECORD",
  "APPLICANT_REJECTED",
];

function reject(found: Decided, next: () => void): ActSpec<"decideCase"> {
  return {
    title: t("cases.reject"),
    verb: t("act.reject"),
    intro: t("cases.rejectIntro"),
    isDanger: true,
    fields: [
      {
        name: "reasonCode",
        label: "column.reason",
        kind: "choice",
        choices: stateChoices(REJECTIONS, "verificationError"),
      },
      note,
    ],
    toCall: ({ reasonCode, ...values }) => ({
      ...pathOf(found),
      body: { outcome: "REJECTED", reasonCode: reasonCode as never, ...noteOf(values) },
    }),
    onDone: next,
  };
}

const MENDED = [
  "MISSING_FIELD",
  "INVALID_FIELD",
  "MISSING_IDENTITY_DOCUMENT",
  "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
  "MISSING_LEGAL_PRESENCE_DOCUMENT",
  "MISSING_CONTROL_STRUCTURE_DOCUMENT",
  "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
  "MISSING_GOOD_STANDING_DOCUMENT",
  "INVALID_DOCUMENT",
  "EXPIRED_DOCUMENT",
  "POOR_QUALITY_DOCUMENT",
  "WRONG_DOCUMENT_TYPE",
  "INCOMPLETE_DOCUMENT",
  "UNREADABLE_DOCUMENT",
  "MISSING_BENEFICIAL_OWNER",
  "MISSING_CONTROL_PERSON",
];

/** More errors than this are better described in one sentence. */
const MOST_ERRORS = 5;

function askForMore(decided: Decided, objects: readonly Choice[]): ActSpec<"decideCase"> {
  return {
    title: t("cases.more"),
    verb: t("cases.sendBack"),
    intro: t("cases.moreIntro"),
    fields: errorFields(0, objects),
    fieldsFor: (values) =>
      Array.from({ length: MOST_ERRORS - 1 }, (_, index) => index + 1)
        .filter((index) => countOf(values) > index)
        .flatMap((index) => errorFields(index, objects)),
    toCall: (values) => ({
      ...pathOf(decided),
      body: {
        outcome: "RESOLVE_ERRORS",
        errors: Array.from({ length: countOf(values) }, (_, index) => ({
          type: values[`type${index}`] as never,
          reason: values[`reason${index}`] ?? "",
          resourceId: values[`object${index}`] ?? decided.found.customerId,
          ...(values[`field${index}`] ? { field: values[`field${index}`] } : {}),
        })),
      },
    }),
    after: () => <AfterSentBack found={decided.found} />,
  };
}

/** The number of error groups: one more for each group that is answered with another one to add. */
function countOf(values: FormValues): number {
  let count = 1;
  while (count < MOST_ERRORS && values[`again${count - 1}`] === "yes") count += 1;
  return count;
}

function errorFields(index: number, objects: readonly Choice[]): readonly FormField[] {
  const path = `errors.${index}`;
  return [
    {
      name: `type${index}`,
      field: `${path}.type`,
      label: "cases.what",
      kind: "choice",
      choices: stateChoices(MENDED, "verificationError"),
    },
    {
      name: `object${index}`,
      field: `${path}.resourceId`,
      label: "cases.about",
      kind: "choice",
      initial: objects[0]?.value,
      choices: objects,
    },
    {
      name: `reason${index}`,
      field: `${path}.reason`,
      label: "cases.words",
      kind: "long",
    },
    {
      name: `field${index}`,
      field: `${path}.field`,
      label: "cases.field",
      kind: "text",
      isOptional: true,
      placeholder: "address.line1",
    },
    ...(index === MOST_ERRORS - 1
      ? []
      : [
          {
            name: `again${index}`,
            label: "cases.again",
            kind: "checks",
            isOptional: true,
            choices: [{ value: "yes", label: t("cases.oneMore") }],
          } as const,
        ]),
  ];
}

/** The objects that an error can refer to: the customer, its owners, their documents. */
function useObjects(found: VerificationCase): readonly Choice[] {
  const { customerId, customerType } = found;
  const { isForeign } = useCasePlace();
  const reading = useRead<"listBeneficialOwners">(
    { method: "GET", path: ["beneficial-owners"], query: { customerId, limit: 100 } },
    { isOff: customerType !== "BUSINESS" || isForeign },
  );
  const owners = isForeign ? ownersIn(found) : (reading.data?.data ?? []);
  const documents = useDocuments(useDocumentsOf(found));
  return [
    { value: customerId, label: t("kind.Customer") },
    ...owners.map(({ id, personalInfo: { firstName, lastName } }) => ({
      value: id,
      label: `${t("kind.BeneficialOwner")}: ${firstName} ${lastName}`,
    })),
    ...(documents.data ?? []).map((document) => ({
      value: document.id,
      label: `${documentName(document)} ${shortId(document.id).slice(-6)}`,
    })),
  ];
}

/** Offers a link by which the customer can correct the data. */
function AfterSentBack({ found }: { readonly found: VerificationCase }) {
  const { isForeign } = useCasePlace();
  const act = useAct<"createKycLink">();
  const key = useRef("");
  const openNext = useNextCase();
  const make = () => {
    if (key.current === "") key.current = newKey();
    act.mutate({
      call: { method: "POST", path: ["customers", found.customerId, "kyc-link"], body: {} },
      key: key.current,
    });
  };
  return (
    <div className="flex flex-col items-start gap-3 text-form">
      <p>{t("cases.sentBack")}</p>
      {isForeign ? null : act.data === undefined ? (
        <Button isDisabled={act.isPending} onPress={make}>
          {t("customers.makeLink")}
        </Button>
      ) : (
        <CodeBlock code={act.data.kycUrl} what={t("customers.link")} />
      )}
      {act.error !== null && <Problem error={act.error} />}
      <Button onPress={() => void openNext()}>{t("cases.next")}</Button>
    </div>
  );
}
