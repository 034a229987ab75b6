/**
 * Runs on /verify: leads through the steps of the link in order, or through the checkout of a gate. Each step has its
 * place in the history of the tab; finished steps survive a reload (journey.ts).
 */
import { agentVerifierIds, walletLinkId } from '../../verifiers/roles.ts'
import { makeElement, renderFacts, requireElement } from '../../web/ui/dom.ts'
import type { VerifyModel } from '../verify-model.ts'
import { refusals } from '../words/en/errors.ts'
import { walletLink, verify as words } from '../words/en/verify.ts'
import { Attempts } from './attempt.ts'
import { fetchStep, showStep } from './claim-step.ts'
import { showBrandColor } from './gate.ts'
import { GateVisit, type VisitState } from './gate-visit.ts'
import { type Done, Journey } from './journey.ts'
import { takeKept } from './kept-form.ts'
import { loadSessionOver, loadSignOuts } from './load-part.ts'
import { offerCopies } from './offer-copies.ts'
import { findSignedIn, isSameAddress, type Person } from './person.ts'
import { forgetOthers } from './person-here.ts'
import { renderResult } from './result.ts'
import { Signers } from './signers.ts'
import type { Desk, Step } from './step.ts'
import { offerUnsigned, renderDone, renderPerson } from './step-views.ts'
import { Teller } from './teller.ts'
import { VerifyApi } from './verify-api.ts'
import { WalletDesk } from './wallet-desk.ts'
import { leadHome } from './wallets-here.ts'

const page = requireElement('page')
const model = JSON.parse(page.dataset.ask!) as VerifyModel
const root = page.dataset.root!
const home = new URL(page.dataset.home!)
const { request } = model
if (model.color !== undefined) showBrandColor(model.color)
const state: VisitState = { session: model.session, main: undefined, shownFor: undefined, isEnd: false }

/** The link without the parameters added during the journey. */
function buildLink(): string {
  const query = new URLSearchParams(location.search)
  for (const name of ['paymentCheckoutSessionId', 'oauthState', 'oauthError']) query.delete(name)
  return query.toString()
}

const attempts = new Attempts({
  status: requireElement('status'),
  problem: requireElement('problem'),
  busy: page,
  failed: words.failed,
})
const people: Person[] = []
// Before anything reads what the tab keeps.
forgetOthers(model.session?.accounts[0]?.wallet)
let sessionOver: Awaited<ReturnType<typeof loadSessionOver>>
void loadSessionOver().then((part) => {
  sessionOver = part
})
if (model.session) void loadSignOuts().then((part) => part?.reloadWhenSignedOut())
const wallets = new WalletDesk({ attempts, gone: endPerson })
const desk: Desk = {
  model,
  api: new VerifyApi(`${root}api/v1/`, model.now, model.brand, request.appId),
  journey: new Journey(buildLink()),
  kept: takeKept(),
  attempts,
  wallets,
  work: requireElement('work'),
  csrf: () => state.session?.csrf,
  renderSessionOver: (wallet) =>
    sessionOver?.renderSessionOver({
      root,
      wallet,
      renew(csrf) {
        if (state.session) state.session = { ...state.session, csrf }
      },
    }) ?? makeElement('p', {}, refusals.WALLET_AUTH_REQUIRED),
  proofs: new Map(),
  people,
}
const { journey, work } = desk

const steps: readonly Step[] = request.verifierIds.map((verifierId, index) => ({
  key: `${index} ${verifierId}`,
  verifierId,
  fixed: {},
}))
const signers = new Signers(steps, request.agent, journey)
const teller = new Teller({
  apiRoot: `${root}api/v1/`,
  attempts,
  wallets,
  people,
  get session() {
    return state.session
  },
  set session(now) {
    state.session = now
  },
})
/** The index among the steps. */
let at = 0
const visit =
  request.gateId === undefined
    ? undefined
    : new GateVisit(request.gateId, desk, state, {
        apiRoot: `${root}api/v1/`,
        render,
        drawSummary,
        connectAtOnce,
        renderEnd,
      })

