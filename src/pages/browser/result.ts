/** The end of a journey: the proofs, and the way back to the requesting site. */

import { guestListId } from '../../gates/guests/guest-list.ts'
import { addParameters } from '../../http/return-url.ts'
import { agentDelegationId, walletLinkId } from '../../verifiers/roles.ts'
import { makeElement, renderButton, renderFacts } from '../../web/ui/dom.ts'
import { parseWebUrl } from '../../web-url.ts'
import type { VerifyModel } from '../verify-model.ts'
import { verify, result as words } from '../words/en/verify.ts'
import { askToTell } from './hand-over.ts'
import type { Done, Proof } from './journey.ts'
import { isSameAddress } from './person.ts'
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
  readonly isSignedIn: boolean
}

/** The proof to report to the requesting site: the delegation of an agent, else the last one. */
export const findTelling = (done: readonly Done[]): Done | undefined =>
  done.find(({ verifierId }) => verifierId === agentDelegationId) ?? done.at(-1)

/** The pass of a guest list has an id like a proof, and no page. */
const isProof = ({ verifierId }: Done): boolean => verifierId !== guestListId

export function renderResult(result: Result): HTMLElement {
  const { done, proofs, root, model, isSignedIn } = result
  const wayBack = renderWayBack(result)
  // The most useful step is the one back to the site or the gate, where there is one.
  const isEnd = wayBack.length === 0 && model.request.gateId === undefined
  return makeElement(
    'div',
    {},
    ...done.filter(isProof).map(({ verifierId, qHash, title: named, reused, isUnsigned, isPrivate }, index) => {
      const portable = proofs.get(qHash)?.portableProof
      const title = model.verifiers[verifierId]?.title ?? verifierId
      return makeElement(
        'section',
        {},
        makeElement(
          'h2',
          {},
          named === undefined ? (reused ? words.reused(title) : title) : makeElement('bdi', {}, named),
        ),
        named !== undefined && makeElement('p', { class: 'quiet' }, title),
        renderFacts([[words.proofId, qHash, true]]),
        isPrivate !== undefined &&
          makeElement('p', {}, isPrivate ? `${words.onlyYou}${isSignedIn ? '' : words.signInToShare}` : words.everyone),
        isUnsigned && makeElement('p', { class: 'notice' }, `${words.notSigned} ${verify.unsignedLimits}`),
        makeElement(
          'div',
          { class: 'actions' },
          makeElement(
            'a',
            { class: isEnd && index === 0 ? 'button' : 'button secondary', href: `${root}proof/${qHash}` },
            words.view,
          ),
          !isPrivate && copyButton(words.copyLink, new URL(`${root}proof/${qHash}`, location.href).href),
          portable !== undefined && saveButton(portable, qHash),
        ),
      )
    }),
    ...wayBack,
    makeElement('p', { class: 'quiet ways-on' }, ...renderWaysOn(result)),
  )
}

function renderWaysOn({ model, root, isSignedIn }: Result): HTMLElement[] {
  const { gateId, returnUrl, popup, verifierIds } = model.request
  const link = (href: string, text: string) => makeElement('a', { href }, text)
  const isAsked = returnUrl !== undefined || popup !== undefined
  const again = isAsked
    ? [link(location.href, words.another)]
    : [link(`${root}verify`, words.another), ...(verifierIds.length === 1 ? [link(location.href, words.sameKind)] : [])]
  return [
    ...(gateId === undefined ? again : []),
    isSignedIn ? link(root || './', words.toProofs) : link(`${root}login?returnTo=%2F`, words.signIn),
  ]
}

/** A button that says for a moment what came of it. Live, so that the change is read out. */
function makeTellingButton(text: string, act: () => string | Promise<string>): HTMLElement {
  const button = renderButton(
    text,
    async () => {
      button.textContent = await act()
      setTimeout(() => {
        button.textContent = text
      }, 2000)
    },
    'secondary',
  )
  button.ariaLive = 'polite'
  return button
}

export const copyButton = (text: string, what: string): HTMLElement =>
  makeTellingButton(text, () =>
    navigator.clipboard.writeText(what).then(
      () => words.copied,
      () => words.copyByHand,
    ),
  )

