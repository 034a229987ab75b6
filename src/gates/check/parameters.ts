/** The parameters of a gate check, as a query spells them. request.ts interprets them. */
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { Flag } from '../../http/describe.ts'
import type { Parts } from '../../parts.ts'
import type { Condition } from '../../proofs/condition.ts'
import { type Check, compileCheck, defineChoice, open } from '../../shape.ts'
import type { CheckParameter } from '../../verifiers/check-parameter.ts'
import { gateIdPattern } from '../gate.ts'

/** Never empty: a caller whose variable is empty would ask for less than it means, and let everybody in. */
const describeText = (description: string, maxLength = 256) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))
const describeCsv = (description: string) => describeText(`${description} Comma-separated.`, 2048)
const describeDigits = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9]{1,16}$', description }))
const amountPattern = '^[0-9]{1,60}(\\.[0-9]{1,60})?$'

const whoIsChecked =
  'Wallet address, did:pkh or CAIP-10 account. The latter two name the chain of a contract wallet; a bare address is the key, or else the contract on the hub chain.'

/** The parameters that every server has, around those of its verifiers. */
const before = {
  address: describeText(`${whoIsChecked} May be left out with qHash or subject=me.`),
  subject: Type.Optional(defineChoice(['me'], 'The wallet that signs this request.')),
  gateId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      pattern: gateIdPattern,
      description: 'Gate whose requirements are checked.',
    }),
  ),
  qHash: Type.Optional(Type.String({ pattern: qHashPattern, description: 'Only this proof.' })),
  verifierId: describeText('Proofs of this verifier.', 64),
  verifierIds: describeCsv('Proofs of one of these verifiers.'),
  requireAll: Flag('One proof must hold all of verifierIds.'),
  minCount: describeDigits('So many different claims must match for eligible, 1 to 1000. Default 1.'),
  sinceDays: describeDigits('Only proofs of the last days, 1 to 3650. Of a gate as well.'),
  since: describeDigits(
    'Only proofs made at this time or later, in Unix milliseconds, 0 to 8640000000000000. Of a gate as well.',
  ),
  limit: describeDigits('How many proofs are looked at at most, the newest first: 1 to 1000. Default 1000.'),
  tag: describeText('Proofs with this tag.', 64),
  tags: describeCsv('Proofs with all of these tags.'),
} as const

const after = {
  traitPath: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
      maxLength: 128,
      description: 'With traitGte: dotted path of a number in traits, or in the data.',
    }),
  ),
  traitGte: Type.Optional(Type.String({ pattern: amountPattern, description: 'The least value of that trait.' })),
  select: describeCsv('What to show of the matching proofs: handle, provider, profileUrl, traits.<name>.'),
  includePrivate: Flag('Private proofs count as well, when the wallet signs the request.'),
  includeQHashes: Flag('Also which proof meets which requirement, and the ids of private proofs.'),
  explain: Flag('Also why, and what would help.'),
} as const

type OwnParameters = Static<ReturnType<typeof open<typeof before & typeof after>>>

/** A query of the right shape. The members of verifiers are texts. */
export type CheckQuery = OwnParameters & { readonly [name: string]: string | undefined }

function describeParameter({ kind, description, maxLength, pattern }: CheckParameter): TSchema {
  if (kind === 'flag') return Flag(description)
  if (kind === 'whole') return describeDigits(description)
  if (kind === 'amount') return Type.Optional(Type.String({ pattern: amountPattern, description }))
  if (kind === 'anyOf' || kind === 'allOf') return describeCsv(description)
  return pattern === undefined
    ? describeText(description, maxLength)
    : Type.Optional(Type.String({ pattern, description }))
}

export interface KnownParameters {
  /** The parameters of verifiers, by name. Each is held against the data of a row. */
  readonly conditions: ReadonlyMap<string, CheckParameter>
  /** Names that only this server has, after its brand, with those that work everywhere. */
  readonly branded: ReadonlyMap<string, string>
  /** Without the branded names. */
  readonly names: readonly string[]
  /** All of them. */
  readonly meaningful: ReadonlySet<string>
  /** What a verifier takes for a member that its evidence lacks, by the name of the member. */
  readonly defaults: ReadonlyMap<string, NonNullable<Condition['byDefault']>>
  readonly query: TObject
  /** The older path accepts no signature. */
  readonly olderQuery: TObject
  readonly check: Check<TObject>
}

type ParameterTools = Pick<Parts, 'catalog' | 'verifierSettings'>

/** A catalog never changes, and each has one brand. */
const knownByCatalog = new WeakMap<ParameterTools['catalog']['known'], KnownParameters>()

export function readKnownParameters({ catalog, verifierSettings }: ParameterTools): KnownParameters {
  const known = knownByCatalog.get(catalog.known)
  if (known) return known
  const conditions = new Map<string, CheckParameter>()
  const branded = new Map<string, string>()
  const members: Record<string, TSchema> = {}
  const brandedMembers: Record<string, TSchema> = {}
  const defaults = new Map<string, NonNullable<Condition['byDefault']>>()
  for (const { id, parameters = {}, defaultValues } of catalog.known.values()) {
    for (const [name, value] of Object.entries(defaultValues?.(verifierSettings) ?? {}))
      if (!defaults.has(name)) defaults.set(name, { verifierId: id, value })
    for (const [name, parameter] of Object.entries(parameters)) {
      conditions.set(name, parameter)
      members[name] = describeParameter(parameter)
      const own = `${verifierSettings.brand}${parameter.brandedAs}`
      if (parameter.brandedAs === undefined || own === name) continue
      branded.set(own, name)
      brandedMembers[own] = describeText(`Of ${id}: the same as ${name}.`)
    }
  }
  const everywhere = { ...before, ...members, ...after }
  const all = { ...everywhere, ...brandedMembers }
  const { subject: _, includeQHashes: __, ...unsigned } = all
  const made = {
    conditions,
    branded,
    names: Object.keys(everywhere),
    meaningful: new Set([...Object.keys(everywhere), ...branded.keys()]),
    defaults,
    query: open(all),
    olderQuery: open({
      ...unsigned,
      address: describeText(`${whoIsChecked} May be left out with qHash.`),
      includePrivate: Flag('Has no effect on this path, where nobody signs; data.warnings says so.'),
    }),
    check: compileCheck(open(everywhere)),
  }
  knownByCatalog.set(catalog.known, made)
  return made
}
