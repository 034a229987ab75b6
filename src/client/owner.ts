/**
 * What an owner signs to act: six lines over a `data` that names the action. Written here and not asked of the server, so
 * that no server can have something else signed.
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

/** The name of an action, and the members beside it: without any it is about the wallet that signs. */
export type Action = readonly [name: string, about?: Readonly<Record<string, string>>]

/** Servers take a signature for five minutes; one of those is left for the way. */
const keptMs = 240_000

/** Two days and a bit: whatever is signed for a day that a server chooses freely is good at other servers on that day. */
const believedMs = 2e8

/**
 * What one client knows of the time, and has signed. `audience` is the server that actions are signed for: whoever gets such
 * a text cannot use it elsewhere, so no server is asked what it should be.
 */
export function ownersBy({ url, now = Date.now, audience = new URL(url).host }: ClientOptions) {
  let aheadMs = 0
  let kept = new WeakMap<Signer, Map<string, Owner>>()

  /** The time of the server, as far as it is known. */
  const time = (): number => now() + aheadMs

  /** True when the error says that our clock is wrong, which it is no more. */
  function learns(error: unknown): boolean {
    const serverTime = (error instanceof ProofgateError &&
      error.code === 'EXPIRED_SIGNATURE' &&
      error.details.serverTime) as number
    // False where it is no number.
    const isBelieved = Math.abs(serverTime - now()) < believedMs
    if (isBelieved) {
      aheadMs = serverTime - now()
      kept = new WeakMap()
    }
    return isBelieved
  }

  async function signed(signer: Signer, [action, about]: Action): Promise<Owner> {
    const { address, signatureMethod } = signer
    const canonicalData = writeCanonicalJson({
      action,
      audience,
      ...(about ?? { walletAddress: normalizeAddress(address) }),
    })
    const known = kept.get(signer) ?? new Map<string, Owner>()
    kept.set(signer, known)
    const before = known.get(address + canonicalData)
    const signedTimestamp = time()
    if (before && signedTimestamp - before.signedTimestamp < keptMs) return before

    // Said in full, because the hub chain of the server is not known here. For the key of an EVM wallet any chain does.
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

  /** `work` as the signer, once more when the clock was wrong; without a signer as whoever the headers say. */
  async function act<T>(signer: Signer | undefined, action: Action, work: (owner?: Owner) => Promise<T>): Promise<T> {
    if (!signer) return work()
    const attempt = async () => work(await signed(signer, action))
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

  /** The server tells its audience. Where it is another one, the caller decides whether to believe that. */
  function nameOption(error: unknown): void {
    if (error instanceof ProofgateError && (error.details.audience ?? audience) !== audience)
      error.message += `. This client signs for ${audience}: if the server is known by another name, set the option "audience" of createClient.`
  }

  return { time, learns, act }
}

/** What is read, and a reward that is asked for before and after it is paid. What is taken away is signed each time. */
const isAskedAgain = /^(access|gate|list|fulfill)_/

/** As x-wallet-address and so on: names of headers are the same in either case. */
export const headersOf = (owner: Owner | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(owner ?? {}).map(([name, value]) => [`x-${name.replace(/[A-Z]/g, '-$&')}`, String(value)]),
  )
