/**
 * The text that an owner signs to act: six lines over a `data` that names the action. The client writes it itself, so
 * that no server can choose the signed text.
 */

import { writeCanonicalJson } from '../envelope/canonical-json.ts'
import { writeSignerString } from '../envelope/signer-string.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { isEvmAddress, normalizeAddress } from '../wallet/account.ts'
import { ProofgateError } from './error.ts'
import type { ClientOptions, Signer } from './module.d.ts'

/** The signature of a wallet over an action. */
export interface Owner {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
  readonly chain: string
  readonly signatureMethod?: string | undefined
}

/** The name of an action, and its other members. Without any, it concerns the signing wallet. */
export type Action = readonly [name: string, about?: Readonly<Record<string, string>>]

/** Servers accept a signature for five minutes; one of those is left for transmission. */
const keptMs = 240_000

/**
 * Two days and a little. A server that sets our clock freely could collect signatures for a future day at other
 * servers.
 */
const believedMs = 2e8

/**
 * One client's knowledge of the time, and its signatures. `audience` is the server that actions are signed for, so
 * nobody can use such a text elsewhere. Hence no server is asked for its value.
 */
export function makeOwners({ url, now = Date.now, audience = new URL(url).host }: ClientOptions) {
  let aheadMs = 0
  let kept = new WeakMap<Signer, Map<string, Owner>>()

  /** The server's time, as far as it is known. */
  const readTime = (): number => now() + aheadMs

  /** True when the error showed that our clock was wrong; it is now corrected. */
  function learns(error: unknown): boolean {
    const serverTime = (error instanceof ProofgateError &&
      error.code === 'EXPIRED_SIGNATURE' &&
      error.details.serverTime) as number
    // False for a missing number.
    const isBelieved = Math.abs(serverTime - now()) < believedMs
    if (isBelieved) {
      aheadMs = serverTime - now()
      kept = new WeakMap()
    }
    return isBelieved
  }

  async function signAction(signer: Signer, [action, about]: Action): Promise<Owner> {
    const { address, signatureMethod } = signer
    const canonicalData = writeCanonicalJson({
      action,
      audience,
      ...(about ?? { walletAddress: normalizeAddress(address) }),
    })
    const known = kept.get(signer) ?? new Map<string, Owner>()
    kept.set(signer, known)
    const before = known.get(address + canonicalData)
    const signedTimestamp = readTime()
    if (before && signedTimestamp - before.signedTimestamp < keptMs) return before

    // Set explicitly, because the server's hub chain is unknown here. An EVM key accepts any chain.
    const chain = signer.chain ?? (isEvmAddress(address) ? 'eip155:84532' : 'solana:mainnet')
    const claim = {
      walletAddress: address,
      verifierIds: [ownerActionVerifierId],
      canonicalData,
      signedTimestamp,
      context: { chain },
    }
    const signature = await signer.sign(writeSignerString(claim))
    const owner = {
      walletAddress: address,
      signature,
      signedTimestamp,
      chain,
      ...(signatureMethod && { signatureMethod }),
    }
    if (isAskedAgain.test(action)) known.set(address + canonicalData, owner)
    return owner
  }

  /** Runs `work` as the signer, once more after a clock correction. Without a signer it runs with the given headers. */
  async function act<T>(signer: Signer | undefined, action: Action, work: (owner?: Owner) => Promise<T>): Promise<T> {
    if (!signer) return work()
    const attempt = async () => work(await signAction(signer, action))
    try {
      return await attempt().catch((error) => {
        if (!learns(error)) throw error
        return attempt()
      })
    } catch (error) {
      nameOption(error)
      throw error
    }
  }

  /** The server names its audience. If it is another one, the caller decides whether to trust that. */
  function nameOption(error: unknown): void {
    if (error instanceof ProofgateError && (error.details.audience ?? audience) !== audience)
      error.message += `. This client signs for ${audience}: if the server is known by another name, set the option "audience" of createClient.`
  }

  return { time: readTime, learns, act }
}

/** Reads, and rewards that are requested before and after payment. Revocations and deletions are signed each time. */
const isAskedAgain = /^(access|gate|list|fulfill)_/

/** As x-wallet-address and so on: header names ignore case. */
export const writeHeaders = (owner: Owner | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(owner ?? {}).map(([name, value]) => [`x-${name.replace(/[A-Z]/g, '-$&')}`, String(value)]),
  )
