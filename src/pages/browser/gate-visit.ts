/** The visit of a gate on /verify: signing in, the steps that its checkout opens, and the checkout itself. */
import { renderFacts, requireElement } from '../../web/ui/dom.ts'
import type { BrowserSession } from '../verify-model.ts'
import { verify as words } from '../words/en/verify.ts'
import { showStep } from './claim-step.ts'
import { describeGateError, type Gate, loadGate, renderClosed, renderOffer } from './gate.ts'
import type { Done } from './journey.ts'
import { loadPart } from './load-part.ts'
import { findSignedIn, type Person } from './person.ts'
import { signInWanted } from './sign-in-here.ts'
import type { Desk, Step } from './step.ts'
import { offerUnsigned } from './step-views.ts'

/** What the steps of a link and a gate have in common, and change. */
export interface VisitState {
  session: BrowserSession | undefined
  /** The person of the checkout, who also makes the proofs that need no particular wallet. */
  main: Person | undefined
  /** The person whose step or checkout is shown. */
  shownFor: Person | undefined
  /** All is done: a change in a wallet no longer changes the page. */
  isEnd: boolean
}

interface Page {
  readonly apiRoot: string
  /** Shows the current state again. */
  readonly render: () => void
  readonly drawSummary: (person: Person | undefined) => void
  readonly connectAtOnce: (connect: () => void) => void
  readonly renderEnd: (done: readonly Done[], successReturnUrl?: string) => HTMLElement
}

/** The checkout is a script of its own, so that making a proof does not load it. */
const loadCheckout = () => loadPart(() => import('./checkout.ts'))

export class GateVisit {
  gate: Gate | undefined
  /** The step that the checkout opened. */
  opened: Step | undefined
  /** Whether the person has just made a proof for the gate. */
  private hasProved = false
  /** The key of the step that the signed-in person makes without a signature. */
  private unsignedStep: string | undefined

  constructor(
    private readonly gateId: string,
    private readonly desk: Desk,
    private readonly state: VisitState,
    private readonly page: Page,
  ) {}

  /** With `afresh`, a signed-in person does not continue automatically. */
  async render(afresh: boolean): Promise<void> {
    const { state, page } = this
    const gate = this.gate ?? (await this.load())
    if (!gate) return
    if (!state.main && state.session && !afresh) state.main = findSignedIn(state.session)
    page.drawSummary(state.main)
    if (!state.main || !state.session || !findSignedIn(state.session, state.main.address)) return this.askToSignIn(gate)
    state.shownFor = state.main
    if (this.opened) return this.showOpened(this.opened, state.main)
    await this.showCheckout(gate, state.main)
  }

  private async load(): Promise<Gate | undefined> {
    const { attempts } = this.desk
    const isCurrent = attempts.begin()
    if (!isCurrent) return undefined
    try {
      attempts.say(words.loadingGate)
      const gate = await loadGate(this.desk, this.gateId)
      // Only now is the server known to be there: a browser does not repeat the import of a script that failed.
      const { listAsked } = await loadCheckout()
      if (!isCurrent()) return undefined
      this.gate = gate
      attempts.finish()
      requireElement('title').textContent = gate.name
      const { model } = this.desk
      requireElement('offer').replaceChildren(renderOffer(gate, model, listAsked(gate, model.verifiers)))
      attempts.title = `${gate.name} · Proofgate`
      document.title = attempts.title
      return gate
    } catch (error) {
      if (isCurrent()) attempts.fail(describeGateError(error))
      return undefined
    }
  }

  private askToSignIn(gate: Gate): void {
    const { state, page } = this
    const { api, attempts, wallets } = this.desk
    const askForWallet = () =>
      wallets.ask(
        signInWanted(page.apiRoot, attempts, (session, person) => {
          state.session = session
          this.take(person)
        }),
        page.connectAtOnce,
      )
    const closed = renderClosed(gate, api.now(), () => {
      requireElement('summary').replaceChildren()
      askForWallet()
    })
    if (closed) requireElement('summary').append(closed)
    else askForWallet()
  }

  private take(person: Person): void {
    this.desk.attempts.finish()
    this.desk.people.unshift(person)
    this.state.main = person
    this.page.render()
  }

  private async showOpened(step: Step, person: Person): Promise<void> {
    const { model, journey, wallets } = this.desk
    if (!person.wallet && this.unsignedStep !== step.key) {
      this.state.shownFor = undefined
      wallets.ask({
        heading: words.signWithWallet,
        address: person.address,
        known: person.address,
        before: renderFacts([[words.signedInAs, person.address, true]]),
        after: offerUnsigned(person, () => {
          this.unsignedStep = step.key
          this.page.render()
        }),
        chosen: (signer) => this.take(signer),
      })
      return
    }
    await showStep(this.desk, {
      heading: model.verifiers[step.verifierId]?.title ?? step.verifierId,
      step,
      person,
      finished: (result) => {
        journey.finish(step.key, result)
        this.hasProved = !result.reused
        this.changePlace(undefined)
      },
    })
  }

  private async showCheckout(gate: Gate, person: Person): Promise<void> {
    const { state, page } = this
    const { attempts, work } = this.desk
    const { showCheckout } = await loadCheckout()
    const { hasProved } = this
    this.hasProved = false
    await showCheckout(this.desk, gate, person, {
      hasProved,
      open: (step) => this.changePlace(step),
      ended(done, { checkout }, reward) {
        work.replaceChildren(reward, page.renderEnd(done, checkout.successReturnUrl ?? undefined))
        reward.querySelector('h2')?.focus()
      },
      signedOut() {
        state.session = undefined
        state.main = undefined
        page.render()
        attempts.fail(words.sessionOver, undefined, 'info')
      },
    })
  }

  /** A step gets a history entry, and so does the way back to the checkout. */
  private changePlace(opened: Step | undefined): void {
    this.opened = opened
    history.pushState(opened ? { opened } : {}, '')
    this.page.render()
  }
}
