/**
 * Runs on /verify: leads through the steps that the link asks for, one after the other, or through the checkout of a gate.
 * Each step has its place in the history of the tab; what was done is kept over a reload (journey.ts).
 */
import type { BrowserSession, VerifyModel } from '../verify-model.ts'
import { Attempts } from './attempt.ts'
import { AuthApi } from './auth-api.ts'
import { showCheckout } from './checkout.ts'
import { type Desk, type Step, showStep } from './claim-step.ts'
import { button, byId, el, facts, short } from './dom.ts'
import { type Gate, gateHead, gateTrouble, loadGate } from './gate.ts'
import { type Done, Journey } from './journey.ts'
import { call, type Data } from './json-api.ts'
import { offerCopies } from './offer-copies.ts'
import { chainOf, type Person, sameAddress, signedInPerson } from './person.ts'
import { resultView } from './result.ts'
import { VerifyApi } from './verify-api.ts'
import { WalletDesk, type Wanted } from './wallet-desk.ts'
import { leadHome } from './wallets-here.ts'

const page = byId('page')
const model = JSON.parse(page.dataset.ask!) as VerifyModel
const root = page.dataset.root!
const home = new URL(page.dataset.home!)
const { request } = model
const auth = new AuthApi(`${root}api/v1/auth/`)
let session = model.session

/** The link without what is added to it on the way. */
function linkOf(): string {
  const query = new URLSearchParams(location.search)
  for (const name of ['paymentCheckoutSessionId', 'oauthState', 'oauthError']) query.delete(name)
  return query.toString()
}

const attempts = new Attempts({ status: byId('status'), problem: byId('problem'), busy: page, failed: 'Not yet' })
const people: Person[] = []
const wallets = new WalletDesk({ attempts, gone })
const desk: Desk = {
  model,
  api: new VerifyApi(`${root}api/v1/`, model.now, model.brand, request.appId),
  journey: new Journey(linkOf()),
  attempts,
  wallets,
  work: byId('work'),
  csrf: () => session?.csrf,
  proofs: new Map(),
  people,
}
const { journey, work } = desk

const steps: readonly Step[] = request.verifierIds.map((verifierId, index) => ({
  key: `${index} ${verifierId}`,
  verifierId,
  fixed: {},
}))
let gate: Gate | undefined
/** Who goes through the checkout, or makes the proofs that no particular wallet must sign. */
let main: Person | undefined
/** Place among the steps, or the step of a gate that is open. */
let at = 0
let opened: Step | undefined

function gone(person: Person, why: 'switched' | 'disconnected'): void {
  const index = people.indexOf(person)
  if (index >= 0) people.splice(index, 1)
  const name = person.wallet?.name ?? 'The wallet'
  const isShown = main === person || shownFor === person
  if (main === person) main = gate && session ? signedInPerson(session, person.address) : undefined
  if (!isShown) return
  const text =
    why === 'switched'
      ? `You changed the account in ${name}. Choose the wallet that goes on.`
      : `${name} disconnected this page.`
  // A second wallet was asked for: switching is what the person was told to do.
  if (isLinking()) return
  const wasUnderWay = attempts.isUnderWay
  render()
  attempts.fail(wasUnderWay ? `${text} What was under way with the first one has no effect.` : text, undefined, 'info')
}

let shownFor: Person | undefined
const isLinking = (): boolean =>
  opened?.verifierId === 'wallet-link' || (!gate && steps[at]?.verifierId === 'wallet-link')

/** Who must sign a step, where that is not whoever came. */
function signerOf({ verifierId }: Step): Pick<Wanted, 'heading' | 'address' | 'other'> {
  const plan = request.agent
  const identity = steps.map(({ key }) => journey.doneAt(key)).find((done) => done?.verifierId === 'agent-identity')
  const agentWallet = plan?.agentWallet ?? identity?.wallet
  if (verifierId === 'agent-identity') return { heading: 'The wallet of the agent', address: plan?.agentWallet }
  if (verifierId === 'agent-delegation')
    return {
      heading: 'Your wallet, which lets the agent act',
      address: plan?.controllerWallet,
      ...(agentWallet === undefined
        ? {}
        : {
            other: {
              address: agentWallet,
              why: 'This is the wallet of the agent itself. Choose the wallet that lets it act.',
            },
          }),
    }
  return { heading: 'Choose a wallet', address: hasAgentSteps ? plan?.controllerWallet : undefined }
}

const hasAgentSteps = steps.some(({ verifierId }) => verifierId.startsWith('agent-'))

function personFor(step: Step): Person | undefined {
  const { address, other } = signerOf(step)
  const fits = (one: Person): boolean =>
    (address === undefined || sameAddress(one.address, address)) && !(other && sameAddress(other.address, one.address))
  if (!hasAgentSteps) return main
  return [...(main ? [main] : []), ...people].find(fits)
}

