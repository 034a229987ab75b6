/** Asks the chain again about the claim of a stored proof, at the current block. */
import { AppError } from '../errors.ts'
import { limitWait } from '../limit-wait.ts'
import { OutsideError, UnanswerableError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import type { Verdict } from '../verifiers/verifier.ts'
import { parseAccount } from '../wallet/account.ts'
import type { ProofRow } from './proof.ts'
import type { VerifiedRow } from './record.ts'
import { makeVerifierTools } from './verifier-tools.ts'

/** As long as a claim may take when it is made (verification/judge.ts). */
const longestMs = 25_000

export interface RereadOptions {
  /** A claim about a past block is read as one about now. */
  readonly isAboutNow?: boolean
  readonly budgetMs?: number
}

/**
 * Evaluates the claim now. Stores nothing. Errors: OutsideError, also for a chain removed from the settings, and for a
 * verifier that reads no chain state.
 */
export async function readAgain(
  parts: Parts,
  { account, walletAddress, context, signedTimestamp, record }: ProofRow,
  { verifierId, data }: VerifiedRow,
  { isAboutNow = false, budgetMs = longestMs }: RereadOptions = {},
): Promise<Verdict> {
  const verifier = parts.catalog.known.get(verifierId)
  if (!verifier?.readsState) throw makeUnaskableError(verifierId, 'its verifier reads no chain')
  const asked = verifier.restoreData ? verifier.restoreData(data) : data.input
  const claim = {
    signer: walletAddress,
    subject: record.subjectWallet ?? walletAddress,
    data: (isAboutNow ? dropBlock(asked) : asked) as never,
    context,
    contractOn: parseAccount(account).contractOn,
    signedTimestamp,
    extras: {},
  }
  try {
    const tools = makeVerifierTools(parts)
    const verdict = Promise.resolve(verifier.examine?.(claim, tools) ?? verifier.verify(claim, tools))
    return await limitWait(verdict, budgetMs, () => makeTimeout(verifierId, budgetMs))
  } catch (error) {
    if (error instanceof AppError || error instanceof UnanswerableError)
      throw makeUnaskableError(verifierId, error.message)
    throw error
  }
}

const makeUnaskableError = (verifierId: string, why: string): OutsideError =>
  new OutsideError(
    'wrong-source',
    verifierId,
    `cannot ask about this claim again: ${why}`,
    'configure the chain of the claim again',
    60,
  )

const dropBlock = (input: unknown): object => {
  const { blockNumber: _, ...now } = input as { readonly blockNumber?: number }
  return now
}

const makeTimeout = (verifierId: string, budgetMs: number): OutsideError =>
  new OutsideError(
    'timeout',
    verifierId,
    `was not answered in ${Math.ceil(budgetMs / 1000)} s`,
    'lower outside.timeout_seconds, or remove endpoints that hang',
  )
