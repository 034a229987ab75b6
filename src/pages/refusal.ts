/** The page that shows a refusal in a browser. */
import type { AppError } from '../errors.ts'
import { readStatus } from '../http/answer.ts'
import { type Answering, html, renderHtmlPage, sendPage, writeRoot } from './shell.ts'

/** Whether a browser shows the answer to a person. Programs ask with other methods, or take no HTML. */
export const isForPeople = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.get('accept') ?? '').toLowerCase().includes('text/html')

const headings: Readonly<Record<string, string>> = {
  NOT_FOUND: 'There is nothing here',
  RATE_LIMIT_EXCEEDED: 'That was too often',
  INTERNAL_ERROR: 'Something failed here',
  SERVICE_UNAVAILABLE: 'Something failed here',
  STORAGE_FULL: 'Nothing new can be stored',
}

interface Place {
  readonly path: string
  readonly requestId?: string
}

export async function writeRefusalPage(
  { set, refusal, requestId }: { readonly set: Answering; readonly refusal: AppError; readonly requestId: string },
  path: string,
): Promise<string> {
  return sendPage(set, await renderRefusalPage(refusal, { path, requestId }), { status: readStatus(refusal) })
}

export function renderRefusalPage({ code, message, headers }: AppError, { path, requestId }: Place): Promise<string> {
  const seconds = Number(headers['retry-after'])
  const heading = headings[code] ?? 'This did not work'
  const words =
    code === 'RATE_LIMIT_EXCEEDED'
      ? `This browser, or others from the same address, asked for pages too often. Wait ${seconds > 0 ? `${seconds} seconds` : 'a minute'}, then reload this page.`
      : code === 'NOT_FOUND' && message.includes('/openapi.json')
        ? 'This server has no page at this address. Check that the whole address was copied.'
        : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return renderHtmlPage({
    path: isPlain(path) ? path : '/',
    title: `${heading} · Proofgate`,
    body: html`<h1>${heading}</h1>
<p class="lead">${words}</p>
${requestId !== undefined && html`<p class="quiet">Request ${requestId}</p>`}
<p><a class="button secondary" href="${(isPlain(path) ? writeRoot(path) : '') || './'}">To the start page</a></p>`,
  })
}

/** Links in a page are relative to its path; a browser resolves them by the same slashes. */
const isPlain = (path: string): boolean => /^\/[A-Za-z0-9._~/-]{0,300}$/.test(path) && !path.includes('//')
