/** The views of a proof: everything (owner and grantees), the public record, or only its existence. */
import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { Crosschain, HubTransaction, readProgress } from '../publishing/progress.ts'
import type { Publication } from '../publishing/publication.ts'
import type { Catalog } from '../verifiers/index.ts'
import { finalities } from './finality.ts'
import type { LaterReading } from './follow-store.ts'
import { MetaView, OptionsView } from './options-view.ts'
import { PortableProof } from './portable.ts'
import { didOfProof, fullyVerifiedWords, importedWord, type ProofRow, readRow, readStatus } from './proof.ts'
import type { VerifiedRow } from './record.ts'
import { SourceView } from './source-view.ts'
import { visibilities } from './visibility.ts'

export type Audience = 'owner' | 'public' | 'stranger'

/** Chooses the view of a proof for a caller who is not its owner. */
export const chooseAudience = ({ visibility }: ProofRow, mayReadPrivate: boolean): Audience => {
  if (mayReadPrivate) return 'owner'
  return visibility === visibilities.private ? 'stranger' : 'public'
}

export interface ViewTools {
  readonly catalog: Catalog
  readonly now: number
  readonly baseUrl: string
  /** By the id of the proof's row. */
  readonly publications: ReadonlyMap<number, readonly Publication[]>
  readonly laterReadings: ReadonlyMap<number, readonly LaterReading[]>
}

const makeNullable = <T extends ReturnType<typeof Type.Integer>>(schema: T) => Type.Union([schema, Type.Null()])
const Milliseconds = (description: string) => Type.Integer({ description: `${description} Unix milliseconds.` })

/** Every word that statusAt() can give. */
export const statusWords = [...fullyVerifiedWords, 'partially_verified', importedWord, 'revoked', 'expired']

/** The members of the minimal view, which every view has. */
const minimalMembers = {
  qHash: Type.String(),
  status: Type.String({
    description: `${statusWords.join(', ')}.`,
  }),
  privacyLevel: Type.String(),
  createdAt: Milliseconds('When it was stored.'),
  lastUpdated: Milliseconds('When it last changed.'),
} satisfies TProperties

const IpfsSnapshot = Type.Object(
  {
    cid: Type.String({ description: 'CIDv1, base32.' }),
    gateway: Type.Optional(Type.String({ description: 'Where it can be read, when the operator names a gateway.' })),
    createdAt: Milliseconds('When it was pinned.'),
    size: Type.Integer({ description: 'Bytes.' }),
  },
  { description: 'The snapshot on IPFS, when it was asked for.' },
)

