import type { ReactNode } from "react";

export function LabSection({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="min-w-0">
      <h2 className="text-section font-semibold">{title}</h2>
      <p className="pb-3 text-body text-soft">{hint}</p>
      {children}
    </section>
  );
}
