/**
 * The worker of publishing, in one process at a time: it visits every chain with open work, and advances each publication as far as possible. Its
 * state is in the database, so it may end at any moment and start again. Chains do not wait for each other.
 */

import type { PrivateKeyAccount } from 'viem/accounts'
import type { Hex } from '../outside/chains/chain.ts'
import { OutsideError, UnanswerableError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import { guardWrites } from '../processes/guard.ts'
import { type Lease, LeaseLostError } from '../processes/processes.ts'
import { type Repeated, repeatStorageWork } from '../repeat.ts'
import { follow, makeFailedStep } from './follow.ts'
import { Obstacle, openRun } from './run.ts'
import { sendWhatWaits } from './send.ts'
import { findNextOpenChain, listOpen, move, type StatusWriter } from './store.ts'
import { findEas, findMissingSetting } from './targets.ts'

/** Loads when it is used: it brings a library of elliptic curves. */
const loadAccounts = () => require('viem/accounts') as typeof import('viem/accounts')

type OutboxParts = Pick<Parts, 'config' | 'db' | 'log' | 'now' | 'processes' | 'readSure' | 'readUptime' | 'outside'>

type OutboxTools = OutboxParts & StatusWriter & { readonly lease: Lease }

export interface Outbox {
  /** One look at every chain. Resolves when all are done with. Errors: only those of the database. */
  runOnce(): Promise<void>
}

/** Transactions that one look follows. */
const followedAtOnce = 1000
const givenUpAtOnce = 100
/** After an obstacle a chain is skipped for this time, and twice as long each time, up to the longest. */
const shortestPauseMs = 2_000
const longestPauseMs = 60_000

interface Trouble {
  readonly pauses: number
  /** As readUptime tells it, as reportedAt. */
  readonly until: number
}

/** Errors: publishing.private_key is no key. */
export function openOutbox(parts: OutboxParts, updateProofStatus: StatusWriter['updateProofStatus']): Outbox {
  const { config, log, processes, readUptime } = parts
  const lease = processes.openLease('publishing')
  const db = guardWrites(parts.db, lease, 'publishing')
  const tools: OutboxTools = { ...parts, db, lease, updateProofStatus }
  const signer = openAccount(config.publishing.privateKey)
  const troubles = new Map<number, Trouble>()
  const busy = new Map<number, Promise<void>>()

  async function advanceChain(chainId: number): Promise<void> {
    const trouble = troubles.get(chainId)
    if (trouble && readUptime() < trouble.until) return
    try {
      await advance(chainId, signer, tools)
      if (troubles.delete(chainId)) log.info('publishing goes on', { event: 'publishing-resumed', chainId })
    } catch (error) {
      if (error instanceof LeaseLostError) return
      troubles.set(chainId, noteTrouble(chainId, error, trouble))
    }
    await abandonChain(chainId, tools).catch((error) => {
      if (!(error instanceof LeaseLostError)) tellFault(chainId, error)
    })
  }

  const tellFault = (chainId: number, error: unknown): void =>
    log.count({
      level: 'error',
      event: 'publishing-failed',
      message: 'publishing failed',
      kind: String(chainId),
      error,
      fields: { chainId, mend: 'it is tried again; if it stays, look at the disk, or report it with the stack' },
    })

  function noteTrouble(chainId: number, error: unknown, earlier: Trouble | undefined): Trouble {
    const pauses = (earlier?.pauses ?? 0) + 1
    const until = readUptime() + Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(pauses - 1, 10))
    const { kind, why, mend } = explainFailure(error)
    if (mend === undefined) tellFault(chainId, error)
    else
      log.count({
        level: 'warn',
        event: 'publishing-waits',
        message: 'publishing waits',
        kind: `${chainId} ${kind}`,
        fields: { chainId, account: signer?.address, why, mend },
      })
    return { pauses, until }
  }

  return {
    async runOnce() {
      if (!(await lease.hold())) return
      for (
        let chainId = await findNextOpenChain(db, 0);
        chainId !== undefined;
        chainId = await findNextOpenChain(db, chainId)
      ) {
        const own = chainId
        if (!busy.has(own))
          busy.set(
            own,
            advanceChain(own).finally(() => busy.delete(own)),
          )
      }
      await Promise.all(busy.values())
    },
  }
}

/** Stops the start with the name of the setting, and does not show the key. */
function openAccount(privateKey: string | undefined): PrivateKeyAccount | undefined {
  try {
    return privateKey === undefined ? undefined : loadAccounts().privateKeyToAccount(privateKey as Hex)
  } catch {
    throw new Error('publishing.private_key is not the private key of an EVM account')
  }
}

/** `kind` stays the same while the numbers in `why` change. Without `mend` it is a fault of ours. */
function explainFailure(error: unknown): { readonly kind: string; readonly why: string; readonly mend?: string } {
  if (error instanceof Obstacle) return { kind: error.mend, why: error.message, mend: error.mend }
  if (error instanceof OutsideError)
    return { kind: `${error.source} ${error.fault}`, why: error.message, mend: error.mend }
  if (error instanceof UnanswerableError)
    return { kind: error.reason, why: error.message, mend: 'see whether the endpoints are in sync' }
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: why, why }
}

/** Errors: Obstacle, OutsideError. */
async function advance(chainId: number, signer: PrivateKeyAccount | undefined, parts: OutboxTools): Promise<void> {
  const chain = parts.outside.chains.evm(chainId)
  const eas = findEas(chainId, parts)
  if (!chain || !eas || !signer)
    throw new Obstacle(
      'this chain was configured when proofs were ordered to be recorded on it, and no longer is',
      `set ${findMissingSetting(chainId, parts)}`,
    )
  const run = await openRun(chain, eas, signer, parts)
  for (const state of ['mined', 'sent'] as const)
    for (const publication of await listOpen(parts.db, chainId, state, followedAtOnce)) await follow(publication, run)
  await sendWhatWaits(run)
}

/** A mined publication may still become final, so it gets the same time again. */
async function abandonChain(
  chainId: number,
  { config, db, now, readSure, updateProofStatus }: OutboxTools,
): Promise<void> {
  const minutes = config.publishing.giveUpAfterMinutes
  const patience = { waiting: minutes, sent: minutes, mined: 2 * minutes }
  const at = now()
  for (const state of ['waiting', 'sent', 'mined'] as const) {
    const listOverdue = async () =>
      (await listOpen(db, chainId, state, givenUpAtOnce)).filter(
        ({ askedAt }) => readSure() - askedAt >= patience[state] * 60_000,
      )
    for (let some = await listOverdue(); some.length > 0; some = await listOverdue())
      for (const publication of some)
        await move(
          { db, updateProofStatus },
          publication,
          makeFailedStep(`given up after ${patience[state]} minutes`, at),
          at,
        )
  }
}

const everyMs = 2_000

export const runOutbox = (outbox: Outbox, parts: Pick<Parts, 'config' | 'log'>): Repeated =>
  repeatStorageWork(
    {
      everyMs,
      failureEvent: 'outbox-failed',
      failure: 'the outbox failed: nothing is published until it works again',
      look: () => outbox.runOnce(),
    },
    parts,
  )
