/**
 * Who is calling, where it matters: the one function that turns credentials into a wallet. Today that is a signature
 * over an action (contract of the owner messages: six lines, verifier ownership-basic, `data` names the action).
 */
import { canonicalJson } from '../envelope/canonical-json.ts'
import { signerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
import { addressOfIdentifier, chainOf, normalizeAddress } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { type FreshnessWindow, stalenessOf } from '../wallet/freshness.ts'
import { isContractMethod, isNoSignature, signatureMaxLength, type VerifySignature } from '../wallet/signature.ts'

/** A signature over an action, from headers (GET) or from the body (POST). */
export interface OwnerCredentials {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
}

export interface CallerTools {
  readonly now: () => number
  readonly freshness: FreshnessWindow
  readonly titles: readonly string[]
  readonly verifySignature: VerifySignature
  readonly config: { readonly signing: { readonly hubChainId: number } }
}

export interface Caller {
  /** As stored and compared: EVM in lower case. */
  readonly wallet: string
  /** CAIP-2 id of the chain on which the caller is a contract wallet; undefined for keys. */
  readonly contractOn: string | undefined
  /**
   * SHA-256 of wallet and signed text, 64 hexadecimal digits: for actions that may happen only once. Not of the
   * signature, which has several spellings (v as 0 or 27, EIP-2098, base58 or hexadecimal).
   */
  readonly signedDigest: string
}

/** The five owner headers, or undefined when the request carries none of them. Errors: WALLET_AUTH_REQUIRED, VALIDATION_ERROR. */
export function ownerHeaders(headers: Headers): OwnerCredentials | undefined {
  const walletAddress = headers.get('x-wallet-address')
  const signature = headers.get('x-signature')
  const timestamp = headers.get('x-signed-timestamp')
  // A wallet alone says who is looking, and proves nothing.
  if (signature === null && timestamp === null) return undefined
  if (walletAddress === null || signature === null || timestamp === null)
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      'owner authentication needs the headers x-wallet-address, x-signature and x-signed-timestamp together',
    )
  if (!/^[0-9]{1,16}$/.test(timestamp))
    throw new AppError('VALIDATION_ERROR', 'the header x-signed-timestamp must be Unix milliseconds')
  if (signature.length > signatureMaxLength)
    throw new AppError('SIGNATURE_INVALID', `the header x-signature is longer than ${signatureMaxLength} characters`)
  return {
    walletAddress,
    signature,
    signedTimestamp: Number(timestamp),
    chain: headers.get('x-chain') ?? undefined,
    signatureMethod: headers.get('x-signature-method') ?? undefined,
  }
}

/** What clients sign for when they know only that their wallet is not an EVM one. */
const unnamedChain = 'solana:mainnet'

/**
 * The caller, proved by a signature over one of the given actions: the action with the id as the client spelled it, and
 * in lower case. Errors: WALLET_AUTH_REQUIRED, EXPIRED_SIGNATURE, SIGNATURE_INVALID, INVALID_WALLET_ADDRESS.
 */
export async function requireSigner(
  credentials: OwnerCredentials,
  actions: (wallet: string) => readonly object[],
  tools: CallerTools,
): Promise<Caller> {
  const { signature, signedTimestamp, signatureMethod } = credentials
  if (isNoSignature(signature))
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      'this needs a signature by the owner: sign the action message and send walletAddress, signature and signedTimestamp',
    )
  const address = addressOfIdentifier(credentials.walletAddress) ?? ''
  const context = requireContext(
    { walletAddress: address, chain: credentials.chain },
    tools.config.signing.hubChainId,
    unnamedChain,
  )

  const now = tools.now()
  const stale = stalenessOf(signedTimestamp, now, tools.freshness)
  if (stale) throw new AppError('EXPIRED_SIGNATURE', stale, { signedTimestamp, serverTime: now })

  const wallet = normalizeAddress(address)
  const messages = actions(wallet).flatMap((action) => {
    const claim = {
      walletAddress: address,
      verifierIds: ['ownership-basic'],
      canonicalData: canonicalJson(action),
      signedTimestamp,
      context,
    }
    return tools.titles.map((title) => signerString(claim, title))
  })
  const verdict = await tools.verifySignature(
    { address, chain: chainOf(context), signature, method: signatureMethod },
    messages,
  )
  if (verdict.signed)
    return {
      wallet,
      contractOn: isContractMethod(verdict.method) ? chainOf(context) : undefined,
      signedDigest: Bun.SHA256.hash(`${wallet}\n${messages[verdict.position]}`, 'hex'),
    }
  throw new AppError('SIGNATURE_INVALID', `the owner signature is not accepted: ${verdict.message}`, {
    signedData: actions(wallet)[0],
  })
}
