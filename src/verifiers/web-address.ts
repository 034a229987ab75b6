/** Addresses in a claim that readers of the proof may open. The proof would lend a misleading one its weight. */
import { AppError } from '../errors.ts'
import { parseWebUrl } from '../web-url.ts'

/** `id` of a reference of the type "url". Other types are names that no browser opens. Errors: INVALID_VERIFIER_DATA. */
export function requireReference(
  verifierId: string,
  reference: { readonly type?: string; readonly id?: string } | undefined,
): void {
  if (reference?.type !== 'url' || !reference.id || parseWebUrl(reference.id)) return
  throw new AppError(
    'INVALID_VERIFIER_DATA',
    'data.reference.id must be a whole web address, such as https://example.com/a, because data.reference.type is "url": for anything else, use another type, such as "other"',
    { verifierId, path: '/reference/id' },
  )
}

/** They run as a script in the page that follows them. */
const scripts = /^(?:javascript|vbscript|livescript)$/
/** An avatar may be a picture within the address (RFC 2397). Other documents may hold scripts. */
const documents = /^data:(?!image\/)/i

/** Any scheme but those that run scripts; a web address only in full. Errors: INVALID_VERIFIER_DATA. */
export function requireOpenable(verifierId: string, path: string, text: string | undefined): void {
  // Browsers skip control characters and spaces before and within a scheme.
  const plain = text?.replace(/[\p{C}\p{Z}]/gu, '') ?? ''
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase()
  if (text === undefined || scheme === undefined) return
  const isWeb = scheme === 'http' || scheme === 'https'
  if (isWeb ? parseWebUrl(text) : !scripts.test(scheme) && !documents.test(plain)) return
  throw new AppError(
    'INVALID_VERIFIER_DATA',
    `data${path.replace(/\/([0-9]+)/g, '[$1]').replaceAll('/', '.')} must be a whole address, such as https://example.com/a, and none that runs a script`,
    { verifierId, path },
  )
}
