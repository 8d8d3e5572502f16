/** Renders pages as Markdown, for programs that read text. */
import type { Block, Field, FieldGroup, Page } from "../blocks/blocks.ts";

export function pageMarkdown({ title, intro, sections }: Page): string {
  const parts = [
    `# ${title}`,
    ...intro.map(blockMarkdown),
    ...sections.flatMap((section) => [
      `## ${section.title}`,
      ...section.main.map(blockMarkdown),
      ...section.aside.map(blockMarkdown),
    ]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case "prose":
      return block.markdown.trim();
    case "endpoint":
      return `\`${block.method} ${block.path}\``;
    case "endpoints":
      return block.links
        .map(({ method, path, title, href }) => `- [${title}](${href}): \`${method} ${path}\``)
        .join("\n");
    case "facts":
      return block.rows.map(([name, says]) => `- **${name}**: ${says}`).join("\n");
    case "fields":
      return titled(block.title, block.groups.flatMap((group) => groupLines(group, "")).join("\n"));
    case "code":
      return titled(block.title, fence(block.language, block.text));
    case "samples":
      return block.samples
        .map(({ label, language, text }) => titled(label, fence(language, text)))
        .join("\n\n");
    case "table":
      return titled(block.title, table(block.head, block.rows));
    case "cards":
      return block.links
        .map(({ title, href, says }) => `- [${title}](${href}): ${says}`)
        .join("\n");
  }
}

function titled(title: string, text: string): string {
  return title === "" ? text : `**${title}**\n\n${text}`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function groupLines({ title, fields }: FieldGroup, indent: string): readonly string[] {
  const lines = fields.flatMap((field) =>
    fieldLines(field, title === undefined ? indent : `${indent}  `),
  );
  return title === undefined ? lines : [`${indent}- ${title}:`, ...lines];
}

function fieldLines(field: Field, indent: string): readonly string[] {
  const { name, type, isRequired, says, notes, groups } = field;
  const required = isRequired ? ", required" : "";
  const text = [says, ...notes].join(" ").replaceAll("\n", " ").trim();
  return [
    `${indent}- \`${name}\` (${type}${required})${text === "" ? "" : `: ${text}`}`,
    ...groups.flatMap((group) => groupLines(group, `${indent}  `)),
  ];
}
