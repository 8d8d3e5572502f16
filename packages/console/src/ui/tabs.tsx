import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";

export interface TabSpec {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

const tabLook =
  "cursor-pointer border-b-2 border-transparent px-1 py-2 text-body font-medium text-soft hover:text-ink data-[selected]:border-accent data-[selected]:text-ink whitespace-nowrap pointer-coarse:py-3";

/** Tabs of an object. A tab's content is mounted only while the tab is open. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly TabSpec[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList
        aria-label={label}
        className="flex gap-4 overflow-x-auto overflow-y-hidden border-line border-b"
      >
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={tabLook}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="pt-4">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
