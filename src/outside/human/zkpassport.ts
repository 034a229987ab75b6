/**
 * ZKPassport: a person holds a passport or identity card with a chip, proved on their own phone. ZKPassport's root
 * verifier contract verifies the proof, by eth_call. The disclosed data is read here, from the bytes that the proof
 * commits to (zkpassport-inputs.ts). It never calls ZKPassport's servers.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Abi, decodeErrorResult, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { defer } from '../../defer.ts'
import { areSameAddress, isEvmAddress } from '../../wallet/account.ts'
import type { BlockView, EvmChain, Hex } from '../chains/chain.ts'
import { OutsideError, UnanswerableError } from '../failure.ts'
import {
  type HumanClaims,
  type HumanProvider,
  type HumanQuestion,
  makeRefused,
  type Refused,
  writeBoundText,
} from './human.ts'
import { makeOneProofCheck } from './proof-shape.ts'
import { Age, Bound, type CommittedPiece, FaceMatch, listCommittedPieces, Sanctions } from './zkpassport-inputs.ts'

export interface ZkPassportSettings {
  readonly chain: EvmChain
  readonly verifier: Hex
  readonly devMode: boolean
  readonly salted: boolean
  readonly sanctionsRegistry: number
}

const setting = 'human.zkpassport'
/** As in the SDK. The proof is bound to the wallet, so an older one admits nobody else. */
const validitySeconds = 7 * 24 * 3600

const describeHexText = (maxBytes: number) =>
  Type.String({ pattern: '^(0x)?([0-9a-fA-F]{2})+$', maxLength: 2 + 2 * maxBytes, minLength: 2 })

const proofIn = makeOneProofCheck(
  Type.Object({
    name: Type.String({ pattern: '^outer_evm_(count_)?[0-9]{1,2}$', description: 'outer_evm_count_<n>' }),
    proof: describeHexText(65_536),
    vkeyHash: Type.String({ pattern: '^(0x)?[0-9a-fA-F]{1,64}$' }),
    version: Type.String({ pattern: '^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}$' }),
    committedInputs: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 }),
  }),
  'a proof that the app made with mode "compressed-evm"',
)

/**
 * Two forms of the same call. Later contracts also take a key hash for salted identifiers, where zero means their own
 * key.
 */
const listVerifierAbis = defer(
  () =>
    ['', 'bytes32 oprfPubKeyHash;'].map((more) =>
      parseAbi([
        `struct ServiceConfig { uint256 validityPeriodInSeconds; string domain; string scope; bool devMode; ${more} }`,
        'struct ProofVerificationData { bytes32 vkeyHash; bytes proof; bytes32[] publicInputs; }',
        'struct ProofVerificationParams { bytes32 version; ProofVerificationData proofVerificationData; bytes committedInputs; ServiceConfig serviceConfig; }',
        'function verify(ProofVerificationParams params) view returns (bool valid, bytes32 uniqueIdentifier, address helper)',
      ] as readonly string[]),
    ) as readonly Abi[],
)

const readRegistryAbi = defer(() =>
  parseAbi([
    'function rootRegistry() view returns (address)',
    'function isRootValid(bytes32 registryId, bytes32 root, uint256 timestamp) view returns (bool)',
  ]),
)

const zeroWord = `0x${'00'.repeat(32)}` as const

export const openZkPassport = (settings: ZkPassportSettings): HumanProvider => ({
  name: 'zkpassport',
  label: 'ZKPassport',

  async find(question) {
    const given = proofIn(question.proofs)
    const proof = readProof(given)
    const pieces = listCommittedPieces(given.committedInputs, proof.commitments)
    if (!pieces)
      return makeRefused(
        'OTHER_COMMITMENTS',
        'what the proof is said to show is not what it commits to: send it as it came',
      )
    const wrong = findUnboundPart(question, pieces) ?? findIdentifierFault(proof.identifierType, settings)
    if (wrong) return wrong

    const view = await settings.chain.at()
    const outcome = await verify(view, settings, question, proof, pieces)
    if ('refused' in outcome) return outcome
    const { valid, uniqueIdentifier } = outcome
    if (!valid || BigInt(uniqueIdentifier) === 0n || BigInt(uniqueIdentifier) !== BigInt(proof.nullifier))
      return makeRefused('INVALID_PROOF', 'the verifier contract says that the proof is not valid')

    const face = requireOnePiece(pieces, /^facematch/, FaceMatch)
    if (face && !isOfTheApp(face, settings))
      return makeRefused('FACE_MATCH_NOT_TRUSTED', 'the face was matched by another app than the one of ZKPassport')
    const age = requireOnePiece(pieces, /^compare_age_/, Age)
    const sanctions = requireOnePiece(pieces, /^exclusion_check_sanctions_/, Sanctions)
    const claims: HumanClaims = {
      personhood_verified: true,
      ...(face ? { liveness_verified: true } : {}),
      ...(sanctions && (await isCurrentList(view, settings, sanctions)) ? { sanctions_passed: true } : {}),
      ...(age && age.minAge > 0 ? { age_min: age.minAge } : {}),
    }
    return {
      person: {
        uniqueId: BigInt(uniqueIdentifier).toString(),
        assuranceLevel: face === undefined ? 'low' : face.mode === 'strict' ? 'high' : 'medium',
        claims,
        traits: sanctions && claims.sanctions_passed ? { sanctionsStrict: sanctions.isStrict } : {},
        sources: view.sources,
      },
    }
  },

  onPage: async ({ wallet }) => ({
    chain: settings.chain.chain,
    verifier: settings.verifier,
    mode: 'compressed-evm',
    devMode: settings.devMode,
    ...(wallet ? { bind: makeBinding(wallet) } : {}),
  }),
})