function endPerson(person: Person, why: 'switched' | 'disconnected'): void {
  const index = people.indexOf(person)
  if (index >= 0) people.splice(index, 1)
  const name = person.wallet?.name ?? words.theWallet
  const isShown = state.main === person || state.shownFor === person
  if (state.main === person)
    state.main = visit?.gate && state.session ? findSignedIn(state.session, person.address) : undefined
  if (!isShown) return
  const text =
    why === 'switched'
      ? `${words.accountChanged(name)} ${state.isEnd ? words.chooseThatOfProof : words.chooseNext}`
      : words.disconnected(name)
  if (state.isEnd) {
    if (attempts.isUnderWay) attempts.fail(`${text} ${words.siteNotTold}`, undefined, 'info')
    return
  }
  // The page asked the person to switch to the second wallet.
  if (isLinking()) return
  const { isUnderWay, isPaying } = attempts
  const effect = isPaying ? words.mayBePaid : words.firstHasNoEffect
  const tell = (): void =>
    attempts.fail(isUnderWay ? `${text} ${effect}` : text, undefined, isPaying ? 'warning' : 'info')
  // A checkout asks the server first, and clears what was said before.
  void render()?.then(() => !attempts.isUnderWay && tell())
  tell()
}

const isLinking = (): boolean => (visit ? visit.opened : steps[at])?.verifierId === walletLinkId

function drawSteps(): void {
  const items = [...requireElement('steps').children]
  for (const [index, item] of items.entries()) {
    const done = journey.doneAt(steps[index]?.key ?? '')
    item.className = done ? 'met' : ''
    if (index === at) item.setAttribute('aria-current', 'step')
    else item.removeAttribute('aria-current')
  }
}

function drawSummary(person: Person | undefined): void {
  requireElement('summary').replaceChildren(...(person ? [renderPerson(person, model, chooseAnother)] : []))
}

/** Continues as a different person. */
function chooseAnother(): void {
  if (attempts.isUnderWay) return
  state.main = undefined
  people.splice(0)
  render(true)
}

/**
 * Renders the current state. With `afresh`, a signed-in person does not continue automatically. Returns the promise of a
 * gate, which is drawn once the server has answered.
 */
function render(afresh = false): Promise<void> | undefined {
  attempts.finish()
  wallets.hide()
  work.replaceChildren()
  state.shownFor = undefined
  state.isEnd = false
  page.classList.remove('ended')
  drawSteps()
  if (visit) {
    return visit.render(afresh)
  }
  if (at >= steps.length) {
    showEnd()
    return
  }
  const step = steps[at]!
  const done = journey.doneAt(step.key)
  if (done) {
    requireElement('summary').replaceChildren()
    work.replaceChildren(
      renderDone(writeHeading(step), done, {
        goOn: () => go(at + 1),
        again() {
          journey.reopen(step.key)
          render()
        },
      }),
    )
    return
  }
  const person = signers.among(step, state.main, people)
  drawSummary(person)
  if (!person) {
    // The page says above that this server does not offer it. A wallet would change nothing.
    if (isAbsent(step)) return
    // It comes while the person chooses a wallet.
    fetchStep(step.verifierId)
    askPerson(step, afresh)
    return
  }
  state.shownFor = person
  void showStep(desk, {
    heading: writeHeading(step),
    step,
    person,
    finished(result) {
      journey.finish(step.key, result)
      go(at + 1)
    },
  })
}

const isAbsent = ({ verifierId }: Step): boolean => model.verifiers[verifierId]?.absence !== undefined

const writeHeading = ({ verifierId }: Step): string => {
  const title = model.verifiers[verifierId]?.title ?? verifierId
  return steps.length > 1 ? words.stepOf(at + 1, steps.length, title) : words.yourProof
}

/** With `afresh`, the person has asked for another wallet, so the page takes none by itself. */
function askPerson(step: Step, afresh: boolean): void {
  const { heading, address } = signers.of(step)
  const signedIn = state.session && findSignedIn(state.session, address)
  const isEnough = signedIn && signers.canBe(step, signedIn)
  wallets.ask(
    {
      heading,
      address,
      known: afresh ? undefined : findKnown(step, signedIn),
      before: renderBefore(step, address),
      after: isEnough ? offerUnsigned(signedIn, () => take(signedIn, step)) : undefined,
      chosen(person) {
        attempts.finish()
        people.unshift(person)
        take(person, step)
      },
    },
    connectAtOnce,
  )
}

