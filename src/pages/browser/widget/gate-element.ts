/**
 * `<proof-gate>`: a button that leads to a gate or a verification of a server, and an event with the result. It uses a
 * window of its own, or this tab. It grants no access: a server must decide that.
 */
import { ProofgateError } from '../../../client/error.ts'
import { type CheckoutWindow, openCheckout } from './checkout-window.ts'
import { adopt, createDrawing, Element, fire, makeElement, makeSheet, reflect } from './element.ts'
import { parseServer, passes } from './server.ts'
import { buildPopupAddress, Misuse, readTarget, redirectAddress, type Target } from './target.ts'
import { readTexts, redraws } from './texts.ts'
import { hearWindow, readAddressResult, type Told } from './told.ts'
import type { ProofGateDone, ProofGateElement, ProofGateState } from './widget.d.ts'

const named = [
  'gate-id',
  'verifiers',
  'preset',
  'server',
  'mode',
  'return-url',
  'label',
  'message',
  'app-id',
  'link-state',
  'code-challenge',
]
const flags = ['disabled', 'check']
/** Styles of `<proof-gate>`: light or dark by the color-scheme of the page, in the font of the page. */
const gateStyle = `
:host{display:inline-block;max-width:100%;vertical-align:middle;--a:#0f6b5c;--o:#fff}
:host([hidden]){display:none}
@supports(color:light-dark(red,red)){:host{--a:light-dark(#0f6b5c,#6fd6bf);--o:light-dark(#fff,#06281f)}}
button,a{font:inherit;cursor:pointer}
[part=button]{display:inline-flex;gap:.625em;align-items:center;justify-content:center;box-sizing:border-box;max-width:100%;min-inline-size:44px;min-block-size:48px;margin:0;padding:.5em 1.25em;border:1px solid var(--proofgate-accent,var(--a));border-radius:var(--proofgate-radius,10px);background:var(--proofgate-accent,var(--a));color:var(--proofgate-on-accent,var(--o));font-weight:600;line-height:1.25;text-align:center;overflow-wrap:anywhere}
[part=button]:hover{filter:brightness(.92)}
[part=button]:disabled{cursor:default;opacity:.55;filter:none}
:focus-visible{outline:3px solid var(--proofgate-accent,var(--a));outline-offset:2px}
svg{flex:none;width:1.4em;height:1.4em;fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
[part=status]{font-size:.875em;line-height:1.5;overflow-wrap:anywhere}
[part=status]:not(:empty){padding-block-start:.375em}
[part=link]{display:inline-flex;align-items:center;min-block-size:44px;margin:0;padding:0;border:0;background:none;color:inherit;text-decoration:underline;text-underline-offset:.15em}
@media(prefers-reduced-motion:no-preference){[part=button]{transition:filter .12s}}
`

const style = makeSheet(gateStyle)

export interface ProofGate extends ProofGateElement {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: reflect() defines the properties that stand for attributes
export class ProofGate extends Element {
  static readonly observedAttributes = [...named, ...flags]

  #button: HTMLButtonElement | undefined
  #status!: HTMLElement
  #name!: HTMLElement
  #state: ProofGateState = 'idle'
  #result: ProofGateDone | null = null
  #window: CheckoutWindow | undefined
  #checking: AbortController | undefined

  get state(): ProofGateState {
    return this.#state
  }

  get result(): ProofGateDone | null {
    return this.#result
  }

