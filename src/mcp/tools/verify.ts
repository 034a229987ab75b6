import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { sourcedVerifiers } from '../../proofs/proof.ts'
import { oneOf } from '../../shape.ts'
import { created } from '../../verification/answer.ts'
import { isSigned } from '../../verification/authority.ts'
import { ProofMeta } from '../../verification/request.ts'
import { submit } from '../../verification/submit.ts'
import { withoutVersion } from '../../verifiers/id.ts'
import { closed } from '../../verifiers/shapes.ts'
import { accountIdOf, chainOf, isEvmAddress, normalizeAddress } from '../../wallet/account.ts'
import { requireContext } from '../../wallet/context.ts'
import { signatureMaxLength } from '../../wallet/signature.ts'
import { hostedUrl, ReturnUrl } from '../hosted.ts'
import { Prepared, prepared, signaturePlaceholder } from '../prepared.ts'
import { type Caller, defineTool } from '../tool.ts'
import { accountOf, WalletArgument, walletIn } from '../wallets.ts'
import { VerifierIds } from './proofs-check.ts'

const Input = closed({
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
    closed({
      returnUrl: ReturnUrl,
      privacyLevel: Type.Optional(oneOf(['private', 'public'], 'private (default): only the person sees it.')),
      publicDisplay: Type.Optional(Type.Boolean({ description: 'Also list a public proof under its wallet.' })),
      storeOriginalContent: Type.Optional(Type.Boolean({ description: 'Keep data.content with the proof.' })),
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
    result: oneOf(['Passed', 'Action needed', 'Blocked']),
    message: Type.String(),
    qHash: Type.Optional(Type.String({ description: 'Id of the proof.' })),
    status: Type.Optional(Type.String()),
    proofUrl: Type.Optional(Type.String()),
    walletAddress: Type.String(),
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
    hostedVerifyUrl: Type.Optional(Type.String()),
    next_action: Type.String(),
    nextSteps: Type.Array(Type.String()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  needs: (args) => (setsUpAgents(args) && !isSigned(args) ? ['profile'] : []),

  async run(args, caller) {
    const { parts, identity } = caller
    const wallet =
      args.walletAddress === undefined ? signerOf(args, caller) : walletIn(args.walletAddress, 'walletAddress')
    const claim = {
      walletAddress: wallet,
      verifierIds: args.verifierIds,
      data: completed(args, wallet),
      chain: chainFor(args, wallet, caller),
    }
    if (isSigned(args)) return passed(args, claim, caller)
    const secondary = linkPreparation(args, claim, caller)
    if (secondary) return actionNeeded(args, claim, secondary, caller)
    // What hands authority on, a credential cannot do alone (verification/authority.ts): the wallet signs.
    const byHand = claim.verifierIds.map(withoutVersion).includes('wallet-link')
    if (byHand || !accountOf(identity, wallet)) {
      const purpose = `${wallet} claims: ${claim.verifierIds.join(', ')}`
      return actionNeeded(args, claim, prepared(parts, claim, purpose, caller.toolName('verify'), args.options), caller)
    }
    return passed(args, claim, caller)
  },
})

type Args = Static<typeof Input>

/** As agent_create: what lets an agent act needs more than making proofs. */
const setsUpAgents = ({ verifierIds }: Args): boolean =>
  verifierIds.map(withoutVersion).some((id) => sourcedVerifiers.includes(id))

interface Claim {
  readonly walletAddress: string
  readonly verifierIds: string[]
  readonly data: Record<string, unknown>
  readonly chain: string | undefined
}

/** Of some claims the data says who must sign. */
function signerOf({ verifierIds, ...args }: Args, { identity }: Caller): string {
  const data = (args.data ?? {}) as Record<string, unknown>
  const [id] = verifierIds.map(withoutVersion)
  const member = verifierIds.length > 1 ? undefined : signerMembers[id ?? '']
  const named = member === undefined ? undefined : data[member]
  return typeof named === 'string' ? walletIn(named, `data.${member}`) : identity.profile.primary.wallet
}

const signerMembers: Readonly<Record<string, string>> = {
  'ownership-basic': 'owner',
  'agent-identity': 'agentWallet',
  'agent-delegation': 'controllerWallet',
  'wallet-link': 'primaryWalletAddress',
}

/** Nothing was signed yet, so the owner may be filled in. */
function completed({ verifierIds, ...args }: Args, wallet: string): Record<string, unknown> {
  const data = (args.data ?? {}) as Record<string, unknown>
  const ids = verifierIds.map(withoutVersion)
  if (!ids.includes('ownership-basic')) return data
  if (ids.length === 1) return { owner: wallet, ...data }
  const own = data['ownership-basic']
  return typeof own === 'object' && own !== null ? { ...data, 'ownership-basic': { owner: wallet, ...own } } : data
}

/** A contract wallet of the person is somebody on its own chain only. */
const chainFor = ({ chain }: Args, wallet: string, { identity }: Caller): string | undefined =>
  chain ?? accountOf(identity, wallet)?.contractOn ?? (isEvmAddress(wallet) ? undefined : 'solana:mainnet')

async function passed(args: Args, claim: Claim, caller: Caller) {
  const { parts, identity } = caller
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
    const submitted = await submit(parts, request, { identity })
    const { answer } = created(parts, submitted, claim.data)
    const { data } = answer
    return {
      success: true,
      result: 'Passed' as const,
      message: answer.message,
      qHash: data.qHash,
      status: answer.status,
      ...(data.proofUrl === undefined ? {} : { proofUrl: data.proofUrl }),
      walletAddress: submitted.proof.walletAddress,
      verifierIds: [...submitted.proof.record.verifierIds],
      verifiers: submitted.proof.record.rows.map(({ verifierId, verified, data: evidence }) => ({
        verifierId,
        verified,
        ...(verified ? {} : { reason: String(evidence.message ?? '') }),
      })),
      alreadyStored: submitted.alreadyStored,
      receipt: { ...data.receipt },
      ...('portableProof' in data && data.portableProof ? { portableProof: { ...data.portableProof } } : {}),
      next_action: 'none',
      nextSteps: [],
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VERIFICATION_FAILED') throw error
    return {
      success: false,
      result: 'Blocked' as const,
      message: error.message,
      walletAddress: claim.walletAddress,
      verifierIds: claim.verifierIds,
      next_action: 'ask_the_person',
      nextSteps: ['The claim does not hold. Tell the person why; nothing was stored.'],
    }
  }
}

function actionNeeded(
  args: Args,
  { walletAddress, verifierIds }: Claim,
  needed: Prepared,
  { parts, toolName }: Caller,
) {
  return {
    success: false,
    result: 'Action needed' as const,
    message: `${needed.walletAddress} must sign a text. Nothing was stored yet.`,
    walletAddress,
    verifierIds,
    prepared: needed,
    hostedVerifyUrl: hostedUrl(parts, { verifiers: verifierIds.join(','), returnUrl: args.options?.returnUrl }),
    next_action: 'sign_then_retry',
    nextSteps: [
      `Have ${needed.walletAddress} sign prepared.signerString exactly as it is.`,
      `Then call ${toolName('verify')} with prepared.submitWith.arguments, with the signature where they say ${signaturePlaceholder}.`,
      'If the person cannot sign here, give them hostedVerifyUrl to open.',
    ],
  }
}

/** The text by which a second wallet agrees to be linked, when its signature is not in the data yet. */
function linkPreparation(args: Args, claim: Claim, { parts, toolName }: Caller): Prepared | undefined {
  const { data } = claim
  const { secondaryWalletAddress: secondary, chain = claim.chain } = data
  if (claim.verifierIds.map(withoutVersion).join() !== 'wallet-link') return undefined
  if (data.signature !== undefined || typeof secondary !== 'string') return undefined
  const own = requireContext(
    { walletAddress: claim.walletAddress, chain: claim.chain },
    parts.config.signing.hubChainId,
  )
  const primaryChain = chainOf(own)
  const secondaryChain = typeof chain === 'string' ? chain : primaryChain
  requireContext({ walletAddress: secondary, chain: secondaryChain }, parts.config.signing.hubChainId)
  const agreed = {
    primaryAccountId: accountIdOf(primaryChain, claim.walletAddress),
    secondaryAccountId: accountIdOf(secondaryChain, secondary),
    primaryWalletAddress: claim.walletAddress,
    secondaryWalletAddress: normalizeAddress(secondary),
  }
  const inner = prepared(
    parts,
    { walletAddress: normalizeAddress(secondary), verifierIds: ['wallet-link'], data: agreed, chain: secondaryChain },
    `${secondary} agrees to be linked to ${claim.walletAddress}`,
    toolName('verify'),
  )
  return {
    ...inner,
    submitWith: {
      tool: toolName('verify'),
      arguments: {
        verifierIds: ['wallet-link'],
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
