/** The first page of a person's proofs, answered before it is asked for: it travels inside the page. */
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { listByWallet } from '../proofs/list.ts'
import { ListQuery, listRequest } from '../proofs/wire.ts'
import { html } from './html.ts'
import { listPath, questionIn } from './vault-question.ts'

/** As markup: a quote has six bytes there. A larger list is not worth a page that waits for it. */
const largestPreloadBytes = 500_000

/** By path and query. Nothing for a list that is too large for the page, and nothing where the address asks for what the list refuses: the browser will ask, and be told. */
export async function firstProofs(parts: Parts, request: Request): Promise<Readonly<Record<string, unknown>>> {
  const identity = parts.identify(request)
  if (!identity) return {}
  const wallets = identity.accounts.map(({ wallet }) => wallet)
  const path = listPath(questionIn(new URL(request.url).searchParams), wallets)
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
