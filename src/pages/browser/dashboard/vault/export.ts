/**
 * Exports proofs as lines of a file: portable proofs, which can be checked without a server, or this server's records.
 */
import type { ProofPage } from '../../../../proofs/list.ts'
import type { OwnShareLink } from '../../../../proofs/share-link.ts'
import type { ProofView } from '../../../../proofs/view.ts'
import { isNarrowed, listPath, type Question, readQuestion } from '../../../vault-question.ts'
import { callApi } from '../api.ts'
import { findLabel, listLabels, readAccount } from '../labels.ts'
import { readNow } from '../model.ts'
import { wallets } from './list.ts'
import { type RetryPolicy, retry } from './retry-policy.ts'

export type Form = 'portable' | 'records'
/** The proofs to export: the matches of a query, or the selected ones. */
export type Source = { readonly question: Question } | { readonly ids: readonly string[] }

export interface Gathered {
  /** Lines of the file. */
  readonly count: number
  /** The number of proofs without a portable form on this server. */
  readonly without: number
  readonly isWhole: boolean
  readonly file: Blob
}

export interface Gathering extends RetryPolicy {
  say(looked: number, count: number): void
}

const perPage = 1000

/** Collects all pages. A stopped export still yields a file of the proofs so far. Errors: ProofgateError. */
export async function gather(source: Source, form: Form, { say, ...retryPolicy }: Gathering): Promise<Gathered> {
  const parts: Blob[] = []
  let count = 0
  let looked = 0
  const links = form === 'records' ? await readLinks(retryPolicy) : undefined
  for await (const proofs of readPages(source, retryPolicy)) {
    const lines = proofs.flatMap(({ portableProof, ...record }): object[] =>
      links ? [addOwnNotes(record, links)] : portableProof ? [portableProof] : [],
    )
    // Blobs are kept outside the memory of the page.
    if (lines.length > 0) parts.push(new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join('')]))
    count += lines.length
    looked += proofs.length
    say(looked, count)
    if (retryPolicy.signal.aborted) break
  }
  const isWhole = !retryPolicy.signal.aborted
  const labels = listLabels()
  if (
    links &&
    isWhole &&
    labels.length > 0 &&
    'question' in source &&
    !isNarrowed(source.question) &&
    source.question.wallet === ''
  )
    parts.push(new Blob([`${JSON.stringify({ walletLabels: labels })}\n`]))
  return { count, without: looked - count, isWhole, file: new Blob(parts, { type: 'application/jsonl' }) }
}

type Links = ReadonlyMap<string, readonly object[]>

/** By proof. The session of a linked wallet reads those of its own proofs alone. */
async function readLinks(retryPolicy: RetryPolicy): Promise<Links> {
  const found = new Map<string, object[]>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const address: string = `/api/v1/profile/share-links?limit=500${cursor && `&cursor=${cursor}`}`
    const answer = await retry(() => callApi<{ data: LinkPage }>('GET', address), retryPolicy)
    if (!answer) break
    for (const { qHash, ...link } of answer.data.links) found.set(qHash, [...(found.get(qHash) ?? []), link])
    cursor = answer.data.nextCursor
  }
  return found
}

interface LinkPage {
  readonly links: readonly OwnShareLink[]
  readonly nextCursor: string | null
}

/** The links that open a proof, and the person's name for its wallet: the list of proofs has neither. */
function addOwnNotes(record: ProofView, links: Links): object {
  const shareLinks = links.get(record.qHash)
  const walletLabel = record.walletAddress === undefined ? undefined : findLabel(readAccount(record.walletAddress))
  return { ...record, ...(shareLinks ? { shareLinks } : {}), ...(walletLabel === undefined ? {} : { walletLabel }) }
}

async function* readPages(source: Source, retryPolicy: RetryPolicy): AsyncGenerator<readonly ProofView[]> {
  if ('ids' in source) {
    for (const qHash of source.ids) {
      const proof = await retry(() => findOwn(qHash, true), retryPolicy)
      if (proof) yield [proof]
    }
    return
  }
  const path = `${listPath(source.question, wallets, { limit: perPage })}&includePortable=1`
  let cursor: string | null = ''
  while (cursor !== null) {
    const address: string = `${path}${cursor && `&cursor=${cursor}`}`
    const answer = await retry(() => callApi<{ data: ProofPage }>('GET', address), retryPolicy)
    if (!answer) return
    yield await readWholeProofs(answer.data.proofs, retryPolicy)
    cursor = answer.data.nextCursor
  }
}

/** A page of the list shortens large rows, but a file must not: load these one by one. */
async function readWholeProofs(proofs: readonly ProofView[], retryPolicy: RetryPolicy): Promise<readonly ProofView[]> {
  const whole: ProofView[] = []
  for (const proof of proofs) {
    if (retryPolicy.signal.aborted) break
    whole.push(proof.contentTruncated ? ((await retry(() => readWhole(proof.qHash), retryPolicy)) ?? proof) : proof)
  }
  return whole
}

async function readWhole(qHash: string): Promise<ProofView> {
  const { data } = await callApi<{ data: ProofView }>('GET', `/api/v1/proofs/${qHash}?includePortable=1`)
  const { publicContent: _, ...record } = data
  return record
}

/** Finds one of the person's own proofs in its current state, without its content. */
export async function findOwn(qHash: string, withPortable = false): Promise<ProofView | undefined> {
  const path = listPath(readQuestion(new URLSearchParams({ q: qHash })), wallets, { limit: 1 })
  const { data } = await callApi<{ data: ProofPage }>('GET', `${path}${withPortable ? '&includePortable=1' : ''}`)
  const [proof] = data.proofs
  return proof?.contentTruncated ? readWhole(proof.qHash) : proof
}

export const fileName = (form: Form): string =>
  `${form === 'portable' ? 'portable-proofs' : 'proof-records'}-${new Date(readNow()).toISOString().slice(0, 10)}.jsonl`
