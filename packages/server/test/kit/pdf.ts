/** A PDF of so many pages, each with its number in a large type and a rectangle in a colour of its own. */
export function pdf(pages: number): Buffer {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages}/Kids[${ids(pages, 4)
      .map((id) => `${id} 0 R`)
      .join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...Array.from({ length: pages }, (_, index) => {
      const shapes = `${index % 2} 0.4 0.6 rg 60 60 180 120 re f BT /F1 60 Tf 90 300 Td (${index + 1}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + 2 * index} 0 R>>`,
        `<</Length ${shapes.length}>>stream\n${shapes}\nendstream`,
      ];
    }).flat(),
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

/** Every second one, from `first`. */
function ids(count: number, first: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + 2 * index);
}
