import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { readSigner } from '../../proofs/owner.ts'
import { defineChoice } from '../../shape.ts'
import { answerCreated } from '../../verification/answer.ts'
import { isSigned } from '../../verification/authority.ts'
import { Warnings, warnAboutOptions } from '../../verification/options.ts'
import { ProofMeta } from '../../verification/request.ts'
import { submit } from '../../verification/submit.ts'
import { stripVersion } from '../../verifiers/id.ts'
import type { Catalog } from '../../verifiers/index.ts'
import { agentVerifierIds } from '../../verifiers/roles.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import type { SignerMembers } from '../../verifiers/verifier.ts'
import {
  type Account,
  isEvmAddress,
  type NamedAccount,
  nameAccount,
  normalizeAddress,
  readAddress,
  readChain,
  showAccount,
  writeAccount,
  writeAccountId,
  writeChain,
  writeName,
} from '../../wallet/account.ts'
import { requireContext } from '../../wallet/context.ts'
import { signatureMaxLength } from '../../wallet/signature.ts'
import { buildHostedUrl, buildProofPageUrl, ReturnUrl } from '../hosted.ts'
import { requireOffered } from '../not-offered.ts'
import { Prepared, prepareSigning, signaturePlaceholder } from '../prepared.ts'
import { type Caller, defineTool } from '../tool.ts'
import { ContractOn, findOwn, narrowToChain, requireNamed, WalletArgument } from '../wallets.ts'
import { VerifierIds } from './proofs-check.ts'

const Input = defineClosed({
  verifierIds: VerifierIds,
  walletAddress: WalletArgument('The wallet that makes the claim; the primary wallet of the person by default.'),
  data: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'What is claimed, as the verifier wants it: one verifier flat, several each under its id. For ownership-basic content, contentHash or reference; owner may be left out.',
      },
    ),
  ),
  chain: Type.Optional(Type.String({ maxLength: 80, description: 'CAIP-2 id of the chain the wallet signs for.' })),
  signature: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: signatureMaxLength,
      description: 'Only after a prepare step: over its signerString.',
    }),
  ),
  signedTimestamp: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 8_640_000_000_000_000,
      description: 'With signature: that of the prepare step.',
    }),
  ),
  signatureMethod: Type.Optional(Type.String({ maxLength: 32, description: 'ed25519 for wallets that are not EVM.' })),
  options: Type.Optional(
    defineClosed({
      returnUrl: ReturnUrl,
      privacyLevel: Type.Optional(defineChoice(['private', 'public'], 'private (default): only the person sees it.')),
      publicDisplay: Type.Optional(Type.Boolean({ description: 'Also list a public proof under its wallet.' })),
      storeOriginalContent: Type.Optional(Type.Boolean({ description: 'Keep data.content with the proof.' })),
      keepPortable: Type.Optional(
        Type.Boolean({ description: 'Keep the portable form of a signed proof for its owner.' }),
      ),
      publishToHub: Type.Optional(Type.Boolean({ description: 'Record it on the hub chain, where that is set up.' })),
      meta: Type.Optional(ProofMeta),
    }),
  ),
})

