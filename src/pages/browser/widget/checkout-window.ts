/** The window of the hosted page: opens it, receives its result, and notices its closing. */

const size = 'popup,width=600,height=700'
const lookEveryMs = 400

export interface Heard {
  /**
   * Receives the message of the server's page, whose members must still be checked. Returns false for an unknown
   * message.
   */
  readonly done: (message: Readonly<Record<string, unknown>>) => boolean
  /** The window closed, or lost its connection to this page, before it sent a result. */
  readonly closed: () => void
}

export interface CheckoutWindow {
  focus(): void
  /** Stops listening. The window stays open: the person may be in the middle of a payment. */
  forget(): void
}

/** Undefined if the browser blocks the window. Call it in the event of a press, or the browser will. */
export function openCheckout(address: string, { done, closed }: Heard): CheckoutWindow | undefined {
  const popup = window.open(address, '_blank', size)
  if (!popup || popup.closed) return undefined
  const { origin } = new URL(address)

  let goneBefore = false
  const looking = setInterval(() => {
    // The last message of a window may arrive after its closing is noticed.
    if (goneBefore) {
      forget()
      closed()
    }
    goneBefore = popup.closed
  }, lookEveryMs)
  const listen = (event: MessageEvent<unknown>): void => {
    // Every window can send a message here. Only this one counts, and only from the origin of the server.
    if (event.source !== popup || event.origin !== origin) return
    const message = event.data as Readonly<Record<string, unknown>> | null
    if (typeof message?.type !== 'string' || !message.type.endsWith('_checkout_done')) return
    if (done(message)) forget()
  }
  window.addEventListener('message', listen)
  const forget = (): void => {
    clearInterval(looking)
    window.removeEventListener('message', listen)
  }
  return { focus: () => popup.focus(), forget }
}
