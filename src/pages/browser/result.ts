/** The end of a journey: the proofs, and the way back to the requesting site. */

import { addParameters } from '../../http/return-url.ts'
import { agentDelegationId } from '../../verifiers/roles.ts'
import { button, el, facts } from '../../web/ui/dom.ts'
import { parseWebUrl } from '../../web-url.ts'
import type { VerifyModel } from '../verify-model.ts'
import { askToTell } from './hand-over.ts'
import type { Done, Proof } from './journey.ts'
import { sameAddress } from './person.ts'
import type { Teller } from './teller.ts'

export interface Result {
  readonly model: VerifyModel
  readonly root: string
  readonly home: URL
  readonly done: readonly Done[]
  /** The proofs made in this page, with their portable form. */
  readonly proofs: ReadonlyMap<string, Proof>
  readonly eligible: boolean
  /** The address that the gate's owner set for people who pass. */
  readonly successReturnUrl?: string | undefined
  /** Makes the code for the requesting site. */
  readonly teller: Teller
}

/** The proof to report to the requesting site: the delegation of an agent, else the last one. */
export const tellingOf = (done: readonly Done[]): Done | undefined =>
  done.find(({ verifierId }) => verifierId === agentDelegationId) ?? done.at(-1)

export function resultView(result: Result): HTMLElement {
  const { done, proofs, root, model } = result
  return el(
    'div',
    {},
    ...done.map(({ verifierId, qHash, reused }) => {
      const portable = proofs.get(qHash)?.portableProof
      const title = model.verifiers[verifierId]?.title ?? verifierId
      return el(
        'section',
        {},
        el('h2', {}, reused ? `${title}: you had this already` : title),
        facts([['Id of the proof', qHash, true]]),
        el(
          'div',
          { class: 'actions' },
          el('a', { class: 'button secondary', href: `${root}proof/${qHash}` }, 'Look at it'),
          copyButton('Copy the id', qHash),
          portable !== undefined && button('Save the portable proof', () => save(portable, qHash), 'secondary'),
        ),
      )
    }),
    ...wayBack(result),
  )
}

export function copyButton(text: string, what: string): HTMLElement {
  const copy = button(
    text,
    async () => {
      try {
        await navigator.clipboard.writeText(what)
        copy.textContent = 'Copied'
      } catch {
        copy.textContent = 'Copy it by hand'
      }
      setTimeout(() => {
        copy.textContent = text
      }, 2000)
    },
    'secondary',
  )
  return copy
}

function save(portable: object, qHash: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(portable, null, 2)], { type: 'application/json' }))
  el('a', { href: address, download: `proof-${qHash.slice(2, 10)}.json` }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

function wayBack(result: Result): (HTMLElement | undefined)[] {
  const { model, successReturnUrl } = result
  const { returnUrl, popup } = model.request
  const question = questionOf(result)
  if (question) return [question]
  if (popup !== undefined) return [tellOpener(result, popup)]
  const place = returnUrl ?? webAddress(successReturnUrl)
  if (place === undefined) return []
  if (new URL(place).origin === location.origin)
    return [
      el('h2', {}, 'Go on'),
      el('div', { class: 'actions' }, el('a', { class: 'button', id: 'go-on', href: place }, 'Go back')),
    ]
  const address = returnUrl === undefined ? place : withResult(place, result)
  return [
    el('h2', {}, 'Go on'),
    el(
      'p',
      {},
      'This leaves for ',
      el('strong', {}, new URL(place).host),
      returnUrl === undefined ? '.' : ', which learns the id of the proof.',
    ),
    el(
      'div',
      { class: 'actions' },
      el('a', { class: 'button', id: 'go-on', href: address, rel: 'noreferrer' }, `Go on to ${new URL(place).host}`),
    ),
  ]
}

/**
 * The question whether to tell the site who this is. Undefined if the site may not be told, or several wallets took
 * part.
 */
function questionOf(result: Result): HTMLElement | undefined {
  const { model, done, teller } = result
  const { handover, popup, returnUrl, gateId } = model.request
  const wallet = done[0]?.wallet
  if (!handover || wallet === undefined) return undefined
  if (!done.every((one) => sameAddress(one.wallet, wallet))) return undefined
  const qHashes = [...new Set(done.map(({ qHash }) => qHash))]
  let isTold = false
  const answered = (code: string | undefined): HTMLElement | undefined => {
    if (isTold) return undefined
    isTold = true
    if (popup !== undefined) return tellOpener(result, popup, code)
    location.assign(withResult(returnUrl!, result, code))
    return undefined
  }
  // Closing the window without an answer still reports the proof, because a later message may not arrive.
  if (popup !== undefined) addEventListener('beforeunload', () => answered(undefined))
  return askToTell({
    handover,
    wallet,
    teller,
    about: { qHashes, ...(gateId === undefined ? {} : { gateId }) },
    answered,
  })
}

export const webAddress = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : parseWebUrl(text)?.href

const withResult = (place: string, { done, model }: Result, code?: string): string =>
  addParameters(place, {
    qHash: tellingOf(done)?.qHash,
    qHashes: done.length > 1 ? done.map(({ qHash }) => qHash).join(',') : undefined,
    ...agentOf(done),
    code,
    state: model.request.state,
  })

/** Returns the members of the agent flow, as the form of the step made them. */
const agentOf = (done: readonly Done[]): Readonly<Record<string, string>> | undefined =>
  done.find(({ agent }) => agent !== undefined)?.agent

/** The browser delivers the message to a page of that origin only. */
function tellOpener({ model, done, eligible, home }: Result, origin: string, code?: string): HTMLElement {
  const told = tellingOf(done)
  const opener = window.opener as Window | null
  if (!opener || !told)
    return el(
      'p',
      { class: 'notice warning' },
      'The page that opened this window is gone. The id above tells it everything: go back to it and start again, or give it the id.',
    )
  opener.postMessage(
    {
      type: `${model.brand}_checkout_done`,
      success: true,
      qHash: told.qHash,
      ...(done.length > 1 ? { qHashes: done.map(({ qHash }) => qHash) } : {}),
      eligible,
      verifierIds: [...new Set(done.map(({ verifierId }) => verifierId))],
      proofUrl: new URL(`proof/${told.qHash}`, home).href,
      walletAddress: told.wallet,
      ...(model.request.gateId === undefined ? {} : { gateId: model.request.gateId }),
      ...agentOf(done),
      ...(code === undefined ? {} : { code }),
      ...(model.request.state === undefined ? {} : { state: model.request.state }),
    },
    origin,
  )
  return el(
    'div',
    { class: 'notice' },
    el(
      'p',
      {},
      'The page at ',
      el('strong', {}, new URL(origin).host),
      ' was told, if it is the one that opened this window. You can close the window.',
    ),
    button('Close this window', () => window.close()),
  )
}
