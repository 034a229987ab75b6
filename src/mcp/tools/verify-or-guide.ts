import { Type } from '@sinclair/typebox'
import { suggestNearest } from '../../config/suggest.ts'
import { AppError } from '../../errors.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import { stripVersion } from '../../verifiers/id.ts'
import type { Catalog } from '../../verifiers/index.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { nameAccount, readAccountId, writeName } from '../../wallet/account.ts'
import { runCheck } from '../checked.ts'
import { listCallSteps } from '../guided-call.ts'
import { buildHostedUrl, ReturnUrl } from '../hosted.ts'
import { askOperator, listOperatorSteps, selectNotOffered } from '../not-offered.ts'
import { defineTool, looksOnly } from '../tool.ts'
import { findOwn, narrowToChain, requireNamed, WalletArgument } from '../wallets.ts'
import { VerifierIds } from './proofs-check.ts'

/** Members of the data of a claim that say which proof is meant, under the same name in a check. */
const telling = [
  'contractAddress',
  'tokenId',
  'chainId',
  'domain',
  'contentHash',
  'agentId',
  'agentWallet',
  'secondaryWalletAddress',
] as const

export const verifyOrGuide = defineTool({
  name: 'verify_or_guide',
  title: 'Verified already, or how to get there',
  description:
    'Looks whether a wallet has the verifications that are needed and, when some are missing, says what to do: call {brand}_verify yourself, or give the person hostedVerifyUrl to open. Changes nothing. Use it before you ask the person to do anything.',
  input: defineClosed({
    verifierIds: VerifierIds,
    walletAddress: WalletArgument('The wallet; the primary wallet of the person by default.'),
    requireAll: Type.Optional(
      Type.Boolean({ description: 'true (default): all of verifierIds are needed. false: any of them is enough.' }),
    ),
    chain: Type.Optional(Type.String({ maxLength: 80, description: 'CAIP-2 id of the chain of the wallet.' })),
    data: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'What the claim is about, as for {brand}_verify, to tell proofs of one verifier apart.',
        },
      ),
    ),
    options: Type.Optional(defineClosed({ returnUrl: ReturnUrl })),
  }),
  output: Type.Object({
    success: Type.Literal(true),
    action: Type.String({ description: 'already_verified or verification_required.' }),
    eligible: Type.Boolean(),
    matchedCount: Type.Integer(),
    complete: Type.Boolean({ description: 'False when there are more proofs than were looked at.' }),
    missing: Type.Array(Type.String(), { description: 'Ids of verifiers without a proof that counts.' }),
    unavailable: Type.Array(Type.String(), { description: 'Those among them that this server does not offer.' }),
    next_action: Type.String(),
    hostedVerifyUrl: Type.Optional(Type.String({ description: 'A page for the person to open.' })),
    message: Type.String(),
    nextSteps: Type.Array(Type.String()),
    walletAddress: Type.String(),
  }),
  elsewhere: { gateId: 'proofs_check' },
  annotations: looksOnly,
  needs: [],

  async run(
    { verifierIds, walletAddress, chain, requireAll = true, data, options },
    { parts, identity, toolName, appId },
  ) {
    const account = narrowToChain(
      walletAddress === undefined
        ? nameAccount(identity.profile.primary, parts.config.signing.hubChainId)
        : requireNamed(walletAddress, 'walletAddress', parts),
      chain,
      'walletAddress',
    )
    const { wallet } = account
    const ids = [...new Set(verifierIds.map(stripVersion))]
    requireKnownMembers(data, parts.catalog)
    const work = new CheckWork()
    const answers = await Promise.all(
      ids.map(async (id) => ({
        id,
        ...(await runCheck(identity, account, { verifierIds: id, ...describeRefusal(data, id) }, parts, work)),
      })),
    )
    const missing = answers.filter(({ eligible }) => !eligible).map(({ id }) => id)
    const matchedCount = answers.reduce((sum, one) => sum + one.matchedCount, 0)
    const eligible = requireAll ? missing.length === 0 : missing.length < ids.length
    const complete = answers.every((one) => one.complete) && !work.wasStopped
    const found = { success: true as const, eligible, matchedCount, complete, missing, walletAddress: wallet }
    if (eligible)
      return {
        ...found,
        action: 'already_verified',
        unavailable: [],
        next_action: 'none',
        message: 'Everything that was asked for is verified already.',
        nextSteps: [],
      }

    const { catalog } = parts
    const unavailable = selectNotOffered(missing, catalog)
    const needed = {
      ...found,
      action: 'verification_required',
      unavailable,
      message: `Not verified yet: ${missing.join(', ')}.${unavailable.map((id) => ` ${catalog.absence(id)}.`).join('')}`,
    }
    const possible = missing.filter((id) => !unavailable.includes(id))
    if (possible.length === 0 || (requireAll && unavailable.length > 0))
      return { ...needed, next_action: askOperator, nextSteps: listOperatorSteps(unavailable.map(catalog.absence)) }
    const isDirect = possible.every((id) => catalog.enabled.get(id)?.flow !== 'interactive')
    const isOwn = (await findOwn(identity, account)) !== undefined
    const hostedVerifyUrl = buildHostedUrl(parts, {
      verifiers: possible.join(','),
      appId,
      returnUrl: options?.returnUrl,
    })
    const forWallet = isOwn
      ? ''
      : `, for walletAddress ${writeName(account)}: it returns a text which that wallet must sign`
    const direct = isDirect ? listCallSteps(possible, toolName('verify'), catalog, forWallet) : []
    return {
      ...needed,
      next_action: isDirect ? `call_${toolName('verify')}` : 'open_hosted_verify',
      hostedVerifyUrl,
      nextSteps: [
        ...direct,
        `${isDirect ? 'Or give' : 'Give'} the person this address to open, and check again when they are back: ${hostedVerifyUrl}`,
      ],
    }
  },
})

