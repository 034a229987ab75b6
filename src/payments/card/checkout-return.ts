/**
 * The return address after a payment. Only addresses of the seller or this server are allowed, because an open redirect
 * would help phishing links.
 */
import { AppError } from '../../errors.ts'
import { parseWebUrl } from '../../web-url.ts'

export interface ReturnPlaces {
  /** Address of this server's pages. */
  readonly authUrl: string
  /** The return address that the owner of the gate set. */
  readonly successReturnUrl?: string | undefined
}

export interface ReturnUrls {
  readonly success: string
  /** Without one, the checkout page shows no way back. */
  readonly cancel?: string
}

/** Errors: VALIDATION_ERROR for a URL on any other origin. */
export function returnUrls(
  gateId: string,
  asked: { readonly successUrl?: string | undefined; readonly cancelUrl?: string | undefined },
  places: ReturnPlaces,
): ReturnUrls {
  const success =
    asked.successUrl === undefined
      ? chooseStandardSuccess(gateId, places)
      : requireReturn('successUrl', asked.successUrl, places)
  return asked.cancelUrl === undefined
    ? { success }
    : { success, cancel: requireReturn('cancelUrl', asked.cancelUrl, places) }
}

const chooseStandardSuccess = (gateId: string, { authUrl, successReturnUrl }: ReturnPlaces): string =>
  successReturnUrl ??
  // Stripe fills in the session id, by which the checkout page uses the payment.
  `${authUrl}/verify?gateId=${encodeURIComponent(gateId)}&paymentCheckoutSessionId={CHECKOUT_SESSION_ID}`

/** In normal form: another parser might find a different host in the original text. */
function requireReturn(name: string, text: string, { authUrl, successReturnUrl }: ReturnPlaces): string {
  const allowed = [successReturnUrl, authUrl].flatMap((place) => (place === undefined ? [] : new URL(place).origin))
  const url = parseWebUrl(text)
  if (url && allowed.includes(url.origin)) return url.href
  throw new AppError('VALIDATION_ERROR', `${name} must be on ${[...new Set(allowed)].join(' or ')}`, {
    path: `/${name}`,
  })
}
