/**
 * Keeps an answer within its size. A list shortens the content of its largest rows, and marks each, before it omits a
 * row. So clients that add `limit` to `offset`, or call once, still get every row.
 */
import { shortenData } from './record-summary.ts'
import { shareBytes } from './share-bytes.ts'
import type { ProofView } from './view.ts'

/** The limit of the rows in one answer. Only exports exceed 2 MB in total. */
export const largestRowsBytes = 1_800_000

export interface FittedViews {
  readonly views: ProofView[]
  /** JSON of each view. */
  readonly texts: readonly string[]
}

export function fitViews(views: ProofView[], mostBytes = largestRowsBytes): FittedViews {
  const texts = views.map((view) => JSON.stringify(view))
  const sizes = texts.map((text) => Buffer.byteLength(text))
  if (sizes.reduce((sum, size) => sum + size, 0) <= mostBytes) return { views, texts }
  const most = shareBytes(sizes, mostBytes)
  const fitted = views.map((view, index) => (sizes[index]! > most ? shortenView(view, most) : view))
  return { views: fitted, texts: fitted.map((view) => JSON.stringify(view)) }
}

/** The fullest form that is small enough. The last one is below the share of a row in a page of any length. */
function shortenView(view: ProofView, mostBytes: number): ProofView {
  const forms = [omitBodies, shrinkData, omitData, omitTags]
  for (const shorten of forms) {
    const short = { ...shorten(view), contentTruncated: true }
    if (Buffer.byteLength(JSON.stringify(short)) <= mostBytes) return short
  }
  return { ...keepMinimal(view), contentTruncated: true }
}

const omitBodies = ({ portableProof: _, publicContent: __, ...view }: ProofView): ProofView => view

const shrinkData = (view: ProofView): ProofView => ({
  ...omitBodies(view),
  ...(view.verifiedVerifiers && {
    verifiedVerifiers: view.verifiedVerifiers.map((row) => ({ ...row, data: shortenData(row.data as never) })),
  }),
})

const omitData = (view: ProofView): ProofView => {
  const { meta: _, hubTransaction: __, crosschain: ___, ...short } = omitBodies(view)
  return {
    ...short,
    ...(view.verifiedVerifiers && { verifiedVerifiers: view.verifiedVerifiers.map((row) => ({ ...row, data: {} })) }),
  }
}

const omitTags = (view: ProofView): ProofView => {
  const { tags: _, title: __, options: ___, verifiedVerifiers: ____, ...short } = omitData(view)
  return short
}

const keepMinimal = ({ qHash, status, privacyLevel, createdAt, lastUpdated, walletAddress }: ProofView) => ({
  qHash,
  status,
  privacyLevel,
  createdAt,
  lastUpdated,
  ...(walletAddress === undefined ? {} : { walletAddress }),
})
