/** What the reference and the guides have in common. The guides themselves load with the first of their pages. */
import { type Html, html } from './html.ts'

export const guidesPath = '/docs/guides'
export const decisionsPath = `${guidesPath}/decisions`

/** The two links at the top of the reference and of the guides. */
export const writeDocsNavigation = (root: string, here: 'guides' | 'reference'): Html =>
  html`<nav class="docs-navigation" aria-label="Documentation">
<a href="${root}docs/guides"${here === 'guides' && html` class="is-here"`}>Guides</a>
<a href="${root}docs"${here === 'reference' && html` class="is-here"`}>API reference</a>
</nav>`
