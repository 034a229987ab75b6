/** The first page of a person's proofs, embedded in the page to save a request. */
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { listByWallet } from '../proofs/list.ts'
import { ListQuery, listRequest } from '../proofs/wire.ts'
import { html } from './html.ts'
import { listPath, readQuestion } from './vault-question.ts'

/** Measured as markup, in which a quote has six bytes. A larger list would delay the page too much. */
const largestPreloadBytes = 500_000

/**
 * By path and query. Empty for a list too large for the page, for days, and for a query that the list refuses. In each
 * case, the browser asks and gets the answer.
 */
export async function listFirstProofs(parts: Parts, request: Request): Promise<Readonly<Record<string, unknown>>> {
  const identity = await parts.identify(request)
  if (!identity) return {}
  const wallets = (await identity.listAccounts()).map(({ wallet }) => wallet)
  const question = readQuestion(new URL(request.url).searchParams)
  // Only the browser knows its time zone.
  if (question.days.when !== '') return {}
  const path = listPath(question, wallets)
  const { pathname, searchParams } = new URL(path, request.url)
  const query = Object.fromEntries(searchParams)
  if (!Value.Check(ListQuery, query)) return {}
  try {
    const wallet = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1))
    const data = await listByWallet(parts, listRequest(wallet, query, { identity }))
    const preloaded = { [path]: { success: true, data, timestamp: new Date(parts.now()).toISOString() } }
    return Buffer.byteLength(html`${JSON.stringify(preloaded)}`.text) <= largestPreloadBytes ? preloaded : {}
  } catch (error) {
    if (error instanceof AppError) return {}
    throw error
  }
}
