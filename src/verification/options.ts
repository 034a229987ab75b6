/** Fills in the default options of a request, and refuses options that this server does not support. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { requirePlainLabel } from '../plain-label.ts'
import type { ProofOptions } from '../proofs/record.ts'
import type { PublishingPlan } from '../publishing/publication.ts'
import { findMissingSetting } from '../publishing/targets.ts'
import { areSameAddress, readNamespace } from '../wallet/account.ts'
import { requireContext, type WalletReference } from '../wallet/context.ts'
import { findMethodFault } from '../wallet/signature.ts'
import { VerificationOptions, type VerificationRequest } from './request.ts'

type Options = NonNullable<VerificationRequest['options']>
type Configured = Pick<Parts, 'config' | 'outside'>

const metaMaxBytes = 8192

/** Errors: VALIDATION_ERROR, FORBIDDEN. */
export function settleOptions(request: VerificationRequest, parts: Configured): ProofOptions {
  const { options = {}, meta = {} } = request
  const privacyLevel = options.privacyLevel ?? 'private'
  const publishing = planPublishing(options, parts)
  if (publishing) requireMayPublish(request.walletAddress, parts)
  return {
    privacyLevel,
    publicDisplay: options.publicDisplay ?? false,
    storeOriginalContent: options.storeOriginalContent ?? false,
    keepPortable: options.keepPortable ?? false,
    ...(publishing ? { publishing } : {}),
    enableIpfs: wantsSnapshot(options, privacyLevel, parts),
    meta: settleMeta({ ...options.meta, ...meta }),
  }
}

/** Naming the hub among the target chains means the same as publishToHub. */
function planPublishing(
  { publishToHub = false, targetChains = [] }: Options,
  parts: Configured,
): PublishingPlan | undefined {
  if (!publishToHub && targetChains.length === 0) return undefined
  const { hubChainId } = parts.config.signing
  if (publishToHub) requirePublishable(hubChainId, '/options/publishToHub', parts)
  for (const [index, chainId] of targetChains.entries())
    requirePublishable(chainId, `/options/targetChains/${index}`, parts)

  const copies = new Set(targetChains)
  const toHub = copies.delete(hubChainId) || publishToHub
  return { hubChainId: toHub ? hubChainId : null, targetChains: [...copies] }
}

function requireMayPublish(wallet: string, { config }: Configured): void {
  const { wallets } = config.publishing
  if (wallets.length === 0 || wallets.some((one) => areSameAddress(one, wallet))) return
  throw new AppError(
    'FORBIDDEN',
    `proofs of ${wallet} are not recorded on chains here: leave publishToHub and targetChains out, or ask the operator to add the wallet to publishing.wallets`,
  )
}

function requirePublishable(chainId: number, path: string, parts: Configured): void {
  const lack = findMissingSetting(chainId, parts)
  if (lack !== undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      `${writeMemberName(path)}: this server does not record proofs on chain ${chainId}, because it lacks ${lack}: leave it out, or ask the operator to set it`,
      { path, chainId },
    )
}

/** Writes `/options/targetChains/0` as `options.targetChains[0]`. */
const writeMemberName = (path: string): string =>
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

function settleMeta(meta: Record<string, unknown>): ProofOptions['meta'] {
  // contentText duplicates the content, so only storeOriginalContent may store it.
  const { contentText: _, ...kept } = meta
  if (Buffer.byteLength(JSON.stringify(kept)) > metaMaxBytes)
    throw new AppError('VALIDATION_ERROR', `meta is larger than ${metaMaxBytes} bytes as JSON`, { path: '/meta' })
  const { title } = kept
  if (typeof title === 'string' && title.trim() !== '') requirePlainLabel(title, 'meta.title')
  return kept
}

/** The number of reported names, and the length to which each is cut. */
const mostWarned = 10
const longestName = 80

/** The options without effect, each as a sentence. Undefined if all have one. */
export function warnAboutOptions({ options }: Pick<VerificationRequest, 'options'>): string[] | undefined {
  if (!options) return undefined
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(VerificationOptions.properties, name))
  const warnings = [
    ...(options.publicDisplay && options.privacyLevel !== 'public'
      ? [
          'options.publicDisplay has no effect on a private proof: set options.privacyLevel to "public" as well, or leave it out',
        ]
      : []),
    ...unknown
      .slice(0, mostWarned)
      .map((name) => `options.${name.slice(0, longestName)} is not known here and has no effect: leave it out`),
    ...(unknown.length > mostWarned
      ? [`${unknown.length - mostWarned} more members of options are not known here and have no effect`]
      : []),
  ]
  return warnings.length > 0 ? warnings : undefined
}

/** A text may be asked for with any signatureMethod, and verification will refuse one that fits no signature. */
export function warnAboutMethod(
  request: WalletReference & Pick<VerificationRequest, 'signatureMethod'>,
  hubChainId: number,
): string[] {
  const fault = findMethodFault(readNamespace(requireContext(request, hubChainId)), request.signatureMethod)
  return fault === undefined ? [] : [`${fault}. Verification will refuse it`]
}

export const Warnings = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'Members that have no effect, one sentence each: publicDisplay of a private proof, unknown options, and of standardize a signatureMethod that fits no signature. Absent where all have an effect.',
  }),
)
