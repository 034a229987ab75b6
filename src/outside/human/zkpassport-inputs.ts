/**
 * Reads the disclosed data of a ZKPassport proof from the bytes that the proof commits to. Each disclosure circuit has
 * one piece of type, length and content. The hash of each piece is a public input of the proof, so a piece with that
 * hash was proved. Circuits and lengths are those of @zkpassport/utils 0.37.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { compileCheck, defineChoice } from '../../shape.ts'

/** 32 bytes as hexadecimal or decimal text, as the app writes field elements. */
const Field = Type.String({ pattern: '^(0x[0-9a-fA-F]{1,64}|[0-9]{1,77})$' })
const Byte = Type.Integer({ minimum: 0, maximum: 255 })
const Countries = Type.Object({ countries: Type.Array(Type.String({ pattern: '^[A-Z<]{3}$' }), { maxItems: 200 }) })
/** Seconds. Dates of birth are counted from 1900. */
const Seconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Dates = Type.Object({ minDateTimestamp: Seconds, maxDateTimestamp: Seconds })

export const Age = Type.Object({ minAge: Byte, maxAge: Byte })
export const Bound = Type.Object({
  data: Type.Object({
    user_address: Type.Optional(Type.String({ pattern: '^0x([0-9a-fA-F]{2}){1,255}$' })),
    chain: Type.Optional(Type.String({ maxLength: 64 })),
    custom_data: Type.Optional(Type.String({ maxLength: 500 })),
  }),
})
export const Sanctions = Type.Object({ rootHash: Field, isStrict: Type.Boolean() })
export const FaceMatch = Type.Object({
  rootKeyLeaf: Field,
  environment: defineChoice(['development', 'production']),
  appIdHash: Field,
  integrityPubkeyHash: Field,
  mode: defineChoice(['regular', 'strict']),
})
const Disclosed = Type.Object({
  discloseMask: Type.Array(Byte, { minItems: 90, maxItems: 90 }),
  disclosedBytes: Type.Array(Byte, { minItems: 90, maxItems: 90 }),
})

interface Circuit {
  readonly type: number
  /** The length of the content. Shorter content is padded with zeros. */
  readonly bytes: number
  /** Undefined for content of another shape. */
  readContent(inputs: unknown): Uint8Array | undefined
}

function defineCircuit<Shape extends TSchema>(
  type: number,
  bytes: number,
  shape: Shape,
  content: (inputs: Static<Shape>) => Uint8Array | undefined,
): Circuit {
  const check = compileCheck(shape)
  return { type, bytes, readContent: (inputs) => (check.Check(inputs) ? content(inputs) : undefined) }
}

const defineCountries = (type: number, isSorted: boolean): Circuit =>
  defineCircuit(type, 600, Countries, ({ countries: named }) =>
    Buffer.from((isSorted ? named.toSorted((a, b) => a.localeCompare(b)) : named).join(''), 'latin1'),
  )
const defineDates = (type: number): Circuit =>
  defineCircuit(type, 16, Dates, ({ minDateTimestamp, maxDateTimestamp }) =>
    Buffer.concat([writeBytes(minDateTimestamp, 8), writeBytes(maxDateTimestamp, 8)]),
  )
const faceMatch: Circuit = defineCircuit(10, 98, FaceMatch, (inputs) =>
  Buffer.concat([
    writeBytes(inputs.rootKeyLeaf, 32),
    writeBytes(inputs.environment === 'production' ? 1 : 0, 1),
    writeBytes(inputs.appIdHash, 32),
    writeBytes(inputs.integrityPubkeyHash, 32),
    writeBytes(inputs.mode === 'regular' ? 1 : 2, 1),
  ]),
)

const circuits: Readonly<Record<string, Circuit>> = {
  disclose_bytes_evm: defineCircuit(0, 180, Disclosed, ({ discloseMask, disclosedBytes }) =>
    Uint8Array.from([...discloseMask, ...disclosedBytes]),
  ),
  compare_age_evm: defineCircuit(1, 2, Age, ({ minAge, maxAge }) => Uint8Array.from([minAge, maxAge])),
  compare_birthdate_evm: defineDates(2),
  compare_expiry_evm: defineDates(3),
  inclusion_check_nationality_evm: defineCountries(4, false),
  exclusion_check_nationality_evm: defineCountries(5, true),
  inclusion_check_issuing_country_evm: defineCountries(6, false),
  exclusion_check_issuing_country_evm: defineCountries(7, true),
  bind_evm: defineCircuit(8, 509, Bound, readBoundBytes),
  exclusion_check_sanctions_evm: defineCircuit(9, 33, Sanctions, ({ rootHash, isStrict }) =>
    Buffer.concat([writeBytes(rootHash, 32), writeBytes(isStrict ? 1 : 0, 1)]),
  ),
  facematch_evm: faceMatch,
}