type WalletOf = Pick<HumanQuestion, 'wallet' | 'contractOn'>

/** The data that the app must bind: an EVM address as such, every other wallet as a text. */
const makeBinding = ({ wallet, contractOn }: WalletOf): Readonly<Record<string, string>> =>
  isEvmAddress(wallet) && contractOn === undefined
    ? { user_address: wallet }
    : { custom_data: writeBoundText({ wallet, contractOn }) }

function findUnboundPart(question: HumanQuestion, pieces: readonly CommittedPiece[]) {
  const bound = requireOnePiece(pieces, /^bind_/, Bound)?.data ?? {}
  const wanted = makeBinding(question)
  const isBound = wanted.user_address
    ? areSameAddress(bound.user_address ?? '', wanted.user_address)
    : bound.custom_data === wanted.custom_data
  return isBound ? undefined : makeRefused('WRONG_WALLET', `the proof is not bound to ${writeBoundText(question)}`)
}

interface ReadProof {
  readonly version: Hex
  readonly vkeyHash: Hex
  readonly proof: Hex
  readonly publicInputs: readonly Hex[]
  readonly commitments: readonly Hex[]
  readonly nullifier: Hex
  readonly identifierType: bigint
}

interface GivenProof {
  readonly name: string
  readonly proof: string
  readonly vkeyHash: string
  readonly version: string
}

/**
 * The public inputs precede the proof, 32 bytes each: two roots, the time, domain, scope and the commitments. The
 * identifier's type, the identifier and a key follow.
 */
function readProof(given: GivenProof): ReadProof {
  const digits = given.proof.replace(/^0x/, '').toLowerCase()
  const count = 8 + Number(/[0-9]+$/.exec(given.name)![0]) - 3
  if (count < 8 || digits.length <= 64 * count)
    throw new UnanswerableError('MALFORMED_PROOF', 'data.proofs[0].proof is shorter than its public inputs')
  const publicInputs = Array.from({ length: count }, (_, at): Hex => `0x${digits.slice(64 * at, 64 * (at + 1))}`)
  const numbers = given.version.split('.').map((part) => Number(part).toString(16).padStart(4, '0'))
  return {
    version: `0x${numbers.join('').padEnd(64, '0')}`,
    vkeyHash: `0x${given.vkeyHash.replace(/^0x/, '').padStart(64, '0')}`,
    proof: `0x${digits.slice(64 * count)}`,
    publicInputs,
    commitments: publicInputs.slice(5, -3),
    identifierType: BigInt(publicInputs.at(-3)!),
    nullifier: publicInputs.at(-2)!,
  }
}

/** One passport has a plain identifier and a salted one: accepting both would make one person two. */
function findIdentifierFault(type: bigint, { devMode, salted }: ZkPassportSettings) {
  if (type > 1n && !devMode) return makeRefused('MOCK_PASSPORT', 'the proof is of a passport for tests')
  return (type % 2n === 1n) === salted
    ? undefined
    : makeRefused('OTHER_IDENTIFIER', `proofs with ${salted ? 'a salted' : 'a plain'} unique identifier count here`)
}

type Verified = { readonly valid: boolean; readonly uniqueIdentifier: Hex } | Refused

async function verify(
  view: BlockView,
  { verifier, devMode }: ZkPassportSettings,
  { domain, scope }: HumanQuestion,
  { version, vkeyHash, proof, publicInputs }: ReadProof,
  pieces: readonly CommittedPiece[],
): Promise<Verified> {
  const params = {
    version,
    proofVerificationData: { vkeyHash, proof, publicInputs },
    committedInputs: `0x${Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('hex')}`,
    serviceConfig: {
      validityPeriodInSeconds: BigInt(validitySeconds),
      domain,
      scope,
      devMode,
      oprfPubKeyHash: zeroWord,
    },
  }
  for (const abi of listVerifierAbis()) {
    const data = encodeFunctionData({ abi, functionName: 'verify', args: [params] })
    const last = await view.call({ to: verifier, data })
    // A revert without data: this function does not exist, and the other may.
    if ('failed' in last && last.failed === 'reverted' && last.data === '0x') continue
    if ('failed' in last && last.failed !== 'reverted') throw makeMissingVerdictError(last.failed)
    if ('failed' in last)
      return makeRefused('REFUSED_BY_CONTRACT', `the verifier contract refuses the proof${readRevertReason(last.data)}`)
    return decodeVerified(abi, last.returned)
  }
  if ((await view.readCode(verifier)) === '0x') throw makeMissingVerifierError()
  return makeRefused('REFUSED_BY_CONTRACT', 'the verifier contract refuses the proof without saying why')
}

