/**
 * Makes and sends transactions. Each is stored with its nonce before it leaves. After a crash the same one is sent
 * again, and never a second one with another nonce.
 */
import { type Hex, TransactionRefused } from '../outside/chains/chain.ts'
import { type Budget, makeFundsObstacle, openBudget } from './budget.ts'
import { encodeCall, readRecordedTime } from './eas.ts'
import type { Publication } from './publication.ts'
import { Obstacle, type Run } from './run.ts'
import { listOpen } from './store.ts'
import { computeCost, computeReplacementFees, sign, signAgain } from './transaction.ts'

/** Nodes promise to keep this many waiting transactions of one account. */
const maxOnTheWay = 16

/** Errors: Obstacle, OutsideError. Transactions stored before an error stay, and work continues from there. */
export async function sendWhatWaits(run: Run): Promise<void> {
  const { db, chain, account } = run
  const onTheWay = (await listOpen(db, chain.chainId, 'sent', 1000)).toSorted(compareNonces)
  for (const publication of onTheWay) await sendAgain(publication, run)

  const own = onTheWay.filter((publication) => publication.account === account)
  const reserved = own.reduce((sum, { signed }) => sum + computeCost(signed), 0n)
  const budget = openBudget(run, reserved)
  const first = own[0]
  if (first && (await isSkipped(first, run))) await sendWithHigherFee(first, budget, run)

  const nonces = new Set(own.map(({ nonce }) => nonce ?? 0))
  const refusals = await sendNew(nonces, budget, run)
  if (nonces.size > 0) await fillGaps(nonces, budget, run)
  if (refusals[0]) throw refusals[0]
}

const compareNonces = (one: Publication, other: Publication): number => (one.nonce ?? 0) - (other.nonce ?? 0)

/**
 * Sends a transaction again that the node does not know. It was never sent, was forgotten, or a reorganization removed
 * it.
 */
async function sendAgain({ account, nonce, signed }: Publication, run: Run): Promise<void> {
  if (account && signed && (nonce ?? 0) >= (await run.knownNonce(account))) await send(signed, run)
}

/** Only the first in line waits for its fee; the others wait for the first. */
async function isSkipped({ nonce, signedAt }: Publication, run: Run): Promise<boolean> {
  const { settings, now, head } = run
  const since = signedAt ?? now
  if (now - since < settings.bumpAfterSeconds * 1000) return false
  // A chain that stands still must not displace other orders.
  return head.timestampMs > since && nonce === (await run.minedNonce(run.account))
}

async function sendWithHigherFee(publication: Publication, budget: Budget, run: Run): Promise<void> {
  if (publication.signed === null) return
  const fees = computeReplacementFees(publication.signed, budget.cap, await budget.fees())
  if (!fees)
    throw new Obstacle(
      `a transaction that waits cannot be raised: it would offer more than ${run.settings.maxFeeGwei} gwei`,
      'wait, or raise publishing.max_fee_gwei',
    )
  const { signed, hash } = await signAgain(run.signer, publication.signed, fees)
  await budget.reserve(computeCost(signed) - computeCost(publication.signed))
  const stored = await run.move(publication, { signed, signedAt: run.now, hashes: [...publication.hashes, hash] })
  if (stored) await send(signed, run)
}

/** Adds the nonces it uses to `nonces`. Returns what the contract would not take. */
async function sendNew(nonces: Set<number>, budget: Budget, run: Run): Promise<readonly Obstacle[]> {
  const waiting = await listOpen(run.db, run.chain.chainId, 'waiting', Math.max(0, maxOnTheWay - nonces.size))
  const refusals: Obstacle[] = []
  for (const publication of waiting)
    try {
      await sendFirst(publication, nonces, budget, run)
    } catch (error) {
      // Later publications need not wait for it.
      if (!(error instanceof TransactionRefused)) throw error
      refusals.push(
        new Obstacle(`the contract would revert ${publication.action}: ${error.data}`, `see ${run.eas.setting}`),
      )
    }
  return refusals
}

async function sendFirst(publication: Publication, nonces: Set<number>, budget: Budget, run: Run): Promise<void> {
  const { chain, eas, account } = run
  const { action, qHash } = publication
  const view = await chain.at()
  if ((await readRecordedTime(view, eas, { action, qHash, account })) !== undefined) {
    await run.move(publication, { state: 'mined', blockNumber: view.blockNumber })
    return
  }
  const call = { to: eas.address, data: encodeCall({ action, qHash, account }) }
  const [fees, gas] = [await budget.fees(), await budget.gas(action, call)]
  await budget.reserve(gas * fees.maxFeePerGas)

  const nonce = await freeNonce(nonces, run)
  const { signed, hash } = await sign(run.signer, { chainId: chain.chainId, nonce, ...call, gas, fees })
  const step = { state: 'sent', account, nonce, signed, signedAt: run.now, hashes: [hash] } as const
  if (!(await run.move(publication, step))) return
  nonces.add(nonce)
  await send(signed, run)
}

async function freeNonce(nonces: ReadonlySet<number>, run: Run): Promise<number> {
  let nonce = await run.knownNonce(run.account)
  while (nonces.has(nonce)) nonce++
  return nonce
}

/**
 * An erased or abandoned publication may leave an unsent nonce, and every later transaction would wait forever. A
 * transfer of nothing to ourselves takes its place.
 */
async function fillGaps(nonces: ReadonlySet<number>, budget: Budget, run: Run): Promise<void> {
  const { chain, account } = run
  const last = Math.max(...nonces)
  for (let nonce = await run.knownNonce(account); nonce < last; nonce++) {
    if (nonces.has(nonce)) continue
    const call = { to: account, data: '0x' } as const
    const [gas, fees] = [await budget.gas('filler', call), await budget.fees()]
    const { signed } = await sign(run.signer, { chainId: chain.chainId, nonce, ...call, gas, fees })
    await send(signed, run)
  }
}

async function send(signed: Hex, { chain, account, requireLease }: Run): Promise<void> {
  requireLease()
  try {
    await chain.transactions.send(signed)
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    // The other refusals mend themselves: a used nonce is noticed by those who follow it, a low fee is raised.
    if (error.reason === 'insufficient-funds') throw makeFundsObstacle(account, 'it cannot pay for its transactions')
  }
}
