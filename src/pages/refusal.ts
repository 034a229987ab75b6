/** The page that shows a refusal in a browser. */
import type { AppError } from '../errors.ts'
import { readStatus } from '../http/answer.ts'
import { readPath } from '../http/arrival.ts'
import type { Language } from '../web/languages.ts'
import { writeRefusal } from './refusal-words.ts'
import { type Answering, html, renderHtmlPage, sendPage, writeRoot } from './shell.ts'
import { readLanguage } from './words/read-language.ts'
import { words as wordsByLanguage } from './words/words.ts'

/** Whether a browser shows the answer to a person. Programs ask with other methods, or take no HTML. */
export const isForPeople = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.get('accept') ?? '').toLowerCase().includes('text/html')

interface Place {
  readonly path: string
  readonly language: Language
  readonly requestId?: string
  /** In the language of the reader, in place of the message. */
  readonly lead?: string
}

export async function writeRefusalPage(
  { set, refusal, requestId }: { readonly set: Answering; readonly refusal: AppError; readonly requestId: string },
  request: Request,
): Promise<string> {
  const page = await renderRefusalPage(refusal, {
    path: readPath(request),
    language: readLanguage(request.headers),
    requestId,
  })
  return sendPage(set, page, { status: readStatus(refusal) })
}

export function renderRefusalPage(
  { code, message, details, headers }: AppError,
  { path, language, requestId, lead: own }: Place,
): Promise<string> {
  const words = wordsByLanguage[language].refusalPage
  const headings: Readonly<Record<string, string>> = words.headings
  const heading = Object.hasOwn(headings, code) ? headings[code]! : words.headings.other
  const lead =
    own ??
    (code === 'RATE_LIMIT_EXCEEDED'
      ? words.tooOften(Number(headers['retry-after']))
      : code === 'NOT_FOUND' && message.includes('/openapi.json')
        ? words.notFound
        : writeRefusal({ code, message, isUncertain: details.uncertain === true }, wordsByLanguage[language]))
  const shown = isPlain(path) ? path : '/'
  return renderHtmlPage({
    path: shown,
    language,
    title: `${heading} · Proofgate`,
    body: html`<h1>${heading}</h1>
<p class="lead">${lead}</p>
${requestId !== undefined && html`<p class="quiet">${words.requestId(requestId)}</p>`}
<p><a class="button secondary" href="${writeRoot(shown) || './'}">${words.toStart}</a></p>`,
  })
}

/** Links in a page are relative to its path; a browser resolves them by the same slashes. */
const isPlain = (path: string): boolean => /^\/[A-Za-z0-9._~/-]{0,300}$/.test(path) && !path.includes('//')