const saveButton = (portable: object, qHash: string): HTMLElement =>
  makeTellingButton(words.save, () => {
    const address = URL.createObjectURL(new Blob([JSON.stringify(portable, null, 2)], { type: 'application/json' }))
    makeElement('a', { href: address, download: `proof-${qHash.slice(2, 10)}.json` }).click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
    return words.saved
  })

function renderWayBack(result: Result): (HTMLElement | undefined)[] {
  const { model, successReturnUrl } = result
  const { returnUrl, popup } = model.request
  const question = renderQuestion(result)
  if (question) return [question]
  if (popup !== undefined) return [tellOpener(result, popup)]
  const place = returnUrl ?? readWebAddress(successReturnUrl)
  if (place === undefined) return []
  const { origin, pathname } = new URL(place)
  const isLinked = pathname.endsWith('/wallets') && result.done.at(-1)?.verifierId === walletLinkId
  if (origin === location.origin)
    return [
      makeElement('h2', {}, isLinked ? words.linked : words.goOn),
      makeElement(
        'div',
        { class: 'actions' },
        makeElement('a', { class: 'button', id: 'go-on', href: place }, isLinked ? words.backToWallets : words.goBack),
      ),
    ]
  const address = returnUrl === undefined ? place : addResult(place, result)
  return [
    makeElement('h2', {}, words.goOn),
    makeElement('p', {}, ...words.leaves(makeElement('strong', {}, new URL(place).host), returnUrl !== undefined)),
    makeElement(
      'div',
      { class: 'actions' },
      makeElement(
        'a',
        { class: 'button', id: 'go-on', href: address, rel: 'noreferrer' },
        words.goOnTo(new URL(place).host),
      ),
    ),
  ]
}

/**
 * The question whether to tell the site who this is. Undefined if the site may not be told, or several wallets took
 * part.
 */
function renderQuestion(result: Result): HTMLElement | undefined {
  const { model, done, teller } = result
  const { handover, popup, returnUrl, gateId } = model.request
  const wallet = done[0]?.wallet
  if (!handover || wallet === undefined) return undefined
  if (!done.every((one) => isSameAddress(one.wallet, wallet))) return undefined
  const qHashes = [...new Set(done.map(({ qHash }) => qHash))]
  let isReported = false
  const renderAnswered = (code: string | undefined): HTMLElement | undefined => {
    if (isReported) return undefined
    isReported = true
    if (popup !== undefined) return tellOpener(result, popup, code)
    location.assign(addResult(returnUrl!, result, code))
    return undefined
  }
  // Closing the window without an answer still reports the proof, because a later message may not arrive.
  if (popup !== undefined) addEventListener('beforeunload', () => renderAnswered(undefined))
  return askToTell({
    handover,
    wallet,
    teller,
    about: { qHashes, ...(gateId === undefined ? {} : { gateId }) },
    answered: renderAnswered,
  })
}

export const readWebAddress = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : parseWebUrl(text)?.href

const addResult = (place: string, { done, model }: Result, code?: string): string =>
  addParameters(place, {
    qHash: findTelling(done)?.qHash,
    qHashes: done.length > 1 ? done.map(({ qHash }) => qHash).join(',') : undefined,
    ...findAgent(done),
    code,
    state: model.request.state,
  })

/** Returns the members of the agent flow, as the form of the step made them. */
const findAgent = (done: readonly Done[]): Readonly<Record<string, string>> | undefined =>
  done.find(({ agent }) => agent !== undefined)?.agent

/** The browser delivers the message to a page of that origin only. */
function tellOpener({ model, done, eligible, home }: Result, origin: string, code?: string): HTMLElement {
  const told = findTelling(done)
  const opener = window.opener as Window | null
  if (!opener || !told) return makeElement('p', { class: 'notice warning' }, words.openerGone)
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
      ...findAgent(done),
      ...(code === undefined ? {} : { code }),
      ...(model.request.state === undefined ? {} : { state: model.request.state }),
    },
    origin,
  )
  return makeElement(
    'div',
    { class: 'notice' },
    makeElement('p', {}, ...words.told(makeElement('strong', {}, new URL(origin).host))),
    renderButton(words.close, () => window.close()),
  )
}
