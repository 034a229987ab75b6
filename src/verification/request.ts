/** The body of a verification request, before anything is checked (src/guides/wire.md, "Claims"). */
import { type Static, Type } from '@sinclair/typebox'
import { qHashPattern } from '../envelope/q-hash.ts'
import { defineChoice, open } from '../shape.ts'
import { signatureMaxLength } from '../wallet/signature.ts'

const tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 32 })

/** The owner's words about the proof. Free form; the members named here are bounded and searchable. */
export const ProofMeta = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    tags: Type.Optional(tags),
  },
  { description: 'Free form, at most 8192 bytes as JSON. title, description and tags are understood.' },
)

export const VerificationOptions = open({
  privacyLevel: Type.Optional(
    defineChoice(
      ['private', 'public'],
      'private (default): only the owner and those it grants access see more than the status.',
    ),
  ),
  publicDisplay: Type.Optional(
    Type.Boolean({ description: 'List a public proof under its wallet, not only by id. Default false.' }),
  ),
  storeOriginalContent: Type.Optional(
    Type.Boolean({
      description: 'Keep data.content: sealed for a private proof, readable for a public one. Default false.',
    }),
  ),
  keepPortable: Type.Optional(
    Type.Boolean({
      description:
        'Keep the portable form of the proof for its owner, sealed, without showing the content to anybody. Default false; storeOriginalContent keeps it as well.',
    }),
  ),
  publishToHub: Type.Optional(
    Type.Boolean({
      description: 'Record the qHash on the hub chain. Refused where that is not configured. Default false.',
    }),
  ),
  targetChains: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: 25,
      description:
        'Chain ids to record the qHash on as well; the hub among them means publishToHub. Refused where one is not configured.',
    }),
  ),
  enableIpfs: Type.Optional(
    Type.Boolean({
      description:
        'Pin a snapshot of a public proof on IPFS, for good. Refused for private proofs, and where that is not configured. Default false.',
    }),
  ),
  verifierOptions: Type.Optional(
    Type.Object({}, { description: 'Extras of a verifier, flat or under its id: chainId for ownership-dns-txt.' }),
  ),
  meta: Type.Optional(ProofMeta),
})

const signedMembers = {
  walletAddress: Type.String({
    minLength: 1,
    maxLength: 160,
    description: "The signer's address, 0x and 40 hexadecimal digits, or that of another chain beside chain.",
  }),
  verifierIds: Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
    minItems: 1,
    maxItems: 16,
    description: 'Ids from GET /api/v1/verification/verifiers.',
  }),
  data: Type.Object(
    {},
    { description: 'Verifier-specific. One verifier: flat or under its id; several: under their ids.' },
  ),
  chainId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'EVM signing context; the hub chain when omitted.',
    }),
  ),
  chain: Type.Optional(
    Type.String({ maxLength: 80, description: 'CAIP-2 signing context of wallets that are not EVM.' }),
  ),
  signatureMethod: Type.Optional(Type.String({ maxLength: 32, description: 'eip191 or ed25519.' })),
}

/** Unix milliseconds, up to the last one a Date can hold. */
const SignedTimestamp = Type.Integer({ minimum: 1, maximum: 8_640_000_000_000_000, description: 'Unix milliseconds.' })

/** The unsigned members of phase 2. Phase 1 and diagnose check them as well. */
const unsignedMembers = {
  subjectWallet: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 160,
      description: 'Bare address of the wallet that the claim is about. Default: walletAddress.',
    }),
  ),
  delegationQHash: Type.Optional(
    Type.String({ pattern: qHashPattern, description: 'The agent-delegation by which an app acts for the wallet.' }),
  ),
  options: Type.Optional(VerificationOptions),
  meta: Type.Optional(ProofMeta),
}

export const StandardizeBody = open({ ...signedMembers, signedTimestamp: SignedTimestamp, ...unsignedMembers })

export const VerificationBody = open({
  ...signedMembers,
  signedTimestamp: Type.Optional(SignedTimestamp),
  signature: Type.Optional(
    Type.String({ maxLength: signatureMaxLength, description: 'Over the signerString of standardize.' }),
  ),
  ...unsignedMembers,
})

export const DiagnoseBody = open({
  ...signedMembers,
  signedTimestamp: SignedTimestamp,
  signature: Type.String({ minLength: 1, maxLength: signatureMaxLength }),
  signedMessage: Type.Optional(Type.String({ maxLength: 131_072, description: 'What the client believes it signed.' })),
  ...unsignedMembers,
})

export type StandardizeRequest = Static<typeof StandardizeBody>
export type VerificationRequest = Static<typeof VerificationBody>
export type DiagnoseRequest = Static<typeof DiagnoseBody>

/** The members that determine the signed text. */
export interface SignedRequest {
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  readonly data: object
  readonly chainId?: number
  readonly chain?: string
}