/** A proof on the wire. A stranger gets the first five members of a private one. */
export const ProofView = Type.Object(
  {
    ...minimalMembers,
    walletAddress: Type.Optional(Type.String({ description: 'The signer.' })),
    did: Type.Optional(Type.String()),
    subjectWallet: Type.Optional(Type.String()),
    verifierIds: Type.Optional(Type.Array(Type.String())),
    verifiedVerifiers: Type.Optional(
      Type.Array(
        Type.Object({
          verifierId: Type.String(),
          verified: Type.Boolean({
            description: 'Whether the claim holds and the proof counts: false once it has expired or was revoked.',
          }),
          status: Type.String({
            description:
              'What was found: a word of the verifier, or failed. imported: of a proof from another server, and not verified here. Of a proof that is over: expired or revoked.',
          }),
          data: Type.Object({}, { description: 'What the verifier found; of each its own.' }),
          zkInfo: Type.Optional(Type.Object({ zkStatus: Type.String() })),
        }),
      ),
    ),
    options: Type.Optional(OptionsView),
    meta: Type.Optional(MetaView),
    publicDisplay: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    title: Type.Optional(Type.String()),
    chainId: Type.Optional(Type.Integer()),
    chain: Type.Optional(Type.String()),
    signed: Type.Optional(
      Type.Boolean({
        description: 'Whether a wallet signed the claim: false where a signed-in person made it without a signature.',
      }),
    ),
    signedTimestamp: Type.Optional(Type.Integer()),
    completedAt: Type.Optional(Milliseconds('When the last verifier answered.')),
    revokedAt: Type.Optional(makeNullable(Milliseconds('When its owner revoked it, or null.'))),
    expiresAt: Type.Optional(makeNullable(Milliseconds('When it stops counting, or null.'))),
    final: Type.Optional(
      Type.Boolean({
        description:
          'Of proofs that were read from a chain: whether the blocks are final. While false, a block may still be replaced; then the claim is read again, and the proof counts no longer where it does not hold. Absent where no block was read, and for proofs of before this was kept.',
      }),
    ),
    readAgain: Type.Optional(
      Type.Array(
        Type.Object({
          verifierId: Type.String(),
          chain: Type.String({ description: 'CAIP-2.' }),
          blockNumber: Type.Integer(),
          blockHash: Type.String(),
          holds: Type.Boolean(),
          readAt: Milliseconds('When.'),
        }),
        {
          description:
            'Claims whose block was replaced: where they were read again. The evidence names the first block.',
        },
      ),
    ),
    revokedReason: Type.Optional(
      Type.String({
        description:
          'REORGANISED: a block was replaced, and the claim did not hold when it was read again. Until that is final the proof may come back; revokedAt is null so long.',
      }),
    ),
    publicContent: Type.Optional(Type.Object({ content: Type.String() })),
    portableProof: Type.Optional(PortableProof),
    contentResolutionStatus: Type.Optional(Type.String({ description: 'resolved or hash_only_not_recoverable.' })),
    hubTransaction: Type.Optional(HubTransaction),
    targetChains: Type.Optional(Type.Array(Type.Integer(), { description: 'Chains it is copied to, where any.' })),
    crosschain: Type.Optional(Crosschain),
    ipfs: Type.Optional(IpfsSnapshot),
    proofUrl: Type.Optional(Type.String()),
    appId: Type.Optional(
      Type.String({
        description: 'The app that it was made through, as the client named it: a claim that nobody checked.',
      }),
    ),
    sponsorWallet: Type.Optional(
      Type.String({
        description:
          'To its owner, of a proof made with a sponsor grant: the wallet that the app named as its sponsor. Nothing was charged to it.',
      }),
    ),
    source: Type.Optional(SourceView),
    contentTruncated: Type.Optional(
      Type.Boolean({
        description: 'In lists: true where members were shortened or left out. The proof read by its id has them.',
      }),
    ),
    superseded: Type.Optional(Type.Boolean({ description: 'To its owner: true where a newer run replaced it.' })),
    requestedQHash: Type.Optional(Type.String({ description: 'With latestScope: the proof that was asked for.' })),
    isLatest: Type.Optional(
      Type.Boolean({
        description:
          'With latestScope: whether that one is the newest of its claim that the caller may know. Absent for others than the owner of a private proof.',
      }),
    ),
  },
  { $id: 'Proof', description: 'A stranger sees of a private proof only the members that are required here.' },
)

export type ProofView = Static<typeof ProofView>

/** The original content when it was kept; `unread` when it was not read, as in lists. */
export type KeptContent = string | undefined | typeof unread
export const unread = Symbol('unread')

/** The view for an audience. */
export function buildProofView(proof: ProofRow, audience: Audience, tools: ViewTools, content: KeptContent): ProofView {
  const { now } = tools
  const isPublic = proof.visibility !== visibilities.private
  const minimal = {
    qHash: proof.qHash,
    status: readStatus(proof, now),
    privacyLevel: isPublic ? 'public' : 'private',
    createdAt: proof.createdAt,
    lastUpdated: proof.updatedAt,
    ...(audience === 'owner' && proof.isSuperseded ? { superseded: true } : {}),
  }
  return audience === 'stranger' ? minimal : { ...minimal, ...recordMembers(proof, audience, tools, content) }
}

