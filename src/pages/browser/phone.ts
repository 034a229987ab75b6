/**
 * The computer's side of a pairing: shows the code, has the numbers compared, and turns the phone's wallet into a
 * connection like that of any other wallet. The server holds what travels (pairing/pairings.ts).
 */
import { isLoopbackHost } from '../../http/loopback.ts'
import type { QuoteChoice } from '../../payments/phone-payment.ts'
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { phone as words } from '../words/en/pairing.ts'
import { call, isPassing, Refusal, readWaitMs } from './json-api.ts'
import { type Connection, PhoneEnded } from './wallet.ts'

type Given = Signature | { readonly tx: string }

interface View {
  readonly state: 'waiting' | 'compare' | 'paired' | 'ended'
  readonly ended?: keyof typeof words.ended
  readonly number?: string
  readonly isConfirmed?: boolean
  readonly account?: Account
  readonly answer?: { readonly number: number; readonly given: Given | 'declined' }
  readonly askedNumber?: number
}

interface Account {
  readonly address: string
  readonly chain?: string
  readonly chainId?: number
  readonly isContract: boolean
}

interface Signature {
  readonly signature: string
  readonly signatureMethod?: string
}

interface Opened {
  readonly secret: string
  readonly address: string
  readonly qr: { readonly size: number; readonly path: string }
}

const everyMs = 2_000
const everyMsWhenIdle = 10_000
/** The server may be restarting, or the computer asleep. */
const mostSilentMs = 45_000
/** The server ends a pairing of whose computer it hears nothing for so long. */
const mostRefusedMs = 90_000

export interface LentConnection extends Connection {
  /** Disconnects the phone. */
  stop(): void
}

/** `gaveUp` rejects when the person cancels. Errors: PhoneEnded, and those of call(). */
export async function connectPhone(place: HTMLElement, gaveUp: Promise<never>): Promise<LentConnection> {
  const { api, purpose, site } = place.dataset
  const opened = (await call(api!, { body: { purpose, ...(site === undefined ? {} : { site }) } })) as unknown as Opened
  const lent = new LentWallet(place, api!, opened)
  try {
    return await Promise.race([lent.connect(), gaveUp])
  } catch (error) {
    lent.stop()
    throw error
  }
}

class LentWallet {
  private readonly goneListeners = new Set<(why: 'disconnected') => void>()
  private ended: Error | undefined
  private shown = ''
  private asks = 0
  private isFollowing = false

  constructor(
    private readonly place: HTMLElement,
    private readonly api: string,
    private readonly opened: Opened,
  ) {
    addEventListener('pagehide', this.tellEnd)
    this.showCode()
  }

  async connect(): Promise<LentConnection> {
    const account = await this.follow(({ account: lent }) => lent)
    this.say(words.connected)
    void this.keepAlive()
    const { address, chain, chainId, isContract } = account
    return {
      address,
      chain: { ...(chain === undefined ? {} : { chain }), ...(chainId === undefined ? {} : { chainId }) },
      isContract: async () => isContract,
      sign: async (text) => (await this.askPhone({ text }, words.signThere)) as Signature,
      ...(address.startsWith('0x') ? { payQuote: (payment) => this.pay(payment) } : {}),
      watch: (gone) => {
        this.goneListeners.add(gone)
        return () => this.goneListeners.delete(gone)
      },
      stop: () => this.stop(),
    }
  }

  /** Ends it on the server as well. */
  stop(): void {
    if (this.ended) return
    this.tellEnd()
    this.close(new PhoneEnded(words.ended['by-computer']))
  }

  private async pay(payment: QuoteChoice): Promise<string> {
    return ((await this.askPhone({ payment }, words.payThere)) as { readonly tx: string }).tx
  }

  private async askPhone(task: object, said: string): Promise<Given> {
    const mine = ++this.asks
    const { askedNumber } = await this.ask(task)
    this.say(said)
    this.isFollowing = true
    const given = await this.follow(({ answer }) => {
      // The person canceled, and the page asks for something else.
      if (mine !== this.asks) return 'declined'
      return answer !== undefined && answer.number === askedNumber ? answer.given : undefined
    }).finally(() => {
      if (mine === this.asks) this.isFollowing = false
    })
    if (mine === this.asks) this.say(words.connected)
    if (given === 'declined') throw new Declined()
    return given
  }

