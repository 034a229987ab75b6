/** The options of a request with their defaults filled in, and the refusal of those that are not configured here. */
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { ProofOptions } from '../proofs/proof.ts'
import type { PublishingPlan } from '../publishing/publication.ts'
import { lackFor } from '../publishing/targets.ts'
import { sameAddress } from '../wallet/account.ts'
import type { VerificationRequest } from './request.ts'

type Options = NonNullable<VerificationRequest['options']>
type Configured = Pick<Parts, 'config' | 'outside'>

const metaMaxBytes = 8192

/** Errors: VALIDATION_ERROR, FORBIDDEN. */
export function settledOptions(request: VerificationRequest, parts: Configured): ProofOptions {
  const { options = {}, meta = {} } = request
  const privacyLevel = options.privacyLevel ?? 'private'
  const publishing = publishingIn(options, parts)
  if (publishing) requireMayPublish(request.walletAddress, parts)
  return {
    privacyLevel,
    publicDisplay: options.publicDisplay ?? false,
    storeOriginalContent: options.storeOriginalContent ?? false,
    ...(publishing ? { publishing } : {}),
    enableIpfs: wantsSnapshot(options, privacyLevel, parts),
    meta: settledMeta({ ...options.meta, ...meta }),
  }
}

/** The hub among the target chains means the record on the hub, as publishToHub does. */
function publishingIn(
  { publishToHub = false, targetChains = [] }: Options,
  parts: Configured,
): PublishingPlan | undefined {
  const { hubChainId } = parts.config.signing
  if (publishToHub) requirePublishable(hubChainId, '/options/publishToHub', parts)
  for (const [index, chainId] of targetChains.entries())
    requirePublishable(chainId, `/options/targetChains/${index}`, parts)

  const copies = new Set(targetChains)
  const toHub = copies.delete(hubChainId) || publishToHub
  if (!toHub && copies.size === 0) return undefined
  return { hubChainId: toHub ? hubChainId : null, targetChains: [...copies] }
}

function requireMayPublish(wallet: string, { config }: Configured): void {
  const { wallets } = config.publishing
  if (wallets.length === 0 || wallets.some((one) => sameAddress(one, wallet))) return
  throw new AppError(
    'FORBIDDEN',
    `proofs of ${wallet} are not recorded on chains here: leave publishToHub and targetChains out, or ask the operator to add the wallet to publishing.wallets`,
  )
}

function requirePublishable(chainId: number, path: string, parts: Configured): void {
  const lack = lackFor(chainId, parts)
  if (lack !== undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      `${nameOf(path)}: this server does not record proofs on chain ${chainId}, because it lacks ${lack}: leave it out, or ask the operator to set it`,
      { path, chainId },
    )
}

/** `/options/targetChains/0` is `options.targetChains[0]` to people. */
const nameOf = (path: string): string =>
  path
    .slice(1)
    .replace(/\/(\d+)$/, '[$1]')
    .replace('/', '.')

function wantsSnapshot({ enableIpfs = false }: Options, privacyLevel: string, { outside }: Configured): boolean {
  if (!enableIpfs) return false
  const path = '/options/enableIpfs'
  if (privacyLevel === 'private')
    throw new AppError(
      'VALIDATION_ERROR',
      'options.enableIpfs: anybody can read a snapshot on IPFS, and nobody can take it back, so it is made of public proofs only: set options.privacyLevel to "public", or leave it out',
      { path },
    )
  if (!outside.ipfs)
    throw new AppError(
      'VALIDATION_ERROR',
      'options.enableIpfs: this server puts nothing on IPFS, because it lacks ipfs.kubo_url or ipfs.pinning_url: leave it out, or ask the operator to set one',
      { path },
    )
  return true
}

function settledMeta(meta: Record<string, unknown>): ProofOptions['meta'] {
  // contentText is the content by another name: it is stored by storeOriginalContent or not at all.
  const { contentText: _, ...kept } = meta
  if (Buffer.byteLength(JSON.stringify(kept)) > metaMaxBytes)
    throw new AppError('VALIDATION_ERROR', `meta is larger than ${metaMaxBytes} bytes as JSON`, { path: '/meta' })
  return kept
}
