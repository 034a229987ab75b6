/**
 * Human Passport: a score for the stamps that a wallet has collected. It says how unlikely it is that one person owns
 * many such wallets. It identifies no person, so the wallet is the unique id.
 */
import { Type } from '@sinclair/typebox'
import { areSameAddress, isEvmAddress } from '../../wallet/account.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { askProvider, makeMalformedError } from '../risk/provider-answer.ts'
import { type HumanProvider, makeRefused, type Person } from './human.ts'

export interface PassportSettings {
  readonly endpoint: Endpoint
  readonly apiKey: string
  readonly scorerId: string
  readonly minScore: number
}

/** The score is a decimal text with up to five places; older scorers give a number. */
const Score = Type.Union([Type.String({ pattern: '^[0-9]{1,6}(\\.[0-9]{1,20})?$' }), Type.Number({ minimum: 0 })])
const Answer = Type.Object({
  address: Type.String(),
  score: Type.Union([Score, Type.Null()]),
  passing_score: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  expiration_timestamp: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  error: Type.Optional(Type.Unknown()),
})

export const openPassport = (settings: PassportSettings): HumanProvider => ({
  name: 'passport',
  label: 'Human Passport',

  async find({ wallet, contractOn, now }) {
    if (!isEvmAddress(wallet))
      return makeRefused('UNKNOWN_WALLET', `Human Passport scores EVM wallets, and ${wallet} is none`)
    if (contractOn !== undefined)
      return makeRefused(
        'CONTRACT_WALLET',
        `${wallet} is a contract wallet on ${contractOn}; a score is about an address on every chain, where somebody else may be`,
      )
    const { score, expiresAt } = await readScore(settings, wallet)
    if (score < settings.minScore)
      return makeRefused(
        'SCORE_TOO_LOW',
        `the score of ${wallet} is ${score}, and ${settings.minScore} is needed: collect stamps`,
      )
    if (expiresAt !== undefined && expiresAt <= now)
      return makeRefused('SCORE_EXPIRED', 'the stamps of this wallet have expired: renew them')
    const person: Person = {
      uniqueId: wallet,
      assuranceLevel: 'low',
      claims: { personhood_verified: true },
      traits: { score },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      sources: [settings.endpoint.setting],
    }
    return { person }
  },

  onPage: async () => ({ minScore: settings.minScore, scorerId: settings.scorerId }),
})

/** Errors: OutsideError. */
export async function readScore(
  { endpoint, apiKey, scorerId }: PassportSettings,
  wallet: string,
): Promise<{ readonly score: number; readonly expiresAt: number | undefined }> {
  const path = `/v2/stamps/${encodeURIComponent(scorerId)}/score/${wallet}`
  const answer = await askProvider(endpoint, path, { 'x-api-key': apiKey }, Answer)
  if (!areSameAddress(answer.address, wallet))
    throw makeMalformedError(endpoint.setting, 'answered about another wallet')
  if (answer.error !== undefined && answer.error !== null)
    throw makeMalformedError(endpoint.setting, 'could not make a score')
  const { expiration_timestamp: ends } = answer
  const expiresAt = typeof ends === 'string' ? Date.parse(ends) : undefined
  if (Number.isNaN(expiresAt)) throw makeMalformedError(endpoint.setting, 'answered with an end that is no time')
  return { score: Number(answer.score ?? 0), expiresAt }
}
