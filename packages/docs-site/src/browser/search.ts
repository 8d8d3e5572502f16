/** The search. Its code and index are loaded at the first use. */
import MiniSearch, { type SearchResult } from "minisearch";
import { type SearchEntry, searchOptions } from "../search/options.ts";

const MOST_SHOWN = 12;

let dialog: Promise<HTMLDialogElement> | undefined;

export function open(index: string): void {
  dialog ??= make(index);
  dialog.then(
    (made) => {
      if (!made.open) made.showModal();
      made.querySelector("input")?.select();
    },
    () => {
      dialog = undefined;
    },
  );
}

async function make(address: string): Promise<HTMLDialogElement> {
  const box = document.createElement("dialog");
  box.className = "search";
  box.setAttribute("aria-label", "Search");
  const input = document.createElement("input");
  const list = document.createElement("ul");
  const status = document.createElement("p");
  prepare(input, list, status);
  box.append(input, list, status);
  document.body.append(box);
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  const answer = await fetch(address);
  const index = MiniSearch.loadJSON<SearchEntry>(await answer.text(), searchOptions);
  const show = () =>
    showResults(input, list, status, index.search(input.value).slice(0, MOST_SHOWN));
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => move(event, input, list));
  return box;
}

function prepare(
  input: HTMLInputElement,
  list: HTMLUListElement,
  status: HTMLParagraphElement,
): void {
  input.type = "search";
  input.placeholder = "Search operations, errors, events, fields";
  input.autocomplete = "off";
  input.spellcheck = false;
  list.id = "found";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-label", "Search the documentation"],
    ["aria-controls", "found"],
    ["aria-expanded", "false"],
    ["aria-autocomplete", "list"],
  ] as const) {
    input.setAttribute(name, value);
  }
  status.setAttribute("role", "status");
  status.textContent = "Type a word, a path or a code.";
}

function showResults(
  input: HTMLInputElement,
  list: HTMLUListElement,
  status: HTMLParagraphElement,
  results: readonly SearchResult[],
): void {
  list.replaceChildren(...results.map(toOption));
  list.hidden = results.length === 0;
  input.setAttribute("aria-expanded", String(results.length > 0));
  select(input, list, results.length > 0 ? 0 : -1);
  const isAsked = input.value.trim() !== "";
  status.textContent = isAsked ? countText(results.length) : "Type a word, a path or a code.";
}

function countText(count: number): string {
  if (count === 0) return "Nothing found.";
  return count === 1 ? "1 result" : `${count} results`;
}

function toOption({ title, place, href }: SearchResult, position: number): HTMLLIElement {
  const option = document.createElement("li");
  option.id = `found-${position}`;
  option.setAttribute("role", "option");
  option.dataset.href = href;
  const name = document.createElement("strong");
  name.textContent = title;
  const where = document.createElement("span");
  where.textContent = place;
  option.append(name, where);
  option.addEventListener("click", () => go(option));
  return option;
}

function select(input: HTMLInputElement, list: HTMLUListElement, position: number): void {
  const options = [...list.children];
  for (const [index, option] of options.entries()) {
    option.setAttribute("aria-selected", String(index === position));
  }
  const chosen = options[position];
  chosen?.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", chosen?.id ?? "");
}

function move(event: KeyboardEvent, input: HTMLInputElement, list: HTMLUListElement): void {
  const options = [...list.children];
  const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const chosen = options[at];
  if (event.key === "Enter" && chosen instanceof HTMLElement) go(chosen);
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || options.length === 0) return;
  event.preventDefault();
  select(input, list, (at + step + options.length) % options.length);
}

/** Closes the dialog first, because a result on the present page only scrolls and does not load a page. */
function go({ dataset }: HTMLElement): void {
  document.querySelector<HTMLDialogElement>("dialog.search")?.close();
  if (dataset.href !== undefined) location.assign(dataset.href);
}
