/** Runs on /proof/{qHash} for its owner: revoking and sharing. */

import { makeElement, requireElement, shortenAddress } from '../../web/ui/dom.ts'
import { copying } from '../words/en/copying.ts'
import { proofActions as words } from '../words/en/proof.ts'
import { Attempts } from './attempt.ts'
import { call, isSessionOver } from './json-api.ts'
import { offerCopies } from './offer-copies.ts'
import { renderSessionOver } from './session-over.ts'
import { describeError } from './words.ts'

const owner = requireElement('owner')
const { api, csrf, qhash, wallet } = owner.dataset
const revoking = requireElement('revoking')
const attempts = new Attempts({
  status: requireElement('status'),
  problem: requireElement('problem'),
  busy: owner,
  failed: words.notDone,
})
const revokeAttempts = new Attempts({
  status: requireElement('revoking-status'),
  problem: requireElement('revoking-problem'),
  busy: revoking,
  failed: words.notDone,
})
const headers = { 'x-csrf-token': csrf! }

/** The address of the server. */
const root = new URL('../..', new URL(api!, location.href)).href

function renew(token: string): void {
  headers['x-csrf-token'] = token
}

async function attempt(
  attempts: Attempts,
  {
    doing,
    work,
    pressed,
  }: { readonly doing: string; readonly work: () => Promise<void>; readonly pressed: HTMLElement },
): Promise<void> {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(doing)
    await work()
  } catch (error) {
    if (!isCurrent()) return
    if (!isSessionOver(error)) return attempts.fail(describeError(error), pressed)
    attempts.fail(renderSessionOver({ root, wallet: wallet!, renew }), pressed, 'warning')
  }
}

const revoke = requireElement<HTMLButtonElement>('revoke')
let isSure = false
revoke.addEventListener('click', () => {
  if (revokeAttempts.isUnderWay) return
  if (!isSure) {
    isSure = true
    revoke.textContent = words.revokeSure
    return
  }
  void attempt(revokeAttempts, {
    doing: words.revoking,
    work: async () => {
      await call(`${api}proofs/revoke-self/${qhash}`, { body: {}, headers })
      location.reload()
    },
    pressed: revoke,
  })
})

const share = document.getElementById('share') as HTMLFormElement | null
share?.addEventListener('submit', (event) => {
  event.preventDefault()
  const viewer = requireElement<HTMLInputElement>('viewer')
  const until = requireElement<HTMLSelectElement>('until').value
  const viewerWallet = viewer.value.trim()
  viewer.removeAttribute('aria-invalid')
  if (viewerWallet === '') {
    viewer.setAttribute('aria-invalid', 'true')
    return attempts.fail(words.noViewer, viewer)
  }
  void attempt(attempts, {
    doing: words.sharing,
    work: async () => {
      const expiresInSeconds = until === 'forever' ? null : Number(until)
      await call(`${api}verification/access/grant`, {
        body: { qHash: qhash, ownerWallet: wallet, viewerWallet, expiresInSeconds },
        headers,
      })
      const link = makeElement(
        'pre',
        { class: 'code', 'data-copy': copying.copy },
        new URL(`proof/${qhash}`, root).href,
      )
      const told = makeElement('div', {}, makeElement('p', {}, words.shared(shortenAddress(viewerWallet))), link)
      offerCopies(told)
      attempts.fail(told, undefined, 'info')
    },
    pressed: viewer,
  })
})

owner.hidden = false
revoking.hidden = false
