import { type Static, Type } from '@sinclair/typebox'
import type { Identity } from '../../auth/identity.ts'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { fitViews } from '../../proofs/fit-views.ts'
import { listByWallet } from '../../proofs/list.ts'
import { readProof } from '../../proofs/read.ts'
import { shareBytes } from '../../proofs/share-bytes.ts'
import { findContentSizes } from '../../proofs/store.ts'
import type { ProofView } from '../../proofs/view.ts'
import { Pagination, Resolved } from '../../proofs/wire.ts'
import { defineChoice } from '../../shape.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { nameAccount, readNamedAccount, writeName } from '../../wallet/account.ts'
import {
  chooseAgent,
  listAgentDelegations,
  listAgentIdentities,
  listOwnDelegations,
  makeContextPack,
  showAgent,
} from '../agents.ts'
import { type Caller, defineTool, looksOnly } from '../tool.ts'
import { ProfileSummary, summarizeProfile } from '../vault.ts'
import { findOwn, requireNamed, WalletArgument } from '../wallets.ts'

const defaultLimit = 20
const mostTags = 32

const Input = defineClosed({
  identifier: WalletArgument('Whose proofs; the primary wallet of the person by default.'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: `How many, ${defaultLimit} by default.` }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description: 'How many to leave out first.' })),
  tags: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2048, description: 'Only proofs with all of these tags. Comma-separated.' }),
  ),
  agentWallet: WalletArgument('An agent: its proofs, and what the person lets it do.'),
  include: Type.Optional(
    defineChoice(
      ['metadata', 'content'],
      'metadata (default): what was verified, without bodies. content: everything.',
    ),
  ),
  qHash: Type.Optional(Type.String({ pattern: qHashPattern, description: 'Only this proof, whosever it is.' })),
  verifierId: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'Only proofs of this verifier.' })),
})

/**
 * Either form of a proof. With include "content" it is the Proof of the API description. Its schema is too long to send
 * to every model with the list of tools.
 */
const Listed = Type.Object(
  {
    qHash: Type.String(),
    status: Type.String(),
    privacyLevel: Type.String(),
    createdAt: Type.Integer(),
    lastUpdated: Type.Integer(),
    title: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
    expiresAt: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    final: Type.Optional(
      Type.Boolean({ description: 'Of proofs read from a chain: whether their blocks can no longer be replaced.' }),
    ),
    checks: Type.Optional(
      Type.Array(Type.Object({ verifierId: Type.String(), verified: Type.Boolean(), status: Type.String() }), {
        description: 'With include "metadata".',
      }),
    ),
    contentTruncated: Type.Optional(
      Type.Boolean({
        description: 'True where members were shortened or left out: ask for the proof alone, by its qHash.',
      }),
    ),
    contentLength: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: 'Of the kept content, where it was read.' }),
    ),
  },
  {
    additionalProperties: true,
    description: 'With include "content" also walletAddress, verifiedVerifiers with data, publicContent and more.',
  },
)

const ContextPack = Type.Object({
  identityCount: Type.Integer(),
  delegationCount: Type.Integer(),
  activeDelegations: Type.Integer(),
  capabilitiesSummary: Type.Array(Type.String()),
  skillsSummary: Type.Array(Type.String()),
})

export const proofsGet = defineTool({
  name: 'proofs_get',
  title: 'Read proofs',
  description:
    'Reads proofs: of the person who is signed in, private ones included, or the listed public ones of any other wallet. With include "content" also what was proven; otherwise only what was verified and when. With qHash one proof. With agentWallet also what the person lets that agent do.',
  input: Input,
  output: Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      proofs: Type.Array(Listed),
      resolved: Resolved,
      pagination: Pagination,
      profileSummary: Type.Union([ProfileSummary, Type.Null()], { description: 'Of the person alone.' }),
      agentContext: Type.Union([
        Type.Object({
          agentWallet: Type.String(),
          agentId: Type.Union([Type.String(), Type.Null()]),
          identityQHash: Type.Union([Type.String(), Type.Null()]),
          delegationQHash: Type.Union([Type.String(), Type.Null()]),
          identity: Type.Object({}, { additionalProperties: true }),
        }),
        Type.Null(),
      ]),
      contextPack: Type.Union([ContextPack, Type.Null()]),
    }),
  }),
  annotations: looksOnly,

  /** Private data: the person's own list, and their delegations. */
  needs: async ({ identifier, agentWallet, qHash }, identity, parts) =>
    (identifier === undefined && qHash === undefined) ||
    agentWallet !== undefined ||
    (await isOwn(identity, identifier, parts))
      ? ['profile']
      : [],

  async run(args, caller) {
    const { parts, identity } = caller
    if (args.qHash !== undefined) return readOneProof(args, args.qHash, caller)
    const { limit = defaultLimit, offset = 0, tags, verifierId, agentWallet } = args
    const { hubChainId } = parts.config.signing
    const identifier = args.identifier ?? agentWallet ?? writeName(nameAccount(identity.profile.primary, hubChainId))
    const named = requireNamed(identifier, args.identifier === undefined ? 'agentWallet' : 'identifier', parts)
    const page = await listByWallet(parts, {
      identifier,
      credentials: { identity },
      publicOnly: false,
      ownerOnly: false,
      limit,
      offset,
      cursor: undefined,
      includeFacets: false,
      includeSecrets: false,
      allWallets: false,
      includePortable: false,
      filter: {
        tags: tags === undefined ? undefined : parseWords(tags),
        verifierIds: verifierId === undefined ? undefined : [verifierId],
      },
    })
    return {
      success: true as const,
      data: {
        proofs: await showProofs(page.proofs, args, caller),
        resolved: { ...page.resolved },
        pagination: { ...page.pagination },
        profileSummary: (await findOwn(identity, named)) ? await summarizeProfile(parts, identity) : null,
        ...(await readAgentPart(agentWallet, caller)),
      },
    }
  },
})

