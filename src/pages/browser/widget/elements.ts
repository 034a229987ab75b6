/** GET /widget.js: `<proof-gate>` and `<proof-badge>`, for pages of any site. One file, no dependency. */
import { ProofBadge } from './badge-element.ts'
import { ProofGate } from './gate-element.ts'

export { setTexts } from './texts.ts'

// A page may load this file twice, from two addresses: the first one stays.
if (globalThis.customElements) {
  if (!customElements.get('proof-gate')) customElements.define('proof-gate', ProofGate)
  if (!customElements.get('proof-badge')) customElements.define('proof-badge', ProofBadge)
}