  /** Asks until the view has what is looked for. Errors: PhoneEnded, those of call(). */
  private async follow<T>(find: (view: View) => T | undefined): Promise<T> {
    for (;;) {
      const view = await this.ask({})
      const found = find(view)
      if (found !== undefined) return found
      if (view.state !== 'waiting') this.showNumber(view)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  /** While no text waits, the phone may disconnect. */
  private async keepAlive(): Promise<void> {
    while (!this.ended) {
      if (!this.isFollowing) await this.ask({}).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, everyMsWhenIdle))
    }
  }

  /** Errors: PhoneEnded; NoAnswer after many in a row; refusals of what is asked. */
  private async ask(body: object): Promise<View> {
    for (const startedAt = performance.now(); ; ) {
      if (this.ended) throw this.ended
      try {
        const { secret } = this.opened
        const view = (await call(`${this.api}/computer`, { body: { secret, ...body } })) as unknown as View
        if (view.state === 'ended') this.close(new PhoneEnded(words.ended[view.ended!]))
        else return view
      } catch (error) {
        if (error instanceof Refusal && error.code === 'NOT_FOUND') this.close(new PhoneEnded(words.unknown))
        else if (!isPassing(error)) throw error
        else {
          const mostMs = error instanceof Refusal ? mostRefusedMs : mostSilentMs
          if (performance.now() - startedAt > mostMs) this.close(error as Error)
          else await new Promise((resolve) => setTimeout(resolve, readWaitMs(error, everyMs)))
        }
      }
    }
  }

  private close(why: Error): void {
    if (this.ended) return
    this.ended = why
    removeEventListener('pagehide', this.tellEnd)
    this.place.hidden = true
    delete this.place.dataset.asks
    this.place.replaceChildren()
    for (const gone of [...this.goneListeners]) gone('disconnected')
  }

  private readonly tellEnd = (): void => {
    void fetch(`${this.api}/computer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: this.opened.secret, do: 'end' }),
      keepalive: true,
    }).catch(() => undefined)
  }

  private showCode(): void {
    const { address, qr } = this.opened
    const isHere = isLoopbackHost(new URL(address).hostname)
    this.show(
      words.scan,
      makeElement('p', {}, words.how),
      isHere && makeElement('p', { class: 'notice warning' }, words.loopback),
      drawCode(qr),
    )
  }

  private showNumber({ number = '', isConfirmed, state }: View): void {
    const key = `${number} ${isConfirmed} ${state}`
    if (this.shown === key) return
    this.shown = key
    if (state === 'paired') {
      this.say(words.chooseThere)
      return
    }
    const answer = async (step: 'confirm' | 'refuse'): Promise<void> => {
      await this.ask({ do: step }).then(
        (view) => this.showNumber(view),
        () => undefined,
      )
    }
    this.show(
      words.compare,
      makeElement('p', { class: 'pair-number' }, `${number.slice(0, 3)} ${number.slice(3)}`),
      ...(isConfirmed
        ? [makeElement('p', {}, words.confirmThere)]
        : [
            makeElement('p', {}, words.question),
            makeElement(
              'div',
              { class: 'pair-actions' },
              renderButton(words.same, () => void answer('confirm')),
              renderButton(words.different, () => void answer('refuse'), 'secondary'),
            ),
          ]),
    )
  }

  private show(title: string, ...content: readonly (Node | false)[]): void {
    const heading = makeElement('h2', { tabindex: -1 }, title)
    this.place.hidden = false
    // Other wallets are not offered meanwhile (pages.css).
    this.place.dataset.asks = ''
    this.place.replaceChildren(makeElement('div', { class: 'notice pair' }, heading, ...content))
    heading.focus()
  }

  private say(text: string): void {
    this.place.hidden = false
    delete this.place.dataset.asks
    this.place.replaceChildren(
      makeElement(
        'div',
        { class: 'notice pair' },
        makeElement('p', { role: 'status' }, text),
        makeElement('button', { type: 'button', class: 'link', onclick: () => this.stop() }, words.stop),
      ),
    )
  }
}

/** As a wallet says it (EIP-1193). */
class Declined extends Error {
  readonly code = 4001
}

function drawCode({ size, path }: Opened['qr']): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const drawing = document.createElementNS(namespace, 'svg')
  for (const [name, value] of [
    ['class', 'qr'],
    ['role', 'img'],
    ['aria-label', words.qr],
    ['viewBox', `0 0 ${size} ${size}`],
    ['shape-rendering', 'crispEdges'],
  ] as const)
    drawing.setAttribute(name, value)
  const modules = document.createElementNS(namespace, 'path')
  modules.setAttribute('d', path)
  drawing.append(modules)
  return drawing
}