type Args = Static<typeof Input>

async function isOwn(
  identity: Identity,
  identifier: string | undefined,
  { config }: Pick<Parts, 'config'>,
): Promise<boolean> {
  const named = identifier === undefined ? undefined : readNamedAccount(identifier, config.signing.hubChainId)
  return named !== undefined && (await findOwn(identity, named)) !== undefined
}

async function readOneProof(args: Args, qHash: string, caller: Caller) {
  const { parts, identity } = caller
  const mayAsk = identity.scopes.has('profile') ? { identity } : undefined
  const proof = await readProof(parts, { qHash, credentials: mayAsk, latestScope: false })
  const { walletAddress = '', did = '' } = proof
  return {
    success: true as const,
    data: {
      proofs: args.include === 'content' ? fitViews([proof], largestRowsBytes).views : [showMetadata(proof)],
      resolved: { identifier: qHash, walletAddress, did, idType: 'qHash' },
      pagination: { limit: 1, offset: 0, totalCount: 1, hasMore: false, nextOffset: null },
      profileSummary: null,
      ...(await readAgentPart(args.agentWallet, caller)),
    },
  }
}

/** The size limit of the rows in one answer, which holds them twice, as text and as a value. */
const largestRowsBytes = 800_000
/** The size limit of kept content, as stored. */
const largestContentBytes = 600_000

/**
 * Lists omit kept content, so it is read proof by proof. A row without space for its content says so: qHash reads it
 * alone.
 */
async function showProofs(proofs: readonly ProofView[], { include }: Args, { parts, identity }: Caller) {
  if (include !== 'content') return proofs.map(showMetadata)
  const kept = proofs.filter(({ options }) => (options as { storeOriginalContent?: boolean })?.storeOriginalContent)
  const sizes = await findContentSizes(
    parts.db,
    kept.map(({ qHash }) => qHash),
  )
  const most = shareBytes([...sizes.values()], largestContentBytes)
  const credentials = identity.scopes.has('profile') ? { identity } : undefined
  const withContent = await Promise.all(
    proofs.map(async (proof): Promise<ProofView> => {
      const size = sizes.get(proof.qHash)
      if (size === undefined) return proof
      if (size > most || proof.contentTruncated) return { ...proof, contentTruncated: true }
      const { publicContent, contentResolutionStatus } = await readProof(parts, {
        qHash: proof.qHash,
        credentials,
        latestScope: false,
      })
      return {
        ...proof,
        ...(publicContent && { publicContent }),
        ...(contentResolutionStatus === undefined ? {} : { contentResolutionStatus }),
      }
    }),
  )
  return fitViews(withContent, largestRowsBytes).views
}

const showMetadata = ({ verifiedVerifiers, publicContent, ...proof }: ProofView): Static<typeof Listed> => ({
  qHash: proof.qHash,
  status: proof.status,
  privacyLevel: proof.privacyLevel,
  checks: (verifiedVerifiers ?? []).map(({ verifierId, verified, status }) => ({ verifierId, verified, status })),
  ...(proof.title === undefined ? {} : { title: proof.title }),
  tags: [...(proof.tags ?? [])],
  createdAt: proof.createdAt,
  lastUpdated: proof.lastUpdated,
  expiresAt: proof.expiresAt ?? null,
  ...(proof.final === undefined ? {} : { final: proof.final }),
  ...(proof.contentTruncated ? { contentTruncated: true } : {}),
  contentLength: publicContent ? Buffer.byteLength(publicContent.content) : null,
})

async function readAgentPart(agent: string | undefined, { parts, identity }: Caller) {
  if (agent === undefined) return { agentContext: null, contextPack: null }
  const named = requireNamed(agent, 'agentWallet', parts)
  const agentWallet = named.wallet
  const identities = await listAgentIdentities(parts, identity, named)
  const [newest] = identities
  const account = newest?.proof.account ?? (await chooseAgent(parts, identity, named))
  const delegations = await listAgentDelegations(parts, await listOwnDelegations(parts, identity), account)
  const current = delegations.find(({ isExpired }) => !isExpired)
  return {
    agentContext: {
      agentWallet,
      agentId: newest ? String(newest.data.agentId) : null,
      identityQHash: newest?.proof.qHash ?? null,
      delegationQHash: current?.proof.qHash ?? null,
      identity: newest ? showAgent(newest.data) : {},
    },
    contextPack: makeContextPack(identities, delegations),
  }
}

/** Errors: VALIDATION_ERROR. */
function parseWords(csv: string): string[] | undefined {
  const words = csv
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  if (words.length > mostTags)
    throw new AppError(
      'VALIDATION_ERROR',
      `argument tags names ${words.length} tags, and the limit is ${mostTags}: give fewer`,
      {
        argument: 'tags',
      },
    )
  return words.length > 0 ? words : undefined
}
