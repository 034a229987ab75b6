/**
 * Where a buyer comes back to after paying. Only places that the seller or this server named: a page of payment that
 * sends people anywhere would lend its good name to whoever wrote the link.
 */
import { AppError } from '../../errors.ts'
import { parseWebUrl } from '../../web-url.ts'

export interface ReturnPlaces {
  /** Address of our own pages. */
  readonly authUrl: string
  /** Where the owner of the gate sends buyers. */
  readonly successReturnUrl?: string | undefined
}

export interface ReturnUrls {
  readonly success: string
  /** Without one, the page of payment has no way back. */
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
  // Filled in by the page of payment: by it the checkout page claims what was paid.
  `${authUrl}/verify?gateId=${encodeURIComponent(gateId)}&paymentCheckoutSessionId={CHECKOUT_SESSION_ID}`

/** In normal form: another reader of the text as it was written might find another host in it. */
function requireReturn(name: string, text: string, { authUrl, successReturnUrl }: ReturnPlaces): string {
  const allowed = [successReturnUrl, authUrl].flatMap((place) => (place === undefined ? [] : new URL(place).origin))
  const url = parseWebUrl(text)
  if (url && allowed.includes(url.origin)) return url.href
  throw new AppError('VALIDATION_ERROR', `${name} must be on ${[...new Set(allowed)].join(' or ')}`, {
    path: `/${name}`,
  })
}