function recordMembers(proof: ProofRow, audience: Audience, tools: ViewTools, content: KeptContent) {
  const { catalog, baseUrl, now, publications, laterReadings } = tools
  const { record, context } = proof
  const { publishing, ipfs } = record
  const isPublic = proof.visibility !== visibilities.private
  const tags = [...(record.meta.tags ?? [])]
  return {
    walletAddress: proof.walletAddress,
    did: didOfProof(proof),
    ...(record.subjectWallet === undefined ? {} : { subjectWallet: record.subjectWallet }),
    verifierIds: [...record.verifierIds],
    verifiedVerifiers: record.rows.map((row) => buildWireRow(readRow(row, proof, now), audience, catalog)),
    options: {
      privacyLevel: isPublic ? 'public' : 'private',
      publicDisplay: proof.visibility === visibilities.listed,
      storeOriginalContent: record.storeOriginalContent,
      enableIpfs: ipfs !== undefined,
      publishToHub: (publishing?.hubChainId ?? null) !== null,
      targetChains: [...(publishing?.targetChains ?? [])],
    },
    meta: { ...record.meta, privacyLevel: isPublic ? 'public' : 'private', publiclyAccessible: isPublic, tags },
    publicDisplay: proof.visibility === visibilities.listed,
    tags,
    ...(record.meta.title === undefined ? {} : { title: record.meta.title }),
    ...context,
    signed: proof.signatureMethod !== null,
    signedTimestamp: proof.signedTimestamp,
    completedAt: proof.createdAt,
    revokedAt: proof.revokedAt,
    expiresAt: proof.expiresAt,
    ...buildFinalityMembers(proof, laterReadings.get(proof.id) ?? []),
    ...buildContentMembers(record, content),
    ...(publishing ? readProgress(publishing, publications.get(proof.id) ?? [], proof.createdAt) : {}),
    ...(ipfs ? { ipfs } : {}),
    proofUrl: `${baseUrl}/api/v1/proofs/${proof.qHash}`,
    ...(proof.appId === null ? {} : { appId: proof.appId }),
    ...(audience === 'owner' && proof.sponsorWallet !== null ? { sponsorWallet: proof.sponsorWallet } : {}),
    ...(record.isShortened ? { contentTruncated: true } : {}),
  }
}

function buildFinalityMembers({ finality, record }: ProofRow, later: readonly LaterReading[]) {
  if (finality === null) return {}
  return {
    final: finality === finalities.final,
    ...(finality === finalities.replaced ? { revokedReason: 'REORGANISED' } : {}),
    ...(later.length === 0
      ? {}
      : {
          readAgain: later.map(({ place, chain, blockNumber, blockHash, state, readAgainAt }) => ({
            verifierId: record.rows[place]?.verifierId ?? '',
            chain,
            blockNumber,
            blockHash,
            holds: state !== 'missing',
            readAt: readAgainAt,
          })),
        }),
  }
}

/** The public view of a public proof's rows. */
export const listPublicRows = ({ record }: ProofRow, catalog: Catalog): ShownRow[] =>
  record.rows.map((row) => buildPublicRow(row, catalog))

const zkNotRequired = { zkStatus: 'zk_not_required' }

function buildWireRow(row: VerifiedRow, audience: Audience, catalog: Catalog) {
  return { ...(audience === 'public' ? buildPublicRow(row, catalog) : buildShownRow(row)), zkInfo: zkNotRequired }
}

function buildPublicRow(row: VerifiedRow, catalog: Catalog): ShownRow {
  const project = catalog.known.get(row.verifierId)?.publicEvidence
  const shown = buildShownRow(row)
  return project ? { ...shown, data: project(row.data) } : shown
}

/** Hidden parts never leave the server. */
export type ShownRow = Omit<VerifiedRow, 'hidden'>

const buildShownRow = ({ hidden: _, ...row }: VerifiedRow): ShownRow => row

function buildContentMembers({ rows, storeOriginalContent }: ProofRow['record'], content: KeptContent) {
  if (typeof content === 'string') return { publicContent: { content }, contentResolutionStatus: 'resolved' }
  if (content === unread && storeOriginalContent) return {}
  return rows.some(({ data }) => data.contentHash !== undefined)
    ? { contentResolutionStatus: 'hash_only_not_recoverable' }
    : {}
}
