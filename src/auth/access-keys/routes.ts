/** Access keys: /api/v1/auth/profile-keys, and the one that calls. */

import { AppError } from '../../errors.ts'
import { type ExampleSource, story } from '../../http/example.ts'
import { type Route, route } from '../../http/route.ts'
import { mapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { requirePlainLabel } from '../../plain-label.ts'
import { writeAccount } from '../../wallet/account.ts'
import { countEndingWithKey } from '../ending-store.ts'
import { readSentKey, requireKey, requirePrimarySession, requireSession } from '../identify.ts'
import { buildKeyView, KeyBody, KeyParams, keyMadeAnswer, keyRevokedAnswer, keysAnswer } from '../sessions/wire.ts'
import { createKey, endKey, requireScopes } from './access-keys.ts'
import { type ListedKey, listKeys } from './store.ts'

const tag = 'sessions'
const ownPage = 'For a signed-in browser. Needs the header X-CSRF-Token.'

const { time } = story
const keyId = 'key_8f1d2c3b4a596877'
const scopes = ['svc:core', 'svc:profile']
const oneDayMs = 86_400_000
const nothing = { delegations: 0, agents: 0, accessGrants: 0 }
const keyMembers = { keyId, prefix: 'npk_Q2xpZW', name: 'Nightly report', scopes, createdAt: time }
const key = { ...keyMembers, endsWith: nothing }
const revokedKey = { ...keyMembers, lastUsedAt: null, revokedAt: time + oneDayMs, ended: nothing }
const unused = { lastUsedAt: null, revokedAt: null }

/** Examples by operationId. No test sends these, because keys are random, but each fits its schema. */
export const keyExamples = {
  createAccessKey: {
    request: { name: key.name, scopes: ['core', 'profile'] },
    response: { success: true, data: { ...key, ...unused, key: 'npk_Q2xpZW'.padEnd(47, 'A') } },
  },
  listAccessKeys: { response: { success: true, data: { keys: [{ ...key, ...unused }] } } },
  revokeAccessKey: { params: { keyId }, response: { success: true, data: revokedKey } },
  revokeThisAccessKey: { response: { success: true, data: revokedKey } },
} as const satisfies Readonly<Record<string, ExampleSource>>

export function accessKeyRoutes(parts: Parts): readonly Route[] {
  const { brand } = parts.config
  const changes = { rate: 'sessions' as const }
  const countEnding = (keyId: string) => countEndingWithKey(parts.db, keyId, parts.now())
  const buildView = async (key: ListedKey) => ({ ...buildKeyView(key, brand), endsWith: await countEnding(key.keyId) })

  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/auth/profile-keys',
        readers: 'own pages',
        callers: ['session'],
        surface: 'sessions',
        body: KeyBody,
        ...changes,
        operation: {
          tag,
          operationId: 'createAccessKey',
          summary: 'Create an access key',
          description: `${ownPage} The key is shown this once. Neither an access key nor a linked wallet may make one.`,
          answer: keyMadeAnswer,
          refusals: [400, 401, 403, 409, 413, 415, 503],
          example: keyExamples.createAccessKey,
        },
      },
      async ({ body, request }) => {
        const { profile } = await requirePrimarySession(parts, request)
        const scopes = requireScopes(body.scopes, brand)
        const primary = writeAccount(profile.primary)
        const name = requirePlainLabel(body.name, 'name')
        const { key, listed } = await createKey(parts, { primary, name, scopes })
        return { success: true, data: { ...(await buildView(listed)), key } }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/profile-keys',
        readers: 'own pages',
        callers: ['session'],
        surface: 'sessions',
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listAccessKeys',
          summary: 'Access keys of who is signed in',
          description:
            'For a signed-in browser. Revoked ones stay in the list for a while. endsWith says what would end with each.',
          answer: keysAnswer,
          refusals: [401, 403],
          example: keyExamples.listAccessKeys,
        },
      },
      async ({ request }) => {
        const { profile } = await requireSession(parts, request)
        return { success: true, data: { keys: await mapInOrder(await listKeys(parts.db, profile.id), buildView) } }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/auth/profile-keys/:keyId',
        readers: 'own pages',
        callers: ['session'],
        surface: 'sessions',
        params: KeyParams,
        ...changes,
        operation: {
          tag,
          operationId: 'revokeAccessKey',
          summary: 'Revoke an access key',
          description: `${ownPage} What it made ends with it: "ended" says how much.`,
          answer: keyRevokedAnswer,
          refusals: [400, 401, 403, 404, 503],
          example: keyExamples.revokeAccessKey,
        },
      },
      async ({ params, request }) => {
        const { profile } = await requireSession(parts, request)
        const revoked = await endKey(parts, params.keyId, profile)
        if (!revoked)
          throw new AppError('NOT_FOUND', 'this access key does not exist: GET /api/v1/auth/profile-keys lists yours')
        return { success: true, data: { ...buildKeyView(revoked.key, brand), ended: revoked.ended } }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/auth/profile-key',
        readers: 'own pages',
        callers: ['access-key'],
        surface: 'sessions',
        ...changes,
        operation: {
          tag,
          operationId: 'revokeThisAccessKey',
          summary: 'Revoke the access key that calls',
          description: 'For Authorization: Bearer npk_… What it made ends with it.',
          answer: keyRevokedAnswer,
          refusals: [401, 404, 503],
          example: keyExamples.revokeThisAccessKey,
        },
      },
      async ({ request }) => {
        const { keyId } = await requireKey(parts, requireSentKey(request))
        const revoked = await endKey(parts, keyId)
        if (!revoked)
          throw new AppError('NOT_FOUND', 'the access key was revoked during this request: nothing was changed')
        return { success: true, data: { ...buildKeyView(revoked.key, brand), ended: revoked.ended } }
      },
    ),
  ]
}

/** Errors: WALLET_AUTH_REQUIRED. */
function requireSentKey({ headers }: Request): string {
  const key = readSentKey(headers)
  if (key !== undefined) return key
  throw new AppError(
    'WALLET_AUTH_REQUIRED',
    'only an access key itself can do this, and a session cannot: send the key as Authorization: Bearer npk_…. In a session, revoke a key with DELETE /api/v1/auth/profile-keys/{keyId}',
  )
}
