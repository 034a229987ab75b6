/** Lists the proof-of-human providers of this server, and the parameters for a person's wallet or phone. */
import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import {
  addressMaxLength,
  caip2Pattern,
  explainNoBareAddress,
  looksLikeAddress,
  normalizeAddress,
} from '../wallet/account.ts'

export const HumanQuery = open({
  walletAddress: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: addressMaxLength,
      description: 'With it, the answer says what a proof for this wallet must be bound to.',
    }),
  ),
  contractOn: Type.Optional(
    Type.String({ pattern: caip2Pattern, description: 'CAIP-2 id of the chain on which that wallet is a contract.' }),
  ),
  scope: Type.Optional(
    Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$', description: 'One of the scopes here. The first when omitted.' }),
  ),
})

const describeText = (description: string) => Type.Optional(Type.String({ description }))

export const HumanProviderView = Type.Object(
  {
    id: Type.String({ description: 'zkpassport, semaphore, worldid or passport: the provider of data.' }),
    label: Type.String({ description: 'For people.' }),
    domain: Type.String({ description: 'Host name that proofs are made for.' }),
    scope: Type.String({ description: 'Within it, persons are told apart.' }),
    chain: describeText('Of zkpassport and semaphore: CAIP-2 id of the chain that is asked.'),
    verifier: describeText('Of zkpassport: the root verifier contract.'),
    mode: describeText('Of zkpassport: mode of the request to the app.'),
    devMode: Type.Optional(Type.Boolean({ description: 'Of zkpassport: whether passports for tests count.' })),
    bind: Type.Optional(
      Type.Object(
        { user_address: describeText('An EVM wallet.'), custom_data: describeText('Any other wallet, as a text.') },
        { description: 'Of zkpassport: what the app is asked to bind.' },
      ),
    ),
    semaphoreScope: describeText('Of semaphore: scope of generateProof(), a decimal number.'),
    semaphoreMessage: describeText('Of semaphore: message of generateProof(), a decimal number.'),
    maxDepth: Type.Optional(Type.Integer({ description: 'Of semaphore: the deepest tree.' })),
    roots: Type.Optional(Type.Array(Type.String(), { description: 'Of semaphore: Merkle roots that count.' })),
    contract: describeText('Of semaphore: the contract that keeps the group.'),
    groupId: describeText('Of semaphore: the group in it.'),
    appId: describeText('Of worldid, World ID 3.'),
    rpId: describeText('Of worldid, World ID 4.'),
    action: describeText('Of worldid.'),
    signal: describeText('Of worldid.'),
    rpContext: Type.Optional(
      Type.Object(
        {
          rp_id: Type.String(),
          nonce: Type.String(),
          created_at: Type.Integer({ description: 'Unix seconds.' }),
          expires_at: Type.Integer({ description: 'Unix seconds.' }),
          signature: Type.String(),
        },
        { description: 'Of worldid, World ID 4: rp_context of IDKit, made anew for each answer.' },
      ),
    ),
    credentials: Type.Optional(Type.Array(Type.String(), { description: 'Of worldid: those that count.' })),
    minScore: Type.Optional(Type.Number({ description: 'Of passport: the least score that makes a proof.' })),
    scorerId: describeText('Of passport.'),
  },
  { $id: 'HumanProvider' },
)

/** Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR. */
export async function listHumanProviders(
  { outside: { human }, addresses, now }: Parts,
  { walletAddress, contractOn, scope = human.scopes[0] }: Static<typeof HumanQuery>,
) {
  if (walletAddress !== undefined && !looksLikeAddress(walletAddress))
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      `walletAddress is ${explainNoBareAddress(walletAddress, 'The chain of a contract wallet goes into contractOn')}`,
      { path: '/walletAddress' },
    )
  if (!human.scopes.includes(scope))
    throw new AppError(
      'VALIDATION_ERROR',
      `the scope "${scope}" is not one of this server (human.scopes): use ${human.scopes.join(' or ')}`,
      { path: '/scope' },
    )
  const domain = new URL(addresses().authUrl).hostname
  const wallet = walletAddress === undefined ? {} : { wallet: { wallet: normalizeAddress(walletAddress), contractOn } }
  return Promise.all(
    human.all.map(async (provider) => ({
      id: provider.name,
      label: provider.label,
      domain,
      scope,
      ...(await provider.onPage({ domain, scope, ...wallet, now: now() })),
    })),
  )
}
