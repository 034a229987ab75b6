import { claimedForMs } from '../../db/claim.ts'
import { openLanes, shareOfLane } from '../../lanes.ts'
import type { Parts } from '../../parts.ts'
import type { Conclusions } from '../purchase.ts'
import { isReached } from '../reward-after.ts'
import {
  claimSettlement,
  listSettlementChains,
  listWatchedSettlements,
  postponeSettlement,
  type Settlement,
} from '../settlement-store.ts'
import type { PaidVerdict } from '../store.ts'
import { openTeller } from '../tell-once.ts'
import { requireChain } from '../token-transfers/review.ts'
import type { Watch } from '../watch.ts'
import { findUse } from './search.ts'
import { makePaidVerdict } from './settle.ts'
import { findSettled, isSpent, type Sought } from './settlement.ts'

type WatchParts = Pick<Parts, 'addresses' | 'config' | 'db' | 'log' | 'now' | 'outside' | 'readSure'>

/** Chain time past the end: a block near it may still be replaced. */
const graceMs = 60_000
const shortestPauseMs = 15_000
const longestPauseMs = 300_000
const hourMs = 3_600_000

export function openSettlementWatch(parts: WatchParts, conclusions: Conclusions): Watch {
  const { config, db, log, now, readSure } = parts
  const tell = openTeller(parts, {
    outage: 'settlements of x402 cannot be looked at',
    fault: 'a look at a settlement of x402 failed',
  })

  async function reviewSettlement(settlement: Settlement): Promise<void> {
    const { identity } = settlement
    try {
      const found = await readOutcome(settlement)
      if (found === 'unused') return await conclusions.unpaid(settlement)
      if (found !== undefined) return await conclusions.paid(settlement, found)
      if (readSure() > settlement.endsAt + config.payments.watchHours * hourMs)
        return await abandonSettlement(settlement)
    } catch (error) {
      tell(error)
    }
    await postponeSettlement(db, identity, now() + computePauseMs(settlement))
  }

  /** The older, the longer; soon again after its end, when the answer is near. */
  function computePauseMs({ createdAt, endsAt }: Settlement): number {
    const at = now()
    const grown = Math.round(Math.min(longestPauseMs, Math.max(shortestPauseMs, (at - createdAt) / 4)))
    const untilEnd = endsAt + graceMs - at
    return untilEnd > 0 ? Math.min(grown, untilEnd + shortestPauseMs) : grown
  }

  async function abandonSettlement(settlement: Settlement): Promise<void> {
    log.error('a signed payment of x402 was used, and the transaction that used it was not found', {
      event: 'settlement-lost',
      payment: settlement.identity,
      mend: 'look for a transfer from the buyer in an explorer of the chain, then pay it back or grant what it bought',
    })
    await conclusions.unpaid(settlement)
  }

  /** Undefined: not known yet. Errors: OutsideError. */
  async function readOutcome(settlement: Settlement): Promise<PaidVerdict | 'unused' | undefined> {
    const { details, createdAt, endsAt } = settlement
    const chain = requireChain(details.chain, parts.outside.chains)
    const sought: Sought = {
      token: { chain, address: details.token, confirmations: details.confirmations },
      from: details.payer,
      nonce: details.nonce,
      payTo: details.recipient,
    }
    const view = await chain.at()
    if (!(await isSpent(view, sought))) return view.blockTime > endsAt + graceMs ? 'unused' : undefined
    // The clock of the chain may be behind ours.
    const transaction = await findUse(sought, createdAt - hourMs)
    const settled = transaction && (await findSettled(transaction, sought))
    if (!settled || settled.value < BigInt(details.due)) return undefined
    if (isReached(settled.standing, details.rewardAfter)) return makePaidVerdict(settled, sought, BigInt(details.due))
    await conclusions.awaited(settlement)
    return undefined
  }

  return openLanes({
    listDue: () => listSettlementChains(db, now()),
    openWork: (chain) => ({
      list: (limit) => listWatchedSettlements(db, chain, now(), limit),
      claim: (settlement) => claimSettlement(db, settlement, now() + claimedForMs),
      openLooks: () => reviewSettlement,
    }),
    atOnce: shareOfLane(parts.outside.chains.all.length),
  })
}