/** After a switch of the language: the wallet of the form. It has allowed this page before. */
function findKnown({ key }: Step, signedIn: Person | undefined): string | undefined {
  if (desk.kept?.step === key) return desk.kept.wallet
  return signers.areSeveral ? undefined : signedIn?.address
}

/** The account that must sign, or the order of the wallets that sign. */
function renderBefore({ verifierId }: Step, address: string | undefined): HTMLElement | undefined {
  if (address !== undefined) return renderFacts([[words.signedBy, address, true]])
  // The proof belongs to the primary wallet, so that one comes first.
  return verifierId === walletLinkId && state.session
    ? makeElement('p', {}, walletLink.order(state.session.accounts[0]!.wallet))
    : undefined
}

/** Connects at once if the link says so and there is one wallet. */
function connectAtOnce(connect: () => void): void {
  if (request.connect) connect()
}

function take(person: Person, step: Step): void {
  signers.choose(step, person)
  const strangers = steps.filter(({ key, verifierId }) => {
    const done = journey.doneAt(key)
    return (
      done &&
      !agentVerifierIds.includes(verifierId) &&
      !signers.areSeveral &&
      !isSameAddress(done.wallet, person.address)
    )
  })
  for (const { key } of strangers) journey.reopen(key)
  state.main = person
  if (strangers.length > 0) at = steps.findIndex(({ key }) => !journey.doneAt(key))
  render()
  if (strangers.length > 0) attempts.fail(words.othersPutAside, undefined, 'info')
}

/** Each step gets a history entry. */
function go(to: number): void {
  at = to
  history.pushState({ at }, '')
  render()
  window.scrollTo({ top: 0 })
}

function showEnd(): void {
  const done = steps.flatMap(({ key }) => journey.doneAt(key) ?? [])
  const missing = steps.findIndex(({ key }) => !journey.doneAt(key))
  if (missing >= 0) {
    at = missing
    render()
    return
  }
  requireElement('title').textContent = words.done
  document.title = `${words.done} · ${attempts.title}`
  work.replaceChildren(renderEnd(done))
}

/** The proofs, and the ways on. The result shows the way back itself, so the destination is not named twice. */
function renderEnd(done: readonly Done[], successReturnUrl?: string): HTMLElement {
  state.isEnd = true
  page.classList.add('ended')
  requireElement('summary').replaceChildren()
  const destination = document.querySelector<HTMLElement>('.destination')
  if (destination) destination.hidden = true
  const isSignedIn = state.session !== undefined
  const { proofs } = desk
  return renderResult({ model, root, home, done, proofs, eligible: true, teller, isSignedIn, successReturnUrl })
}

window.addEventListener('popstate', ({ state: kept }) => {
  const place = (kept ?? {}) as { at?: number; opened?: Step }
  at = place.at ?? 0
  if (visit) visit.opened = place.opened
  render()
})

// A page from the back/forward cache does not know what happened meanwhile.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

if (home.origin !== location.origin) leadHome(home, requireElement('way-in'))
else {
  offerCopies(page)
  const place = (history.state ?? desk.kept?.place) as { at?: number; opened?: Step } | null | undefined
  // A reload or going back shows the finished steps. Opening the link anew starts over.
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (!desk.kept && loaded?.type === 'navigate' && steps.length > 0 && steps.every(({ key }) => journey.doneAt(key)))
    journey.forget()
  const next = steps.findIndex(({ key }) => !journey.doneAt(key))
  at = place?.at ?? (next < 0 ? steps.length : next)
  if (visit) visit.opened = place?.opened
  render()
  void import('./language-switch.ts').then(
    ({ watchSwitch }) =>
      watchSwitch(() => ({
        place: history.state,
        step: (visit ? visit.opened : steps[at])?.key,
        wallet: state.shownFor?.address,
      })),
    // Without it, a switch of the language begins the form anew.
    () => undefined,
  )
}