/** Circuits for face match have further words in their names: `facematch_ios_evm`. */
const findCircuit = (name: string): Circuit | undefined =>
  Object.hasOwn(circuits, name) ? circuits[name] : /^facematch_[a-z0-9_]{1,40}_evm$/.test(name) ? faceMatch : undefined

/** The chains that the app knows by name. */
const chainIds: Readonly<Record<string, number>> = {
  ethereum: 1,
  base: 8453,
  arbitrum: 42_161,
  optimism: 10,
  polygon: 137,
  celo: 42_220,
  gnosis: 100,
  scroll: 534_352,
  linea: 59_144,
  world_chain: 480,
  ethereum_sepolia: 11_155_111,
  base_sepolia: 84_532,
  arbitrum_sepolia: 421_614,
  polygon_amoy: 80_002,
  scroll_sepolia: 534_351,
  linea_sepolia: 59_141,
  world_chain_sepolia: 4801,
  celo_sepolia: 11_142_220,
  gnosis_chiado: 10_200,
  local: 31_337,
}

/** Tag, length and value of each, the address first. */
function readBoundBytes({ data }: Static<typeof Bound>): Uint8Array | undefined {
  const { user_address: address, chain, custom_data: text } = data
  const chainId = chain === undefined ? undefined : Object.hasOwn(chainIds, chain) ? chainIds[chain] : 0
  if (chainId === 0) return undefined
  const digits = chainId?.toString(16) ?? ''
  const values: readonly (readonly [tag: number, value: Buffer])[] = [
    [1, Buffer.from(address?.slice(2) ?? '', 'hex')],
    [2, Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')],
    [3, Buffer.from(text ?? '')],
  ]
  const bytes = Buffer.concat(
    values.flatMap(([tag, value]) =>
      value.length === 0 ? [] : [Buffer.from([tag, value.length >> 8, value.length & 255]), value],
    ),
  )
  return bytes.length > 509 ? undefined : bytes
}

export interface CommittedPiece {
  readonly circuit: string
  readonly inputs: unknown
  readonly bytes: Uint8Array
}

/**
 * The pieces in the order of the commitments, one for each. Undefined unless every commitment has its piece and every
 * piece its commitment. Otherwise the proof proves something else.
 */
export function listCommittedPieces(
  inputs: Readonly<Record<string, unknown>>,
  commitments: readonly string[],
): readonly CommittedPiece[] | undefined {
  const names = Object.keys(inputs)
  if (names.length !== commitments.length || new Set(commitments).size !== commitments.length) return undefined
  const pieces = names.map((name) => makePiece(name, inputs[name]))
  const byCommitment = new Map(
    pieces.flatMap((piece) => (piece ? [[computeCommitment(piece.bytes), piece] as const] : [])),
  )
  const ordered = commitments.flatMap((commitment) => byCommitment.get(commitment) ?? [])
  return ordered.length === names.length ? ordered : undefined
}

function makePiece(name: string, inputs: unknown): CommittedPiece | undefined {
  const known = findCircuit(name)
  const content = known?.readContent(inputs)
  if (!known || !content || content.length > known.bytes) return undefined
  const bytes = Buffer.alloc(3 + known.bytes)
  bytes.writeUInt8(known.type)
  bytes.writeUInt16BE(known.bytes, 1)
  bytes.set(content, 3)
  return { circuit: name, inputs, bytes }
}

/** SHA-256 without its last byte, to fit into the field. */
const computeCommitment = (bytes: Uint8Array): string => `0x00${Bun.SHA256.hash(bytes, 'hex').slice(0, 62)}`

const writeBytes = (value: string | number, length: number): Buffer =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(2 * length, '0')
      .slice(-2 * length),
    'hex',
  )
