/**
 * Follows the blocks of claims until they are final. When a block was replaced, the claim is read again. If it holds,
 * the new block is followed. If not, the proof stops counting, and is revoked for good once that is final too. A
 * transaction that a reorganization removed mostly returns some blocks later, and its proof returns with it.
 *
 * The state is in the database, so it may end at any moment. A missing answer changes nothing. Each chain is followed
 * at its own pace (lanes.ts).
 */
import { claimedForMs } from '../db/claim.ts'
import { type Lanes, openLanes, shareOfLane } from '../lanes.ts'
import type { BlockView, EvmChain, Finality } from '../outside/chains/chain.ts'
import { OutsideError, UnanswerableError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import { type Repeated, repeatStorageWork } from '../repeat.ts'
import {
  claimFollowed,
  endFollowing,
  type Followed,
  listDueChains,
  listFollowed,
  moveFollowed,
  postponeLook,
  settleFollowed,
} from './follow-store.ts'
import { readAgain } from './read-again.ts'
import { findProof, markRevoked } from './store.ts'

/** Checks all due blocks, within bounds, until it is stopped. Errors: only those of the database. */
export interface Follow extends Lanes {}

/** The older a block is, the seldomer it is replaced. */
const shortestPauseMs = 15_000
const longestPauseMs = 5 * 60_000
/** After a look that failed: twice as long each time. */
const longestFailurePauseMs = 15 * 60_000
/** Erased proofs leave their counts behind, so the number is limited. */
const mostFailuresKept = 10_000
/** The limit for a chain that never reports finality, or that was removed from the settings. */
const longestFollowedMs = 7 * 86_400_000

/** The answers that all checks of one batch share. */
interface Asked {
  readonly finality: Map<string, Promise<Finality>>
  readonly blocks: Map<string, Promise<BlockView>>
}

export function openFollow(parts: Parts): Follow {
  const { db, log, now, readSure, outside } = parts
  /** Looks in a row that failed, by proof and place. */
  const failures = new Map<string, number>()
  async function checkFollowed(followed: Followed, asked: Asked): Promise<void> {
    const key = `${followed.proofId} ${followed.place}`
    if (followed.revokedAt !== null) {
      failures.delete(key)
      await endFollowing(db, followed)
      return
    }
    try {
      await decide(followed, asked)
      failures.delete(key)
    } catch (error) {
      tell(error)
      const failed = failures.get(key) ?? 0
      if (failures.size >= mostFailuresKept) failures.clear()
      failures.set(key, failed + 1)
      const pauseMs = Math.min(longestFailurePauseMs, shortestPauseMs * 2 ** Math.min(failed, 10))
      const askedMs = error instanceof OutsideError ? error.retryAfterSeconds * 1000 : 0
      await postponeOrEnd(followed, Math.max(pauseMs, askedMs))
    }
  }

  async function decide(followed: Followed, asked: Asked): Promise<void> {
    const chain = outside.chains.evm(Number(followed.chain.slice('eip155:'.length)))
    if (!chain) throw makeUnconfiguredError(followed.chain)
    // Asked before the block, so that a block that is still there is one of the chain that is final.
    const finality = await askOnce(asked.finality, followed.chain, () => chain.finality())
    const block = await findBlock(chain, followed, asked)
    if (!block) return postponeOrEnd(followed, computePauseMs(followed))
    const isReplaced = block.blockHash !== followed.blockHash
    const isFinal = !isReplaced && finality.covers(block)
    if (isReplaced || followed.state === 'missing') return readOnceMore(chain, followed, { isReplaced, isFinal })
    if (isFinal) await settleFollowed(db, followed, now())
    else await postponeOrEnd(followed, computePauseMs(followed))
  }

  /** Undefined while the endpoints have not come so far: they cannot say. */
  async function findBlock(
    chain: EvmChain,
    { blockNumber }: Followed,
    { blocks }: Asked,
  ): Promise<BlockView | undefined> {
    try {
      return await askOnce(blocks, `${chain.chain} ${blockNumber}`, () => chain.at(blockNumber))
    } catch (error) {
      if (error instanceof UnanswerableError) return undefined
      throw error
    }
  }

  async function readOnceMore(
    chain: EvmChain,
    followed: Followed,
    { isReplaced, isFinal }: { readonly isReplaced: boolean; readonly isFinal: boolean },
  ): Promise<void> {
    const proof = await findProof(db, followed.qHash)
    const row = proof?.record.rows[followed.place]
    if (!proof || !row) return
    // Chosen before the claim is read: what is missing is missing at this block or a later one.
    const readPoint = await chain.atReadPoint()
    const verdict = await readAgain(parts, proof, row)
    if (verdict.holds) {
      const { reading } = verdict
      const at = reading && !reading.isFinal ? reading : readPoint
      return move(followed, at, true)
    }
    if (isFinal) {
      // The database forgets the block with the revocation, so a crash in between leaves only a row to be deleted.
      if (await markRevoked(db, proof, now(), true))
        log.warn('a proof was revoked: its block was replaced, and the claim did not hold again', {
          event: 'proof-revoked',
          qHash: proof.qHash,
          verifierId: row.verifierId,
          reason: verdict.reason,
        })
      await endFollowing(db, followed)
      return
    }
    if (isReplaced) await move(followed, readPoint, false)
    else await postponeOrEnd(followed, computePauseMs(followed))
  }

  async function move(
    followed: Followed,
    { blockNumber, blockHash }: Pick<Followed, 'blockNumber' | 'blockHash'>,
    holds: boolean,
  ): Promise<void> {
    const readAt = now()
    const isMoved = await moveFollowed(db, followed, {
      blockNumber,
      blockHash,
      holds,
      readAt,
      lookAt: readAt + shortestPauseMs,
    })
    if (isMoved && followed.state !== (holds ? 'holds' : 'missing'))
      log.warn(
        holds
          ? 'a proof counts again: its claim holds at a newer block'
          : 'a proof counts no longer: its block was replaced, and the claim does not hold',
        {
          event: holds ? 'proof-restored' : 'proof-suspended',
          qHash: followed.qHash,
          chain: followed.chain,
          block: blockNumber,
        },
      )
  }

  const computePauseMs = ({ followedSince }: Followed): number =>
    Math.min(longestPauseMs, Math.max(shortestPauseMs, now() - followedSince))

  async function postponeOrEnd(followed: Followed, pauseMs: number): Promise<void> {
    if (readSure() - followed.followedSince < longestFollowedMs) return postponeLook(db, followed, now() + pauseMs)
    log.warn('a proof is no longer followed: its chain did not say in time that the block is final', {
      event: 'proof-unfollowed',
      qHash: followed.qHash,
      chain: followed.chain,
      mend: 'see whether the endpoints of this chain say which block is final; submit the claim again to follow it anew',
    })
    const proof = followed.state === 'missing' ? await findProof(db, followed.qHash) : undefined
    if (proof) await markRevoked(db, proof, now(), true)
    await endFollowing(db, followed)
  }

  function tell(error: unknown): void {
    if (!(error instanceof OutsideError)) {
      log.count({
        level: 'error',
        event: 'block-look-failed',
        message: 'a look at the block of a proof failed',
        error,
        fields: { mend: 'it is tried again; if it stays, look at the disk, or report it with the stack' },
      })
      return
    }
    const { source, fault, message, mend } = error
    log.count({
      level: 'warn',
      event: 'blocks-unreachable',
      message: 'the blocks of proofs cannot be looked at',
      kind: `${source} ${fault}`,
      fields: { why: message, mend },
    })
  }

  return openLanes({
    listDue: () => listDueChains(db, now()),
    openWork: (chain) => ({
      list: (limit) => listFollowed(db, chain, now(), limit),
      claim: (followed) => claimFollowed(db, followed, now() + claimedForMs),
      openLooks() {
        const asked: Asked = { finality: new Map(), blocks: new Map() }
        return (followed) => checkFollowed(followed, asked)
      },
    }),
    atOnce: shareOfLane(outside.chains.all.length),
  })
}

function askOnce<Answer>(
  known: Map<string, Promise<Answer>>,
  key: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const answer = known.get(key) ?? ask()
  known.set(key, answer)
  return answer
}

const makeUnconfiguredError = (chain: string): OutsideError =>
  new OutsideError(
    'wrong-source',
    'chains',
    `has no chain ${chain} any more, whose blocks are still followed for proofs`,
    `add a table [chains.<name>] with chain = "${chain}"`,
    60,
  )

const everyMs = 5_000

/** Follows for as long as the server runs. */
export const runFollow = (follow: Follow, parts: Pick<Parts, 'config' | 'log'>): Repeated =>
  repeatStorageWork(
    {
      everyMs,
      failureEvent: 'block-watch-failed',
      failure: 'the blocks of proofs could not be followed',
      look: (signal) => follow.runOnce(signal),
    },
    parts,
  )
