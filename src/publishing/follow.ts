/**
 * Follows the sent transactions. It decides nothing before the block is deep enough, so that no reorganization can undo
 * a decision.
 */
import type { EvmReceipt } from '../outside/chains/chain.ts'
import { readRecordedTime } from './eas.ts'
import type { Publication } from './publication.ts'
import type { Run } from './run.ts'
import type { Step } from './store.ts'

/** The state of a publication without a transaction. */
export const unsent: Step = {
  state: 'waiting',
  account: null,
  nonce: null,
  signed: null,
  signedAt: null,
  hashes: [],
  blockNumber: null,
  gasUsed: null,
}

export const makeFailedStep = (reason: string, now: number): Step => ({
  state: 'failed',
  signed: null,
  finishedAt: now,
  reason,
})

/** Takes a `sent` or `mined` publication one step further, if it went further. Errors: OutsideError. */
export async function follow(publication: Publication, run: Run): Promise<void> {
  const isUsed = await isNonceUsed(publication, run)
  if (publication.state === 'sent' && isUsed) await noteMined(publication, run)
  // A reorganization removed it. The same transaction is sent again.
  else if (publication.state === 'mined' && !isUsed)
    await run.move(publication, { state: 'sent', blockNumber: null, gasUsed: null })
  else if (publication.state === 'mined' && isDeep(publication.blockNumber ?? 0, run)) await settle(publication, run)
}

/** A record by another account has no nonce of ours, and needs none. */
async function isNonceUsed({ account, nonce }: Publication, run: Run): Promise<boolean> {
  return account === null || nonce === null || (await run.minedNonce(account)) > nonce
}

const isDeep = (blockNumber: number, { head, settings }: Run): boolean =>
  head.number - blockNumber + 1 >= settings.confirmations

/** Without a receipt the nonce went to another transaction, or the endpoint is behind: the depth will tell. */
async function noteMined(publication: Publication, run: Run): Promise<void> {
  const receipt = await findReceipt(publication, run)
  await run.move(publication, {
    state: 'mined',
    blockNumber: run.head.number,
    ...(receipt ? makeMinedStep(receipt) : {}),
  })
}

const makeMinedStep = ({ blockNumber, gasUsed }: EvmReceipt): Step => ({ blockNumber, gasUsed: String(gasUsed) })

/** The receipt of the version that was mined, if any. */
async function findReceipt({ hashes }: Publication, { chain }: Run): Promise<EvmReceipt | undefined> {
  for (const hash of hashes.toReversed()) {
    const receipt = await chain.transactions.readReceipt(hash)
    if (receipt) return receipt
  }
  return undefined
}

/** The contract decides: it gives the same answer for our transaction and for another account's. */
async function settle(publication: Publication, run: Run): Promise<void> {
  const { chain, eas, now } = run
  const receipt = await findReceipt(publication, run)
  if (receipt && !isDeep(receipt.blockNumber, run)) {
    await run.move(publication, makeMinedStep(receipt))
    return
  }
  const view = await chain.at()
  // Endpoints that are behind, or on another branch, are asked again next time.
  if (view.blockNumber < (receipt?.blockNumber ?? publication.blockNumber ?? 0)) return
  if (receipt && (await chain.at(receipt.blockNumber)).blockHash !== receipt.blockHash) return

  const { action, qHash } = publication
  const recorded = await readRecordedTime(view, eas, { action, qHash, account: publication.account ?? run.account })
  if (recorded !== undefined)
    await run.move(publication, {
      ...unsent,
      state: 'confirmed',
      account: publication.account,
      ...(receipt?.succeeded ? { ...makeMinedStep(receipt), hashes: [receipt.transactionHash] } : {}),
      recordedAt: recorded,
      finishedAt: now,
    })
  else if (!receipt) await run.move(publication, unsent)
  else
    await run.move(publication, {
      ...makeMinedStep(receipt),
      hashes: [receipt.transactionHash],
      ...makeFailedStep(receipt.succeeded ? 'the contract did not record it' : 'the transaction was reverted', now),
    })
}
