/** `<proof-badge>`: whether a proof stands, as its server says now, and the way to it. */

import { badgeStyle } from './badge-style.ts'
import { adopt, drawing, Element, el, fire, reflect, sheet } from './element.ts'
import { isQHash, serverAt, stateOf } from './server.ts'
import { redraws, texts } from './texts.ts'
import type { ProofBadgeElement, ProofState } from './widget.d.ts'

const named = ['q-hash', 'server']
const style = sheet(badgeStyle)

const tick = 'm5 13 4.5 4.5L19 7'
const cross = 'M6 6l12 12M18 6 6 18'
const drawings: Readonly<Record<ProofState, string>> = {
  looking: 'M6 12h.01M12 12h.01M18 12h.01',
  holds: tick,
  partial: 'M5 12h14',
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
  /** Of the server that is asked. */
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
    const server = serverAt(this.server)
    if (!server || !isQHash(qHash)) return this.#show(server ? 'unknown' : 'unreachable', qHash, server)
    this.#show('looking', qHash, server)
    try {
      const state = await stateOf(server, qHash, signal)
      if (!signal.aborted) this.#show(state, qHash, server)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #build(): void {
    if (this.#link) return
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    root.adoptedStyleSheets = [style()]
    this.#icon = el('span', { class: 'icon', part: 'icon' })
    // All in one place, one of them seen: as wide as the widest of them, so that nothing moves when the answer comes.
    this.#words = new Map(states.map((state) => [state, el('span', { dir: 'auto' })]))
    this.#link = el(
      'a',
      { part: 'badge' },
      this.#icon,
      el('span', { class: 'words', part: 'text' }, ...this.#words.values()),
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
    for (const [one, words] of this.#words) {
      words.textContent = texts[one]
      words.toggleAttribute('data-on', one === state)
    }
    this.#icon.replaceChildren(drawing(drawings[state]))
    link.lang = texts.lang
    link.title = texts[`${state}More`].replace('{server}', this.#host)
    link.dataset.state = state
    link.setAttribute('aria-busy', String(state === 'looking'))
  }
}

reflect(ProofBadge.prototype, named)
