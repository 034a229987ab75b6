/**
 * Transfers for gates from this browser, kept until they bought something or the server refuses them. A person who
 * comes back, in another tab too, must not be asked to pay twice. A transaction hash is public.
 */

export interface SentPayment {
  readonly gateId: string
  /** The proof that it pays for. */
  readonly qHash: string
  /** The wallet of the proof, not of the payer. */
  readonly wallet: string
  readonly tx: string
  readonly quoteId?: string | undefined
  /** The hash was typed, so it may be wrong. */
  readonly isTyped?: boolean | undefined
  /** Unix milliseconds. */
  readonly at: number
}

const key = `proofgate payments ${location.pathname}`
const mostKept = 50
/** Without storage, transfers are kept while the page is open. */
let unkept: readonly SentPayment[] = []

function readAll(): readonly SentPayment[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? [...kept, ...unkept] : unkept
  } catch {
    return unkept
  }
}

function writeAll(payments: readonly SentPayment[]): void {
  const newest = payments.slice(0, mostKept)
  try {
    if (newest.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(newest))
    unkept = []
  } catch {
    unkept = newest
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

export function rememberPayment(payment: SentPayment): void {
  writeAll([payment, ...readAll().filter(({ gateId, tx }) => gateId !== payment.gateId || !isSame(tx, payment.tx))])
}

export function forgetPayment(gateId: string, tx: string): void {
  writeAll(readAll().filter((one) => one.gateId !== gateId || !isSame(one.tx, tx)))
}

/** The last transfer of this wallet at this gate without a purchase. A transfer for one of these proofs comes first. */
export function findPayment(
  gateId: string,
  wallet: string,
  proofs: readonly string[],
  spent: ReadonlySet<string>,
): SentPayment | undefined {
  const open = readAll().filter(
    (one) => one.gateId === gateId && isSame(one.wallet, wallet) && !spent.has(one.qHash) && typeof one.tx === 'string',
  )
  return open.find(({ qHash }) => proofs.includes(qHash)) ?? open[0]
}
