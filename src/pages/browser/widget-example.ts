/** Runs on /widget: shows what a page hears of its gate. */
import { requireElement } from '../../web/ui/dom.ts'
import type { ProofBadgeElement } from './widget/widget.d.ts'

document.addEventListener('proofgate-done', ({ detail }) => {
  const { qHash, walletAddress } = detail
  requireElement('event').textContent = JSON.stringify(detail, null, 2)
  requireElement<ProofBadgeElement>('badge').qHash = qHash
  requireElement('badge-line').textContent = `<proof-badge q-hash="${qHash}"></proof-badge>`
  const check = document.getElementById('check')
  if (check) check.textContent = `curl '${check.dataset.check}&address=${walletAddress ?? 'THE_WALLET'}'`
  requireElement('heard').hidden = false
})
