import type { ComponentChildren } from 'preact'

/** Around a table, which scrolls by itself where it is too wide. */
export const TableFrame = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it could not be scrolled otherwise (WCAG 2.1.1)
  <section class="table-frame wide-table" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