function drawSteps(): void {
  const items = [...byId('steps').children]
  for (const [index, item] of items.entries()) {
    const done = journey.doneAt(steps[index]?.key ?? '')
    item.className = done ? 'met' : ''
    if (index === at) item.setAttribute('aria-current', 'step')
    else item.removeAttribute('aria-current')
  }
}

function drawSummary(person: Person | undefined) {
  const summary = byId('summary')
  if (!person) return summary.replaceChildren(...(gate ? [gateHead(gate)] : []))
  summary.replaceChildren(
    ...(gate ? [gateHead(gate)] : []),
    facts([
      ['Wallet', person.address, true],
      ['Signs for the chain', chainOf(person, model.hubChainId)],
    ]),
    el(
      'p',
      {},
      el(
        'span',
        { class: 'quiet' },
        person.wallet ? `Connected through ${person.wallet.name}. ` : 'Signed in, without a connected wallet. ',
      ),
      el('button', { type: 'button', class: 'link', onclick: () => another() }, 'Use another wallet'),
    ),
  )
}

function another(): void {
  if (attempts.isUnderWay) return
  main = undefined
  people.splice(0)
  render(true)
}

/** What the page shows now. `afresh`: whoever is signed in does not go on by itself. */
function render(afresh = false): void {
  attempts.finish()
  wallets.hide()
  work.replaceChildren()
  shownFor = undefined
  drawSteps()
  if (request.gateId !== undefined) {
    void renderGate(afresh)
    return
  }
  if (at >= steps.length) {
    finale()
    return
  }
  const step = steps[at]!
  const done = journey.doneAt(step.key)
  if (done) {
    showDone(step, done)
    return
  }
  const person = personFor(step)
  drawSummary(person)
  if (!person) {
    askFor(step)
    return
  }
  shownFor = person
  void showStep(desk, {
    heading: headingOf(step),
    step,
    person,
    finished(result) {
      journey.finish(step.key, result)
      go(at + 1)
    },
  })
}

const headingOf = ({ verifierId }: Step): string => {
  const title = model.verifiers[verifierId]?.title ?? verifierId
  return steps.length > 1 ? `${at + 1} of ${steps.length}: ${title}` : 'What you prove'
}

function askFor(step: Step): void {
  const { heading, address, other } = signerOf(step)
  const signedIn = session && signedInPerson(session, address)
  const fits = signedIn && !(other && sameAddress(other.address, signedIn.address))
  wallets.ask(
    {
      heading,
      address,
      other,
      before: el(
        'div',
        {},
        address !== undefined && facts([['This step is signed by', address, true]]),
        fits && goOnSignedIn(signedIn, () => take(signedIn)),
      ),
      chosen(person) {
        attempts.finish()
        people.unshift(person)
        take(person)
      },
    },
    (connect) => {
      if (request.connect) connect()
    },
  )
}

/** Below a wallet in rank: what is signed can be taken elsewhere. */
const goOnSignedIn = (person: Person, chosen: () => void): HTMLElement =>
  el(
    'div',
    { class: 'choices' },
    el(
      'button',
      { type: 'button', class: 'choice', onclick: chosen },
      el(
        'span',
        { class: 'choice-text' },
        el('span', { class: 'choice-name' }, `Go on as ${short(person.address)}`),
        el(
          'span',
          { class: 'choice-note' },
          'Signed in here: no signature is asked for. A signed proof can be taken elsewhere, one that is not signed holds here only.',
        ),
      ),
    ),
  )

function take(person: Person): void {
  const strangers = steps.filter(({ key, verifierId }) => {
    const done = journey.doneAt(key)
    return done && !verifierId.startsWith('agent-') && !hasAgentSteps && !sameAddress(done.wallet, person.address)
  })
  for (const { key } of strangers) journey.reopen(key)
  main = person
  if (strangers.length > 0) at = steps.findIndex(({ key }) => !journey.doneAt(key))
  render()
  if (strangers.length > 0)
    attempts.fail(
      'What another wallet did with this link was put aside: the proofs are there, and not of this wallet.',
      undefined,
      'info',
    )
}

function showDone(step: Step, { qHash, reused = false }: Done): void {
  byId('summary').replaceChildren()
  work.replaceChildren(
    el('h2', { tabindex: -1 }, headingOf(step)),
    el('p', { class: 'notice' }, reused ? 'Done, with a proof that you had.' : 'Done.'),
    facts([['Id of the proof', qHash, true]]),
    el(
      'div',
      { class: 'actions' },
      button('Go on', () => go(at + 1)),
      button(
        'Do it again',
        () => {
          journey.reopen(step.key)
          render()
        },
        'secondary',
      ),
    ),
  )
}

