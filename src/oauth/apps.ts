/** Connected apps: which clients a person has allowed something, and taking that back. */

import { makeAuditStatement } from '../audit/log-store.ts'
import { countEndingWithClient, type EndsWith } from '../auth/ending-store.ts'
import type { Identity } from '../auth/identity.ts'
import { AppError } from '../errors.ts'
import { mapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { type AppPage, isConnected, listApps } from './app-store.ts'
import { deleteConsents, listRemembered } from './consent-store.ts'
import { dropClientCodes, revokeClientFamilies } from './family-store.ts'
import { accessTokenTtlSeconds, listSupportedScopes, writeCliClientId } from './vocabulary.ts'

export interface App {
  readonly clientId: string
  /** The client's own, unchecked name. */
  readonly name: string
  readonly firstParty: boolean
  /** Whether a token of it still works. */
  readonly hasTokens: boolean
  /** Of its grants, as on the wire. */
  readonly scopes: readonly string[]
  readonly returnsTo: readonly string[]
  /** What it gets without asking again, one entry for each place to return to. */
  readonly remembered: readonly RememberedConsent[]
  /** Unix milliseconds. */
  readonly connectedAt: number
  readonly lastUsedAt: number
  readonly endsWith: EndsWith
}

export interface RememberedConsent {
  readonly returnsTo: string
  /** As on the wire. */
  readonly scopes: readonly string[]
  /** Unix milliseconds. */
  readonly allowedAt: number
}

/** The limit of one answer. With the longest texts about themselves, this number of apps stays below 1 MB. */
export const mostApps = 200
/** The limit for one app: the first places in order. An app may have any number of redirect hosts. */
const mostPlaces = 20

export interface AppList {
  readonly apps: App[]
  /** Whether there are more after these. */
  readonly truncated: boolean
}

export async function readAppPage(
  { db, now, config: { brand } }: Parts,
  { profile }: Identity,
  page: AppPage,
): Promise<AppList> {
  const at = now()
  const found = await listApps(db, profile.id, at, { ...page, limit: page.limit + 1 })
  const supported = listSupportedScopes(brand)
  const readWords = (text: string): string[] => supported.filter((word) => text.split(' ').includes(word))
  const apps = await mapInOrder(
    found.slice(0, page.limit),
    async ({ clientId, name, hasTokens, scopes, places, connectedAt, lastTokenEndsAt }) => ({
      clientId,
      name: clientId === writeCliClientId(brand) ? `${brand} command line` : (name ?? 'A client without a name'),
      firstParty: clientId === writeCliClientId(brand),
      hasTokens: hasTokens === 1,
      scopes: readWords(scopes ?? ''),
      returnsTo: [...new Set(places?.split('\n') ?? [])].sort().slice(0, mostPlaces),
      remembered: (await listRemembered(db, profile.id, clientId, mostPlaces)).map(
        ({ redirectHost, scope, createdAt }) => ({
          returnsTo: redirectHost,
          scopes: readWords(scope),
          allowedAt: createdAt,
        }),
      ),
      connectedAt,
      lastUsedAt: lastTokenEndsAt === null ? connectedAt : lastTokenEndsAt - accessTokenTtlSeconds * 1000,
      endsWith: await countEndingWithClient(db, profile.id, clientId, at),
    }),
  )
  return { apps, truncated: found.length > page.limit }
}

/** Its tokens and what they made end at once, and it must ask again. Errors: NOT_FOUND. */
export async function disconnectApp({ db, now }: Parts, { profile }: Identity, clientId: string): Promise<void> {
  const at = now()
  if (!(await isConnected(db, profile.id, clientId, at)))
    throw new AppError('NOT_FOUND', 'this app is not connected: GET /api/v1/auth/apps lists the connected apps')
  await db.write(
    [
      // In the order in which one leads to the next: what is made at this moment is met by one of them.
      deleteConsents(profile.id, clientId),
      dropClientCodes(profile.id, clientId),
      revokeClientFamilies(profile.id, clientId, 'revoked_by_person', at),
      makeAuditStatement('grant_revoked', { profile: profile.id, at, client: clientId, by: 'person' }),
    ],
    'free',
  )
}
