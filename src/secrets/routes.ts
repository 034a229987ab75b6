/** /api/v1/profile/secrets: stores secrets and lists their names. No route returns their content. */
import { Type } from '@sinclair/typebox'
import { requirePerson } from '../auth/identify.ts'
import type { Account, Identity } from '../auth/identity.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { describeAnswer } from '../http/describe.ts'
import { type ExampleSource, story } from '../http/example.ts'
import { adoptAccount } from '../http/grounds.ts'
import { type Route, route } from '../http/route.ts'
import { buildTracesView, TracesView } from '../http/traces-view.ts'
import type { Parts } from '../parts.ts'
import { defineChoice, open } from '../shape.ts'
import {
  chooseMeant,
  explainNoAccount,
  parseAccount,
  readNamedAccount,
  showAccount,
  writeName,
} from '../wallet/account.ts'
import { aliasPattern, contentMaxBytes, createSecret, mostSecrets, readSecretPage, revokeOwnSecret } from './secret.ts'
import { secretTypes } from './secret-type.ts'
import type { SecretRow } from './store.ts'

const tag = 'profile'
const who = 'For the session, which needs the header X-CSRF-Token for changes, or an access key with the scope secrets.'

const secretMembers = {
  id: Type.String({ description: 'Names it in requests, and its qHash in a vault.' }),
  alias: Type.String(),
  type: Type.String({ description: 'single or bundle.' }),
  walletAddress: Type.String({ description: 'In whose vault it stands.' }),
  contractOn: Type.Optional(Type.String({ description: 'CAIP-2 chain on which that is a contract wallet.' })),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
}

const SecretBody = open({
  alias: Type.String({
    pattern: aliasPattern,
    description: 'A letter, then letters, digits and underscores, at most 64. For example OPENAI_API_KEY.',
  }),
  type: Type.Optional(
    defineChoice(secretTypes, 'single (default): one text. bundle: a JSON object whose values are texts.'),
  ),
  content: Type.String({
    minLength: 1,
    maxLength: contentMaxBytes,
    description: `At most ${contentMaxBytes} bytes. No answer holds it.`,
  }),
  walletAddress: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Wallet of the person in whose vault it stands; the primary one by default. Address, did:pkh or CAIP-10 account; the latter two name the chain of a contract wallet.',
    }),
  ),
})

const SecretParams = Type.Object({
  secretId: Type.String({ pattern: qHashPattern, description: 'From the list of secrets.' }),
})

const buildSecretView = ({ qHash, alias, type, account, createdAt }: SecretRow) => ({
  id: qHash,
  alias,
  type,
  ...showAccount(parseAccount(account)),
  createdAt,
})

const { address, time } = story
const secretId = `0x${'5ec2e7'.padEnd(64, '0')}`
const oneDayMs = 86_400_000
const traces = { pending: false }
const secret = { id: secretId, alias: 'OPENAI_API_KEY', type: 'single', walletAddress: address, createdAt: time }

/** Examples by operationId. No test sends these, because keys are random, but each fits its schema. */
export const secretExamples = {
  listSecrets: { response: { success: true, data: { secrets: [secret] } } },
  createSecret: {
    request: { alias: secret.alias, type: 'single', content: 'what the agent needs' },
    response: { success: true, data: secret },
  },
  revokeSecret: {
    params: { secretId },
    response: {
      success: true,
      data: { id: secret.id, alias: secret.alias, revokedAt: time + oneDayMs, alreadyRevoked: false, traces },
    },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>

export function secretRoutes(parts: Parts): readonly Route[] {
  const changes = { rate: 'sessions' as const }

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/secrets',
        callers: ['session', 'access-key'],
        needs: 'secrets',
        surface: 'sessions',
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listSecrets',
          summary: 'Secrets of a person, by alias',
          description: `The newest first. What is in them is in no answer. ${who}`,
          answer: describeAnswer({ data: Type.Object({ secrets: Type.Array(Type.Object(secretMembers)) }) }),
          refusals: [401, 403],
          example: secretExamples.listSecrets,
        },
      },
      async ({ request }) => {
        const identity = await requirePerson(parts, request)
        const { secrets } = await readSecretPage(parts, identity, { limit: mostSecrets, offset: 0 })
        return { success: true, data: { secrets: secrets.map(buildSecretView) } }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/secrets',
        callers: ['session', 'access-key'],
        needs: 'secrets',
        surface: 'sessions',
        body: SecretBody,
        ...changes,
        operation: {
          tag,
          operationId: 'createSecret',
          summary: 'Keep a secret',
          description: `Seals a key or a set of keys for the agents of the person. ${who}`,
          answer: describeAnswer({ data: Type.Object(secretMembers) }),
          refusals: [400, 401, 403, 409, 413, 415, 503],
          codes: ['INVALID_WALLET_ADDRESS'],
          example: secretExamples.createSecret,
        },
      },
      async ({ body, request }) => {
        const identity = await requirePerson(parts, request)
        const { alias, type = 'single', content } = body
        const account = await requireOwnAccount(parts, identity, body.walletAddress)
        return {
          success: true,
          data: buildSecretView(await createSecret(parts, identity, { alias, type, content, account })),
        }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/profile/secrets/:secretId',
        callers: ['session', 'access-key'],
        needs: 'secrets',
        surface: 'sessions',
        params: SecretParams,
        ...changes,
        operation: {
          tag,
          operationId: 'revokeSecret',
          summary: 'Erase a secret',
          description: `For good, and its alias is free again; traces says whether the files of the database may hold what it sealed still. Again is no error. ${who}`,
          answer: describeAnswer({
            data: Type.Object({
              id: secretMembers.id,
              alias: secretMembers.alias,
              revokedAt: Type.Integer({ description: 'Unix milliseconds.' }),
              alreadyRevoked: Type.Boolean(),
              traces: TracesView,
            }),
          }),
          refusals: [400, 401, 403, 404, 503],
          example: secretExamples.revokeSecret,
        },
      },
      async ({ params, request }) => {
        const { secret, alreadyRevoked, traces } = await revokeOwnSecret(
          parts,
          await requirePerson(parts, request),
          params.secretId,
        )
        return {
          success: true,
          data: {
            id: secret.qHash,
            alias: secret.alias,
            revokedAt: secret.revokedAt ?? parts.now(),
            alreadyRevoked,
            traces: buildTracesView(traces),
          },
        }
      },
    ),
  ]
}

/** Errors: INVALID_WALLET_ADDRESS, FORBIDDEN. */
async function requireOwnAccount(
  { config }: Parts,
  { listAccounts, profile }: Identity,
  identifier: string | undefined,
): Promise<Account> {
  if (identifier === undefined) return profile.primary
  const named = readNamedAccount(identifier, config.signing.hubChainId)
  if (!named)
    throw new AppError('INVALID_WALLET_ADDRESS', `walletAddress is ${explainNoAccount(identifier)}`, {
      path: '/walletAddress',
    })
  const account = chooseMeant(await listAccounts(), named)
  if (account) return adoptAccount(account)
  throw new AppError('FORBIDDEN', `walletAddress: ${writeName(named)} is not a wallet of the person who is signed in`, {
    path: '/walletAddress',
  })
}