/**
 * A misspelled member would tell proofs apart by less than was meant. Members of any verifier may stand there, flat or
 * under its id. Errors: VALIDATION_ERROR.
 */
function requireKnownMembers(data: Readonly<Record<string, unknown>> | undefined, { known }: Catalog): void {
  const members = [...known.values()].flatMap((verifier) => Object.keys(verifier.data.properties))
  const nested = Object.entries(data ?? {}).flatMap(([name, value]) =>
    known.has(name) && typeof value === 'object' && value !== null ? Object.keys(value) : [name],
  )
  const names = new Set([...members, ...telling])
  const unknown = nested.find((name) => !names.has(name))
  if (unknown === undefined) return
  const shown = unknown.slice(0, 80)
  const meant = suggestNearest(shown, [...names])
  throw new AppError(
    'VALIDATION_ERROR',
    `"${shown}" is not a member of the data of a verifier${meant === undefined ? '' : `: did you mean ${meant}?`}`,
    { argument: 'data', ...(meant === undefined ? {} : { nearest: meant }) },
  )
}

/** The member in which the data names a wallet's chain. */
const chainMembers: Readonly<Record<string, { readonly accountId: string; readonly chains: readonly string[] }>> = {
  agentWallet: { accountId: 'agentAccountId', chains: ['agentChainRef'] },
  secondaryWalletAddress: { accountId: 'secondaryAccountId', chains: ['secondaryChainRef', 'chain'] },
}

/** The account that the data names, where it says the chain of the wallet. */
function readTellingAccount(members: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const said = Object.hasOwn(chainMembers, name) ? chainMembers[name] : undefined
  if (said === undefined) return undefined
  const { [said.accountId]: accountId, [name]: wallet } = members
  const chain = said.chains.map((member) => members[member]).find((value) => typeof value === 'string')
  if (typeof accountId === 'string') return readAccountId(accountId)
  return typeof wallet === 'string' && chain !== undefined ? readAccountId(`${chain}:${wallet}`) : undefined
}

function describeRefusal(
  data: Readonly<Record<string, unknown>> | undefined,
  verifierId: string,
): Record<string, string> {
  const own = data?.[verifierId]
  const members = (typeof own === 'object' && own !== null ? own : (data ?? {})) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    telling.flatMap((name) => {
      const value = readTellingAccount(members, name) ?? (Object.hasOwn(members, name) ? members[name] : undefined)
      const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
      return isText ? [[name, String(value)]] : []
    }),
  )
}