  connectedCallback(): void {
    this.#build()
    adopt(this, [...named, ...flags])
    this.#draw()
    redraws.add(this.#draw)
    this.#lookForReturn()
  }

  disconnectedCallback(): void {
    redraws.delete(this.#draw)
    // Moving the element does not end the journey.
    setTimeout(() => {
      if (this.isConnected) return
      this.#forget()
      this.#show('idle')
    })
  }

  attributeChangedCallback(): void {
    if (!this.#button) return
    this.#draw()
    // A framework may set the attributes only now.
    if (this.isConnected) this.#lookForReturn()
  }

  start(): void {
    if (this.disabled) return
    if (this.#state === 'open') {
      this.#window?.focus()
      return
    }
    this.#forget()
    try {
      const server = this.#server()
      const target = this.#target()
      if (this.mode === 'redirect') location.assign(this.#redirect(server, target))
      else this.#open(server, target)
    } catch (error) {
      if (!(error instanceof Misuse)) throw error
      this.#fail('MISUSED', `${this.#texts.misused} ${error.message}`, false)
    }
  }

  #open(server: URL, target: Target): void {
    // A page without an origin of its own (a file, a sandboxed frame) cannot receive a message.
    if (location.origin === 'null') throw new Misuse('the page that it stands on has no origin')
    const redirect = this.#redirect(server, target)
    this.#window = openCheckout(buildPopupAddress(server, target, location.origin), {
      done: (message) => {
        const told = hearWindow(message, server, target)
        if (told) void this.#finish(server, told)
        return told !== undefined
      },
      closed: () => {
        this.#show('closed', this.#texts.closed, this.#renderHereLink(redirect))
        fire(this, 'proofgate-closed', null)
      },
    })
    if (this.#window) this.#show('open', this.#texts.opened)
    else {
      this.#show('blocked', this.#texts.blocked, this.#renderHereLink(redirect))
      fire(this, 'proofgate-error', { code: 'POPUP_BLOCKED', message: this.#texts.blocked, retryable: true })
    }
  }

  #lookForReturn(): void {
    // Listeners may be added later, by scripts behind this one in the same page.
    runWhenRead(() => {
      if (this.isConnected) this.#takeReturned()
    })
  }

  #takeReturned(): void {
    try {
      const server = this.#server()
      const target = this.#target()
      const isOnly = document.querySelectorAll(this.localName).length < 2
      const told = readAddressResult(server, target, isOnly)
      if (told) void this.#finish(server, told)
    } catch (error) {
      // The error is shown when the button is pressed.
      if (!(error instanceof Misuse)) throw error
    }
  }

  async #finish(server: URL, told: Told): Promise<void> {
    this.#forget()
    if (!this.check) return this.#done({ ...told, checked: false })
    const { gateId, qHash, walletAddress } = told
    if (gateId === null) return this.#fail('MISUSED', `${this.#texts.misused} check goes with gate-id only`, false)
    this.#checking = new AbortController()
    const { signal } = this.#checking
    this.#show('checking', this.#texts.checking)
    try {
      const eligible = await passes(server, { gateId, qHash, walletAddress }, signal)
      if (!signal.aborted) this.#done({ ...told, eligible, checked: true })
    } catch (error) {
      if (signal.aborted) return
      const { code, message, retryable } =
        error instanceof ProofgateError ? error : { code: 'FAILED', message: String(error), retryable: true }
      const again = makeElement('button', { type: 'button', part: 'link' }, this.#texts.again)
      again.addEventListener('click', () => void this.#finish(server, told))
      this.#fail(code, retryable ? this.#texts.unavailable : message, retryable, again)
    }
  }

  #done(result: ProofGateDone): void {
    this.#result = Object.freeze(result)
    const { eligible, checked } = result
    // An id from an address is not verified yet.
    const open = checked ? this.#texts.unseen : this.#texts.back
    this.#show('done', eligible === null ? open : eligible ? this.#texts.done : this.#texts.refused)
    fire(this, 'proofgate-done', this.#result)
  }

  #fail(code: string, message: string, retryable: boolean, ...more: readonly Node[]): void {
    this.#show('failed', message, ...more)
    fire(this, 'proofgate-error', { code, message, retryable })
  }

  /** Silently ends the current journey. */
  #forget(): void {
    this.#window?.forget()
    this.#window = undefined
    this.#checking?.abort()
    this.#checking = undefined
  }

  #server(): URL {
    const server = parseServer(this.server)
    if (!server) throw new Misuse('server must be an address such as https://proofs.example.com')
    return server
  }

  #target(): Target {
    const { gateId, verifiers, preset, message, appId, linkState: state, codeChallenge } = this
    const challenge = codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}
    return readTarget({ gateId, verifiers, preset }, { message, appId, state, ...challenge })
  }

  #redirect(server: URL, target: Target): string {
    return redirectAddress(server, target, this.returnUrl, location.href)
  }

  get #texts(): ReturnType<typeof readTexts> {
    return readTexts(this)
  }

  /** For this tab: a link, because browsers block no link. It leaves a frame, because the page refuses to be framed. */
  #renderHereLink(href: string): HTMLElement {
    return makeElement('a', { part: 'link', target: '_top', href }, this.#texts.here)
  }

  #build(): void {
    if (this.#button) return
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    root.adoptedStyleSheets = [style()]
    this.#name = makeElement('span')
    const slot = makeElement('slot', {}, this.#name)
    this.#button = makeElement(
      'button',
      { type: 'button', part: 'button' },
      createDrawing('M6 19v-8a6 6 0 0 1 12 0v8M9 14l2 2 4-5'),
      makeElement('span', {}, slot),
    )
    this.#button.addEventListener('click', () => this.start())
    this.#status = makeElement('div', { part: 'status', role: 'status', dir: 'auto' })
    root.append(this.#button, this.#status)
  }

  #draw = (): void => {
    const { label } = this
    const texts = this.#texts
    this.#name.textContent = label || texts.button
    // The label of the page is in the language of the page.
    if (label) this.#name.removeAttribute('lang')
    else this.#name.lang = texts.lang
    this.#button!.disabled = this.disabled
    this.#status.lang = texts.lang
  }

  #show(state: ProofGateState, words = '', ...more: readonly Node[]): void {
    this.#state = state
    // The focused element is about to be removed.
    if (this.#status.contains(this.shadowRoot!.activeElement)) this.#button!.focus()
    this.#status.replaceChildren(words, ...more.flatMap((node) => [' ', node]))
  }
}

reflect(ProofGate.prototype, named, flags)

/** Runs after the page and its scripts were read, or at once if they are. */
function runWhenRead(act: () => void): void {
  if (document.readyState === 'complete') {
    queueMicrotask(act)
    return
  }
  let isDone = false
  const runOnce = (): void => {
    if (!isDone) act()
    isDone = true
  }
  document.addEventListener('DOMContentLoaded', runOnce)
  // After the DOM was parsed, only the load event is left.
  window.addEventListener('load', runOnce)
}