export const verify = defineTool({
  name: 'verify',
  title: 'Make a proof',
  description:
    'Makes a proof of a claim: who owns a text, a domain, an asset, a handle. For wallets of the person who is signed in no signature is needed. For another wallet, and where another wallet must agree, the answer is "Action needed" with a text to sign: have that wallet sign it, and call again with what submitWith says. Tell the person what is claimed before you call.',
  input: Input,
  output: Type.Object({
    success: Type.Boolean(),
    result: defineChoice(['Passed', 'Action needed', 'Blocked']),
    message: Type.String(),
    qHash: Type.Optional(Type.String({ description: 'Id of the proof.' })),
    status: Type.Optional(Type.String()),
    proofUrl: Type.Optional(Type.String({ description: 'The page of the proof, for the person to open.' })),
    walletAddress: Type.String(),
    contractOn: ContractOn,
    verifierIds: Type.Array(Type.String()),
    verifiers: Type.Optional(
      Type.Array(
        Type.Object({ verifierId: Type.String(), verified: Type.Boolean(), reason: Type.Optional(Type.String()) }),
      ),
    ),
    alreadyStored: Type.Optional(Type.Boolean()),
    receipt: Type.Optional(Type.Object({ format: Type.String(), portable: Type.Boolean() })),
    portableProof: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Of a signed claim: checks without this server.' }),
    ),
    prepared: Type.Optional(Prepared),
    warnings: Warnings,
    hostedVerifyUrl: Type.Optional(Type.String()),
    next_action: Type.String(),
    nextSteps: Type.Array(Type.String()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needs: (args) => (canSetUpAgents(args) && !isSigned(args) ? ['profile'] : []),

  async run(args, caller) {
    const { parts, identity } = caller
    const named = readClaimant(args, caller)
    const { wallet } = named
    const own = await findOwn(identity, named)
    const claim = {
      walletAddress: wallet,
      verifierIds: args.verifierIds,
      data: fillArguments(args, wallet, parts.catalog),
      chain: chooseChain(args, named, own),
    }
    // Checked before a wallet is asked to sign.
    requireOffered(args.verifierIds, parts)
    if (isSigned(args)) return submitSigned(args, claim, caller)
    if (needsPage(claim, parts)) return answerPageNeeded(args, claim, caller)
    const secondary = linkPreparation(args, claim, caller)
    if (secondary) return answerActionNeeded(args, claim, secondary, caller)
    // A credential alone cannot delegate authority (verification/authority.ts): the wallet must sign.
    const byHand = claim.verifierIds.some((id) => needsAgreement(id, parts.catalog))
    if (byHand || !own) {
      const purpose = `${own ? writeAccount(own) : writeName(named)} claims: ${claim.verifierIds.join(', ')}`
      return prepareUnlessBlocked(args, claim, purpose, caller)
    }
    return submitSigned(args, claim, caller)
  },
})

type Args = Static<typeof Input>

/** As agent_create: what lets an agent act needs more than making proofs. */
const canSetUpAgents = ({ verifierIds }: Args): boolean =>
  verifierIds.map(stripVersion).some((id) => agentVerifierIds.includes(id))

interface Claim {
  readonly walletAddress: string
  readonly verifierIds: string[]
  readonly data: Record<string, unknown>
  readonly chain: string | undefined
}

/**
 * The claimant: the named one, or else the one in the data of some claims, or else the primary account. Without a chain
 * of its own, the argument chain narrows it. Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR.
 */
function readClaimant({ walletAddress, verifierIds, chain, ...args }: Args, { parts, identity }: Caller): NamedAccount {
  const data = (args.data ?? {}) as Record<string, unknown>
  const [id] = verifierIds.map(stripVersion)
  const members = verifierIds.length > 1 ? undefined : parts.catalog.known.get(id ?? '')?.signer
  const inData = members && readText(data, members.wallet)
  const { hubChainId } = parts.config.signing
  if (walletAddress === undefined && inData === undefined && chain === undefined)
    return nameAccount(identity.profile.primary, hubChainId)
  const argument = walletAddress !== undefined || inData === undefined ? 'walletAddress' : `data.${members?.wallet}`
  const named = requireNamed(walletAddress ?? inData ?? identity.profile.primary.wallet, argument, parts)
  return narrowToChain(
    named,
    chain ?? (walletAddress === undefined ? readSaidChain(data, members) : undefined),
    argument,
  )
}

const readText = (data: Readonly<Record<string, unknown>>, name: string | undefined): string | undefined => {
  const value = name !== undefined && Object.hasOwn(data, name) ? data[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The chain that the data says the signer is on. */
const readSaidChain = (
  data: Readonly<Record<string, unknown>>,
  members: Pick<SignerMembers, 'chainRef' | 'accountId'> | undefined,
): string | undefined => readText(data, members?.chainRef) ?? readChain(readText(data, members?.accountId) ?? '')

/** The claim is not signed yet, so the signing wallet may be filled in. */
function fillArguments({ verifierIds, ...args }: Args, wallet: string, { known }: Catalog): Record<string, unknown> {
  const data = (args.data ?? {}) as Record<string, unknown>
  const ids = verifierIds.map(stripVersion)
  const filled = { ...data }
  for (const id of ids) {
    const signer = known.get(id)?.signer
    if (!signer?.isFilledIn) continue
    if (ids.length === 1) return { [signer.wallet]: wallet, ...data }
    const own = data[id]
    if (typeof own === 'object' && own !== null) filled[id] = { [signer.wallet]: wallet, ...own }
  }
  return filled
}

/**
 * A contract wallet of the person is identified by its address and chain. Another wallet may be one on its named chain.
 */
function chooseChain({ chain }: Args, { wallet, isChainGiven, ...named }: NamedAccount, own: Account | undefined) {
  if (chain !== undefined) return chain
  if (own?.contractOn !== undefined) return own.contractOn
  if (!own && isChainGiven && named.chain !== undefined) return named.chain
  return isEvmAddress(wallet) ? undefined : 'solana:mainnet'
}

async function submitSigned(args: Args, claim: Claim, caller: Caller) {
  const { parts, identity, appId } = caller
  const { returnUrl: _, ...options } = args.options ?? {}
  const { chain, ...members } = claim
  const request = {
    ...members,
    ...(chain === undefined ? {} : { chain }),
    ...(args.signature === undefined ? {} : { signature: args.signature }),
    ...(args.signedTimestamp === undefined ? {} : { signedTimestamp: args.signedTimestamp }),
    ...(args.signatureMethod === undefined ? {} : { signatureMethod: args.signatureMethod }),
    options,
  }
  try {
    const submitted = await submit(parts, request, { identity, appId })
    const { answer } = await answerCreated(parts, submitted, request)
    const { data } = answer
    return {
      success: true,
      result: 'Passed' as const,
      message: answer.message,
      qHash: data.qHash,
      status: answer.status,
      proofUrl: buildProofPageUrl(parts, data.qHash),
      ...showAccount(readSigner(submitted.proof)),
      verifierIds: [...submitted.proof.record.verifierIds],
      verifiers: (data.verifiedVerifiers ?? []).map(({ verifierId, verified, status, data: evidence }) => ({
        verifierId,
        verified,
        ...(verified
          ? {}
          : { reason: String((evidence as { message?: unknown }).message ?? `the proof is ${status}`) }),
      })),
      alreadyStored: submitted.alreadyStored,
      ...listWarnings(args),
      receipt: { ...data.receipt },
      ...('portableProof' in data && data.portableProof ? { portableProof: { ...data.portableProof } } : {}),
      next_action: 'none',
      nextSteps: [],
    }
  } catch (error) {
    return answerBlocked(error, claim)
  }
}

function prepareUnlessBlocked(args: Args, claim: Claim, purpose: string, caller: Caller) {
  const { parts, toolName } = caller
  try {
    return answerActionNeeded(
      args,
      claim,
      prepareSigning(parts, claim, purpose, toolName('verify'), args.options),
      caller,
    )
  } catch (error) {
    return answerBlocked(error, claim)
  }
}

/** An untrue claim is an answer. Errors: every other one. */
function answerBlocked(error: unknown, { walletAddress, verifierIds }: Claim) {
  if (!(error instanceof AppError) || error.code !== 'VERIFICATION_FAILED') throw error
  return {
    success: false,
    result: 'Blocked' as const,
    message: error.message,
    walletAddress,
    verifierIds,
    next_action: 'ask_the_person',
    nextSteps: ['The claim does not hold. Tell the person why; nothing was stored.'],
  }
}

/** returnUrl is this tool's own. */
function listWarnings({ options }: Args): { readonly warnings?: string[] } {
  const { returnUrl: _, ...rest } = options ?? {}
  const warnings = warnAboutOptions({ options: rest })
  return warnings ? { warnings } : {}
}

/** Proofs that involve a third party, such as a provider to sign in to, need the hosted page. */
function needsPage({ verifierIds, data }: Claim, { catalog }: Parts): boolean {
  const [id = ''] = verifierIds.map(stripVersion)
  const verifier = verifierIds.length === 1 ? catalog.enabled.get(id) : undefined
  if (verifier?.flow !== 'interactive') return false
  return !Value.Check(verifier.data, Object.hasOwn(data, id) ? data[id] : data)
}

const answerPageNeeded = (args: Args, { walletAddress, verifierIds }: Claim, { parts, appId }: Caller) => ({
  success: false,
  result: 'Action needed' as const,
  message: `${verifierIds.join(', ')} needs the person in a browser. Nothing was stored yet.`,
  walletAddress,
  verifierIds,
  hostedVerifyUrl: buildHostedUrl(parts, {
    verifiers: verifierIds.join(','),
    appId,
    returnUrl: args.options?.returnUrl,
  }),
  next_action: 'open_hosted_verify',
  nextSteps: ['Give the person hostedVerifyUrl to open, and check again when they are back.'],
})

function answerActionNeeded(
  args: Args,
  { walletAddress, verifierIds }: Claim,
  needed: Prepared,
  { parts, toolName, appId }: Caller,
) {
  return {
    success: false,
    result: 'Action needed' as const,
    message: `${needed.walletAddress}${needed.chain === undefined ? '' : ` on ${needed.chain}`} must sign a text. Nothing was stored yet.`,
    walletAddress,
    verifierIds,
    prepared: needed,
    ...listWarnings(args),
    hostedVerifyUrl: buildHostedUrl(parts, {
      verifiers: verifierIds.join(','),
      appId,
      returnUrl: args.options?.returnUrl,
    }),
    next_action: 'sign_then_retry',
    nextSteps: [
      `Have ${needed.walletAddress} sign prepared.signerString exactly as it is.`,
      `Then call ${toolName('verify')} with prepared.submitWith.arguments, with the signature where they say ${signaturePlaceholder}.`,
      'If the person cannot sign here, give them hostedVerifyUrl to open.',
    ],
  }
}

/** Whether a second wallet signs as well. */
const needsAgreement = (id: string, { known }: Catalog): boolean => known.get(stripVersion(id))?.agreement !== undefined

const secondaryMembers = { chainRef: 'secondaryChainRef', accountId: 'secondaryAccountId' }

/** The text by which a second wallet agrees to be linked, when its signature is not in the data yet. */
function linkPreparation(args: Args, claim: Claim, { parts, toolName }: Caller): Prepared | undefined {
  const { data } = claim
  const secondary = readText(data, 'secondaryWalletAddress') ?? readAddress(readText(data, 'secondaryAccountId') ?? '')
  const chain = readText(data, 'chain') ?? readSaidChain(data, secondaryMembers)
  const [linkId, ...others] = claim.verifierIds.map(stripVersion)
  if (linkId === undefined || others.length > 0 || !needsAgreement(linkId, parts.catalog)) return undefined
  if (data.signature !== undefined || secondary === '') return undefined
  const own = requireContext(
    { walletAddress: claim.walletAddress, chain: claim.chain },
    parts.config.signing.hubChainId,
  )
  const primaryChain = writeChain(own)
  const secondaryChain = chain ?? primaryChain
  requireContext({ walletAddress: secondary, chain: secondaryChain }, parts.config.signing.hubChainId)
  const agreed = {
    primaryAccountId: writeAccountId(primaryChain, claim.walletAddress),
    secondaryAccountId: writeAccountId(secondaryChain, secondary),
    primaryWalletAddress: claim.walletAddress,
    secondaryWalletAddress: normalizeAddress(secondary),
  }
  const inner = prepareSigning(
    parts,
    { walletAddress: normalizeAddress(secondary), verifierIds: [linkId], data: agreed, chain: secondaryChain },
    `${secondary} agrees to be linked to ${claim.walletAddress}`,
    toolName('verify'),
  )
  return {
    ...inner,
    submitWith: {
      tool: toolName('verify'),
      arguments: {
        verifierIds: [linkId],
        walletAddress: claim.walletAddress,
        ...(claim.chain === undefined ? {} : { chain: claim.chain }),
        ...(args.options ? { options: args.options } : {}),
        data: {
          ...data,
          ...agreed,
          primaryChainRef: primaryChain,
          chain: secondaryChain,
          signature: signaturePlaceholder,
          signedTimestamp: inner.signedTimestamp,
          signatureMethod: secondaryChain.startsWith('eip155:') ? 'eip191' : 'ed25519',
        },
      },
    },
  }
}