/** Each step is a place to come back to. */
function go(to: number): void {
  at = to
  history.pushState({ at }, '')
  render()
  window.scrollTo({ top: 0 })
}

function finale(): void {
  const done = steps.flatMap(({ key }) => journey.doneAt(key) ?? [])
  const missing = steps.findIndex(({ key }) => !journey.doneAt(key))
  if (missing >= 0) {
    at = missing
    render()
    return
  }
  byId('summary').replaceChildren()
  byId('title').textContent = 'Done'
  document.title = `Done · ${attempts.title}`
  hideDestination()
  work.replaceChildren(resultView({ model, root, home, done, proofs: desk.proofs, eligible: true }))
}

/** The way back itself is there by then. */
function hideDestination(): void {
  const destination = document.querySelector<HTMLElement>('.destination')
  if (destination) destination.hidden = true
}

async function renderGate(afresh: boolean): Promise<void> {
  if (!gate) {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    try {
      attempts.say('Looking at the gate …')
      gate = await loadGate(desk, request.gateId!)
      if (!isCurrent()) return
      attempts.finish()
      byId('title').textContent = gate.name
      attempts.title = `${gate.name} · Proofgate`
      document.title = attempts.title
    } catch (error) {
      if (isCurrent()) attempts.fail(gateTrouble(error))
      return
    }
  }
  if (!main && session && !afresh) main = signedInPerson(session)
  drawSummary(main)
  if (!main || !session || !signedInPerson(session, main.address)) return askToSignIn()
  const person = main
  shownFor = person
  if (opened) {
    const step = opened
    return showStep(desk, {
      heading: model.verifiers[step.verifierId]?.title ?? step.verifierId,
      step,
      person,
      finished(result) {
        journey.finish(step.key, result)
        close()
      },
    })
  }
  await showCheckout(desk, gate, person, {
    open(step) {
      opened = step
      history.pushState({ opened: step }, '')
      render()
    },
    ended(done, { checkout }, reward) {
      hideDestination()
      byId('summary').replaceChildren()
      work.replaceChildren(
        reward,
        resultView({
          model,
          root,
          home,
          done,
          proofs: desk.proofs,
          eligible: true,
          successReturnUrl: checkout.successReturnUrl ?? undefined,
        }),
      )
      reward.querySelector('h2')?.focus()
    },
    signedOut() {
      session = undefined
      main = undefined
      render()
      attempts.fail('You are not signed in any more. Sign in once more to go on; nothing was lost.', undefined, 'info')
    },
  })
}

function close(): void {
  opened = undefined
  history.pushState({}, '')
  render()
}

function askToSignIn(): void {
  wallets.ask(
    {
      heading: 'Sign in with your wallet',
      before: el(
        'p',
        {},
        'First sign in: your wallet signs a short text, which costs nothing. Then your own proofs count here, and what you get is shown to you alone.',
      ),
      async chosen(person, isCurrent) {
        const { name, connection } = person.wallet!
        const message = await auth.message(connection.address, connection.chain)
        if (!isCurrent()) return
        attempts.say(`Sign the text that ${name} shows.`)
        const signed = await connection.sign(message)
        if (!isCurrent()) return
        attempts.say('Checking the signature …')
        const { csrfToken } = await auth.signIn({ message, ...signed })
        const me = await call(`${root}api/v1/auth/me`)
        if (!isCurrent()) return
        session = sessionFrom(me, String(csrfToken), person)
        attempts.finish()
        people.unshift(person)
        main = person
        render()
      },
    },
    (connect) => {
      if (request.connect) connect()
    },
  )
}

function sessionFrom(me: Data, csrf: string, { address }: Person): BrowserSession {
  const accounts = ((me.accounts ?? []) as readonly { address: string; contractOn: string | null }[]).map(
    ({ address: wallet, contractOn }) => ({ wallet, ...(contractOn === null ? {} : { contractOn }) }),
  )
  return { accounts: accounts.length > 0 ? accounts : [{ wallet: address }], csrf }
}

window.addEventListener('popstate', ({ state }) => {
  const place = (state ?? {}) as { at?: number; opened?: Step }
  at = place.at ?? 0
  opened = place.opened
  render()
})

// A page that the browser kept knows nothing of what happened since it was left.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

if (home.origin !== location.origin) leadHome(home, byId('way-in'), 'Proofs are made')
else {
  byId('this-page').textContent = location.href
  offerCopies(page)
  const kept = history.state as { at?: number; opened?: Step } | null
  const next = steps.findIndex(({ key }) => !journey.doneAt(key))
  at = kept?.at ?? (next < 0 ? steps.length : next)
  opened = kept?.opened
  render()
}
