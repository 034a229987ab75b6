/** `<proof-badge>`: whether a proof is valid, as its server says now, and a link to it. */

import { adopt, createDrawing, Element, fire, makeElement, makeSheet, reflect } from './element.ts'
import { isQHash, parseServer, readState } from './server.ts'
import { readTexts, redraws } from './texts.ts'
import type { ProofBadgeElement, ProofState } from './widget.d.ts'

const named = ['q-hash', 'server']
/** Styles of `<proof-badge>`: a small pill, and a target of 44 pixels around it. */
const badgeStyle = `
:host{display:inline-block;max-width:100%;vertical-align:middle;--g:#0f6b5c;--w:#8a5700;--r:#b3261e;--q:#55625e;--p:#fff}
:host([hidden]){display:none}
@supports(color:light-dark(red,red)){:host{--g:light-dark(#0f6b5c,#6fd6bf);--w:light-dark(#8a5700,#f0bd5c);--r:light-dark(#b3261e,#ff9b92);--q:light-dark(#55625e,#a5b1ad);--p:light-dark(#fff,#1c2022)}}
a{--c:var(--q);position:relative;display:inline-flex;gap:.4em;align-items:center;box-sizing:border-box;max-width:100%;min-block-size:28px;padding:.125em .75em .125em .5em;padding-inline:.5em .75em;border:1px solid var(--c);border-radius:var(--proofgate-radius,999px);background:var(--proofgate-paper,var(--p));color:var(--c);font:inherit;font-size:.875em;font-weight:600;line-height:1.35;text-decoration:none}
a::after{position:absolute;inset:-9px 0;content:""}
a[href]:hover{text-decoration:underline;text-underline-offset:.15em}
[data-state=holds],[data-state=private]{--c:var(--proofgate-accent,var(--g))}
[data-state=partial],[data-state=imported],[data-state=expired]{--c:var(--w)}
[data-state=revoked]{--c:var(--r)}
[data-state=unknown],[data-state=unreachable],[data-state=looking]{border-style:dashed}
:focus-visible{outline:3px solid var(--proofgate-accent,var(--g));outline-offset:2px}
.icon,.words{display:grid}
.words>span{grid-area:1/1;visibility:hidden;justify-self:start;white-space:nowrap}
.words>[data-on]{visibility:visible}
svg{width:1.15em;height:1.15em;fill:none;stroke:currentColor;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}
`

const style = makeSheet(badgeStyle)

const tick = 'm5 13 4.5 4.5L19 7'
const cross = 'M6 6l12 12M18 6 6 18'
const drawings: Readonly<Record<ProofState, string>> = {
  looking: 'M6 12h.01M12 12h.01M18 12h.01',
  holds: tick,
  partial: 'M5 12h14',
  imported: 'M5 12h14',
  revoked: cross,
  expired: 'M12 6v6l4 3',
  private: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
  unknown: cross,
  unreachable: 'M12 5v9M12 19h.01',
}
const states = Object.keys(drawings) as ProofState[]

export interface ProofBadge extends ProofBadgeElement {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: reflect() defines the properties that stand for attributes
export class ProofBadge extends Element {
  static readonly observedAttributes = named

  #link: HTMLAnchorElement | undefined
  #icon!: HTMLElement
  #words!: ReadonlyMap<ProofState, HTMLElement>
  #state: ProofState = 'looking'
  /** The host of the server that is asked. */
  #host = ''
  #asking: AbortController | undefined

  get state(): ProofState {
    return this.#state
  }

  connectedCallback(): void {
    this.#build()
    adopt(this, named)
    redraws.add(this.#draw)
    void this.refresh()
  }

  disconnectedCallback(): void {
    redraws.delete(this.#draw)
    this.#asking?.abort()
  }

  attributeChangedCallback(_: string, before: string | null, now: string | null): void {
    if (this.#link && this.isConnected && before !== now) void this.refresh()
  }

  async refresh(): Promise<void> {
    this.#build()
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const qHash = this.qHash?.trim().toLowerCase() ?? ''
    const server = parseServer(this.server)
    if (!server || !isQHash(qHash)) return this.#show(server ? 'unknown' : 'unreachable', qHash, server)
    this.#show('looking', qHash, server)
    try {
      const state = await readState(server, qHash, signal)
      if (!signal.aborted) this.#show(state, qHash, server)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #build(): void {
    if (this.#link) return
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    root.adoptedStyleSheets = [style()]
    this.#icon = makeElement('span', { class: 'icon', part: 'icon' })
    // Stacks all texts and shows one: the widest sets the width, so the answer causes no layout shift.
    this.#words = new Map(states.map((state) => [state, makeElement('span', { dir: 'auto' })]))
    this.#link = makeElement(
      'a',
      { part: 'badge' },
      this.#icon,
      makeElement('span', { class: 'words', part: 'text' }, ...this.#words.values()),
    )
    root.append(this.#link)
  }

  #show(state: ProofState, qHash: string, server: URL | undefined): void {
    const link = this.#link!
    this.#state = state
    this.#host = server?.host ?? ''
    if (server && isQHash(qHash)) link.href = new URL(`proof/${qHash}`, server).href
    else link.removeAttribute('href')
    this.#draw()
    if (state !== 'looking') fire(this, 'proofgate-state', { qHash, state })
  }

  #draw = (): void => {
    const link = this.#link!
    const state = this.#state
    const texts = readTexts(this)
    for (const [one, words] of this.#words) {
      words.textContent = texts[one]
      words.toggleAttribute('data-on', one === state)
    }
    this.#icon.replaceChildren(createDrawing(drawings[state]))
    link.lang = texts.lang
    link.title = texts[`${state}More`].replace('{server}', this.#host)
    link.dataset.state = state
    link.setAttribute('aria-busy', String(state === 'looking'))
  }
}

reflect(ProofBadge.prototype, named)
