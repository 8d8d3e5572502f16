/** A field that finds an object by the words that people know it by. The caller reads the options, mostly with a search on the server. */
import type { ReactNode } from "react";
import {
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";
import { visibleText } from "../../std/outside-text.ts";
import { OutsideWord } from "../../ui/values.tsx";

/** About six options: the steps of the dialog stay in sight above them. */
const LIST_HEIGHT = 290;

export interface Option {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** Shown at the end of the line, such as a balance. */
  readonly end?: ReactNode;
}

interface NamePickerProps {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly text: string;
  readonly options: readonly Option[];
  /** The id of the chosen option. */
  readonly chosen: string | undefined;
  /** What is told below the field, such as the balance of the chosen account. */
  readonly note?: ReactNode;
  /** Shown in place of the options where there are none. */
  readonly nothing?: string;
  readonly onText: (text: string) => void;
  /** Undefined for a text that is no label of an option. */
  readonly onChoose: (option: Option | undefined, text: string) => void;
}

export function NamePicker(props: NamePickerProps) {
  const { label, hint, error, text, options, chosen, note, nothing } = props;
  return (
    <ComboBox
      items={options}
      inputValue={text}
      onInputChange={(typed) => {
        props.onText(typed);
        // The widget writes the label of the option that was chosen, which is no other choice.
        if (!options.some((option) => visibleText(option.label) === typed))
          props.onChoose(undefined, typed);
      }}
      selectedKey={chosen ?? null}
      onSelectionChange={(key) => {
        const option = options.find(({ id }) => id === key);
        if (option === undefined) return;
        props.onText(option.label);
        props.onChoose(option, option.label);
      }}
      allowsCustomValue
      allowsEmptyCollection={nothing !== undefined}
      menuTrigger="focus"
      isRequired
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className="flex flex-col gap-1"
    >
      <Label className="text-body font-medium">{label}</Label>
      <Input
        placeholder={hint}
        maxLength={200}
        className="h-9 w-full rounded-control border border-strong bg-ground px-2.5 text-form text-ink placeholder:text-soft data-[invalid]:border-bad pointer-coarse:h-11"
      />
      {note !== undefined && error === undefined && (
        <Text slot="description" className="text-caption text-soft">
          {note}
        </Text>
      )}
      <FieldError className="text-caption text-bad">{error}</FieldError>
      <Popover
        maxHeight={LIST_HEIGHT}
        className="w-(--trigger-width) overflow-auto rounded-panel border border-line bg-raised p-1 shadow-raised"
      >
        <ListBox<Option>
          className="outline-none"
          renderEmptyState={() => <p className="px-2 py-1.5 text-form text-soft">{nothing}</p>}
        >
          {Line}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function Line(option: Option) {
  return (
    <ListBoxItem
      id={option.id}
      textValue={visibleText(option.label)}
      className="flex cursor-default items-center gap-3 rounded-control px-2 py-1.5 text-form data-[focused]:bg-panel data-[selected]:font-medium data-[selected]:text-accent"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <OutsideWord text={option.label} />
        </span>
        {option.detail !== "" && (
          <span className="block truncate text-caption text-soft">
            <OutsideWord text={option.detail} />
          </span>
        )}
      </span>
      {option.end}
    </ListBoxItem>
  );
}
