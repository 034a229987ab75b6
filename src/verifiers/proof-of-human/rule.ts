import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { type HumanProvider, humanProviderNames, humanProviderNeeds } from '../../outside/human/human.ts'
import type { Outside } from '../../outside/outside.ts'
import { defineChoice } from '../../shape.ts'
import { sharedParameters } from '../check-parameter.ts'
import { Hash32, keepPresent } from '../shapes.ts'
import { defineVerifier, type Evidence, fails, holds } from '../verifier.ts'
import { readVerifierTable } from '../verifier-table.ts'
import { humanTable } from './settings.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const oneDayMs = 86_400_000

/** Each server names the id of a person after its brand as well: svcPersonhoodId, acmePersonhoodId. */
const personhoodWord = 'PersonhoodId'

/**
 * `proof-of-human`: a provider finds one person behind the signer, bound to this wallet, this server and the scope.
 * Unproven members of a request (`queryResult` and the members below) are ignored: level and claims are read from the
 * proofs. The person's id is a salted hash, one for each provider and scope; no answer shows it. A limited number of
 * wallets may hold a proof of it at a time.
 */
export const proofOfHuman = defineVerifier({
  id: 'proof-of-human',
  category: 'identity',
  description: 'There is one person behind a wallet, told apart from all others within a scope.',
  words,
  translations: { de: german },
  flow: 'interactive',
  expiry: 'expiring',
  status: 'human_verified',
  allowsDelegatedSubject: false,
  compatibleWith: ['ownership-basic', 'ownership-social', 'ai-content-moderation'],
  signInKind: 'human',
  data: Type.Object({
    provider: defineChoice(humanProviderNames, 'Who finds the person.'),
    proofs: Type.Array(Type.Object({}), {
      minItems: 1,
      maxItems: 10,
      description:
        'One entry. zkpassport: the proof that the app makes in mode "compressed-evm" (its name begins with outer_evm). semaphore: {merkleTreeDepth, merkleTreeRoot, nullifier, message, scope, points} as @semaphore-protocol/proof 4 makes it. worldid: the result of IDKit. passport: {}, because the score of the wallet is asked for.',
    }),
    queryResult: Type.Object(
      {},
      { description: 'Result that came with the proofs; {} where there is none. Not used.' },
    ),
    scope: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z0-9_-]{1,64}$',
        description:
          'Within it, persons are told apart, and only so many wallets may be of one (human.wallets_per_person). <brand>-v1 when omitted; the operator says which others there are.',
      }),
    ),
    svcPersonhoodId: Type.Optional(Hash32),
    assuranceLevel: Type.Optional(
      defineChoice(['low', 'medium', 'high'], 'Not used, as the next three: see what is answered.'),
    ),
    claims: Type.Optional(Type.Object({})),
    traits: Type.Optional(Type.Object({})),
    expiresAt: Type.Optional(Type.Integer({ minimum: 0 })),
  }),

  absentWithout: ({ human }) =>
    human.all.length === 0
      ? `needs somebody who knows persons: set one of ${Object.values(humanProviderNeeds).join('; ')}`
      : undefined,

  examine({ data }, { outside, settings }) {
    const { scopes } = outside.human
    const { scope = scopes[0] } = data
    if (!scopes.includes(scope))
      throw makeInvalidError(
        '/scope',
        `the scope "${scope}" is not one of this server (human.scopes): use ${scopes.join(' or ')}`,
      )
    requireOwnName(data, `${settings.brand}${personhoodWord}`)
    requireProvider(data.provider, outside)
    return undefined
  },

  async verify({ signer, contractOn, data }, { now, outside, settings, domain, saltedHash }) {
    const { scope = outside.human.scopes[0] } = data
    const { validDays, walletsPerPerson } = readVerifierTable(settings, humanTable)
    const provider = requireProvider(data.provider, outside)
    const answer = await provider.find({ wallet: signer, contractOn, domain, scope, proofs: data.proofs, now })
    if ('refused' in answer) return fails(answer.refused.reason, answer.refused.message)

    const {
      uniqueId,
      assuranceLevel,
      claims,
      traits,
      sources,
      expiresAt: ends = Number.POSITIVE_INFINITY,
    } = answer.person
    const expiresAt = Math.min(now + validDays * oneDayMs, ends)
    const person = saltedHash([provider.name, scope, uniqueId].join('\n'), 'personhood')
    return holds(
      keepPresent({
        provider: provider.name,
        assuranceLevel,
        claims,
        traits: { ...traits, scope, domain, verifiedAt: now },
        expiresAt,
        sources,
      }),
      {
        expiresAt,
        hidden: { svcPersonhoodId: `0x${person}` },
        reserves: {
          name: `human:${person}`,
          holders: walletsPerPerson,
          takenMessage: `this person holds a proof with ${walletsPerPerson === 1 ? 'another wallet' : `${walletsPerPerson} other wallets`} in the scope "${scope}": use that wallet, or revoke that proof first`,
        },
      },
    )
  },

  parameters: {
    provider: sharedParameters.provider,
    svcPersonhoodId: {
      kind: 'text',
      brandedAs: personhoodWord,
      description: 'Of proof-of-human: the id of the person in its scope. No answer shows it.',
    },
    ageMin: {
      kind: 'whole',
      range: [0, 150],
      member: 'claims.age_min',
      op: 'gte',
      description: 'At least this age was shown, 0 to 150.',
    },
    sanctionsPassed: {
      kind: 'flag',
      member: 'claims.sanctions_passed',
      description: 'Whether the person was found on no sanctions list.',
    },
  },

  writeScope: ({ provider, traits }) => `${provider} ${(traits as { readonly scope: string }).scope}`,

  publicEvidence: ({ provider, assuranceLevel, claims, traits, expiresAt }): Evidence => ({
    provider,
    assuranceLevel,
    claims,
    traits,
    expiresAt,
  }),
})

/** The branded name of svcPersonhoodId has the same shape. Its value is not used either. */
function requireOwnName(data: Evidence, personhoodName: string): void {
  const value = data[personhoodName]
  if (value !== undefined && (typeof value !== 'string' || !new RegExp(Hash32.pattern ?? '').test(value)))
    throw makeInvalidError(`/${personhoodName}`, `${personhoodName} must be 0x and 64 hexadecimal digits`)
}

function requireProvider(name: (typeof humanProviderNames)[number], { human }: Outside): HumanProvider {
  const provider = human.provider(name)
  if (provider) return provider
  throw makeInvalidError(
    '/provider',
    `${name} is not offered here: the operator can set ${humanProviderNeeds[name]}. Here are ${human.all.map((one) => one.name).join(', ')}`,
  )
}

const makeInvalidError = (path: string, message: string): AppError =>
  new AppError('INVALID_VERIFIER_DATA', `proof-of-human: ${message}`, { verifierId: 'proof-of-human', path })
