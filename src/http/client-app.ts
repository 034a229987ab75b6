/**
 * The app and the page that a request names. Browsers set Origin themselves. The rest, and all of it without a browser,
 * is the client's own claim and proves nothing.
 */
import { AppError } from '../errors.ts'

export const appIdForm = /^[\x21-\x7e]{1,128}$/
export const appIdRule = 'must be 1 to 128 visible ASCII characters without spaces'

/** Stands for no app, in lists and in the header. */
export const noApp = 'none'

/** As the interface writes it: X-Svc-App. */
export const nameAppHeader = (brand: string): string => `X-${brand.charAt(0).toUpperCase()}${brand.slice(1)}-App`

/** Undefined where the header is missing, empty or "none". Errors: VALIDATION_ERROR. */
export function readAppId(headers: Headers, brand: string): string | undefined {
  const name = nameAppHeader(brand)
  const appId = headers.get(name)
  if (appId === null || appId === '' || appId === noApp) return undefined
  if (appIdForm.test(appId)) return appId
  throw new AppError(
    'VALIDATION_ERROR',
    `the header ${name} names the app and ${appIdRule}: send a shorter id, or none`,
    {
      header: name,
    },
  )
}

/** The origin of the page, as it came; empty where none is named. Errors: VALIDATION_ERROR, where two are. */
export function readPageOrigin(headers: Headers): string {
  const [origin, claimed] = [headers.get('origin'), headers.get('x-client-origin')]
  if (origin !== null && claimed !== null && origin !== claimed)
    throw new AppError(
      'VALIDATION_ERROR',
      'the headers Origin and X-Client-Origin name two different pages: leave X-Client-Origin out, or send the same in both',
    )
  return origin ?? claimed ?? ''
}

/**
 * The fault of an origin, as the end of a sentence. Pages of programs have their own schemes, such as capacitor: those
 * are accepted unchanged.
 */
export function findOriginFault(origin: string): string | undefined {
  if (origin === 'null') return 'is null, which browsers send for files and sandboxed frames: ask from a page of a site'
  const isWeb = /^https?:/.test(origin)
  const isOne = isWeb ? URL.parse(origin)?.origin === origin : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+$/.test(origin)
  return isOne && origin.length <= 300 ? undefined : 'must be an origin such as https://app.example.com, without a path'
}

/** Whether a page is among those of an app. * stands for every page, and for requests without one. */
export const isPageAmong = (origins: readonly string[], origin: string): boolean =>
  origins.includes('*') || (origin !== '' && origins.includes(origin))
