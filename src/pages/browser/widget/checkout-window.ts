/** The window of the hosted page: opening it, hearing what came of it, noticing that it is gone. */

const size = 'popup,width=600,height=700'
const lookEveryMs = 400

export interface Heard {
  /** What the page of the server says; its members are to be checked one by one. False for what says nothing. */
  readonly done: (message: Readonly<Record<string, unknown>>) => boolean
  /** It closed, or cut its tie to this page, before it said anything. */
  readonly closed: () => void
}

export interface CheckoutWindow {
  focus(): void
  /** Hears nothing more. The window stays: the person may be in the middle of a payment. */
  forget(): void
}

/** Undefined when the browser does not let it open. Call it in the event of a press, or it will not. */
export function openCheckout(address: string, { done, closed }: Heard): CheckoutWindow | undefined {
  const popup = window.open(address, '_blank', size)
  if (!popup || popup.closed) return undefined
  const { origin } = new URL(address)

  let goneBefore = false
  const looking = setInterval(() => {
    // The last word of a window may arrive after its end is seen.
    if (goneBefore) {
      forget()
      closed()
    }
    goneBefore = popup.closed
  }, lookEveryMs)
  const listen = (event: MessageEvent<unknown>): void => {
    // Every window can send a message here. Only this one counts, and only while it shows a page of the server.
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