function decodeVerified(abi: Abi, returned: Hex): Verified {
  try {
    const [valid, uniqueIdentifier] = decodeFunctionResult({ abi, functionName: 'verify', data: returned }) as [
      boolean,
      Hex,
      Hex,
    ]
    return { valid, uniqueIdentifier }
  } catch {
    throw makeMissingVerifierError()
  }
}

const makeMissingVerifierError = (): OutsideError =>
  new OutsideError(
    'malformed',
    `${setting}.verifier`,
    'is not the root verifier of ZKPassport on that chain',
    'give its address on this chain, or leave the setting out',
  )

/** Verification takes a million gas. A failure above this limit says nothing about the proof. */
const makeMissingVerdictError = (failed: string): OutsideError =>
  new OutsideError(
    'malformed',
    `${setting}.verifier`,
    `did not come to an end (${failed})`,
    'see whether the endpoints of the chain allow eth_call to use 15,000,000 gas',
  )

/** The contract's revert reason, if it has any. */
function readRevertReason(data: Hex): string {
  try {
    const { args } = decodeErrorResult({ abi: parseAbi(['error Error(string)']), data })
    const words = String(args[0])
      .replace(/[^ -~]/g, '')
      .slice(0, 120)
    return words === '' ? '' : `: ${words}`
  } catch {
    return ''
  }
}

/** Attestation keys of Apple and Google, and the app itself on either: as @zkpassport/sdk 0.16 lists them. */
const attestationRoots = new Set([
  0x2532418a107c5306fa8308c22255792cf77e4a290cbce8a840a642a3e591340bn,
  0x16700a2d9168a194fc85f237af5829b5a2be05b8ae8ac4879ada34cf54a9c211n,
  0x0e1889bec6c1d686abcf08360ff404f803ab345881ea8cba6aad33b7f7f7ffe0n,
])
const apps = new Set([
  0x1fa73686cf510f8f85757b0602de0dd72a13e68ae2092462be8b72662e7f179bn,
  0x24d9929b248be7eeecaa98e105c034a50539610f3fdd4cb9c8983ef4100d615dn,
])

const isOfTheApp = (face: Static<typeof FaceMatch>, { devMode }: ZkPassportSettings): boolean =>
  attestationRoots.has(BigInt(face.rootKeyLeaf)) &&
  apps.has(BigInt(face.appIdHash)) &&
  (face.environment === 'production' || devMode)

/**
 * Whether the registry knows the proof's sanctions list as valid now. Without an answer nothing is claimed: "on no
 * list" needs a sure basis. Errors: OutsideError.
 */
async function isCurrentList(
  view: BlockView,
  { verifier, sanctionsRegistry }: ZkPassportSettings,
  { rootHash }: Static<typeof Sanctions>,
): Promise<boolean> {
  const registry = await askContract(view, verifier, 'rootRegistry', [])
  if (typeof registry !== 'string') return false
  const writeWord = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`
  const now = BigInt(Math.floor(view.blockTime / 1000))
  const args = [writeWord(BigInt(sanctionsRegistry)), writeWord(BigInt(rootHash)), now] as const
  return (await askContract(view, registry as Hex, 'isRootValid', args)) === true
}

async function askContract(
  view: BlockView,
  to: Hex,
  functionName: 'rootRegistry' | 'isRootValid',
  args: readonly unknown[],
): Promise<unknown> {
  const outcome = await view.call({
    to,
    data: encodeFunctionData({ abi: readRegistryAbi() as Abi, functionName, args }),
  })
  if ('failed' in outcome) return undefined
  try {
    return decodeFunctionResult({ abi: readRegistryAbi() as Abi, functionName, data: outcome.returned })
  } catch {
    return undefined
  }
}

/** The registry behind a verifier, for doctor. Undefined when it is no such contract. Errors: OutsideError. */
export async function findRegistry({ chain, verifier }: ZkPassportSettings): Promise<string | undefined> {
  const registry = await askContract(await chain.at(), verifier, 'rootRegistry', [])
  return typeof registry === 'string' ? registry : undefined
}

/** The inputs of the one circuit of that name; undefined with none or several. */
function requireOnePiece<Shape extends TSchema>(
  pieces: readonly CommittedPiece[],
  name: RegExp,
  shape: Shape,
): Static<Shape> | undefined {
  const found = pieces.filter(({ circuit }) => name.test(circuit))
  const inputs = found.length === 1 ? found[0]!.inputs : undefined
  return Value.Check(shape, inputs) ? inputs : undefined
}
