/** Runs on /widget: shows what a page hears of its gate. */
import { byId } from '../../web/ui/dom.ts'
import type { ProofBadgeElement } from './widget/widget.d.ts'

document.addEventListener('proofgate-done', ({ detail }) => {
  const { qHash, walletAddress } = detail
  byId('event').textContent = JSON.stringify(detail, null, 2)
  byId<ProofBadgeElement>('badge').qHash = qHash
  byId('badge-line').textContent = `<proof-badge q-hash="${qHash}"></proof-badge>`
  const check = document.getElementById('check')
  if (check) check.textContent = `curl '${check.dataset.check}&address=${walletAddress ?? 'THE_WALLET'}'`
  byId('heard').hidden = false
})
