/** OAuth clients: the command-line client, which is ours; those that registered; those whose id is a document. */
import type { Parts } from '../parts.ts'
import { type ClientRow, findClientRow, type RegisteredKind } from './client-store.ts'
import { isCliRedirect, isRegistered } from './redirect-uri.ts'
import { writeCliClientId } from './vocabulary.ts'

export interface Client {
  readonly id: string
  readonly kind: 'first-party' | RegisteredKind
  /** Its own, unchecked name. */
  readonly name: string | undefined
  /** Empty for the first-party client, which listens on any port of this computer. */
  readonly redirectUris: readonly string[]
}

export const longestClientId = 2048

const hourMs = 3_600_000
/** A registration without a consent question. */
export const unusedClientTtlMs = 24 * hourMs
/** A used one, after its last use. */
export const usedClientTtlMs = 90 * 24 * hourMs

/** One that is known here already: nothing is fetched. */
export async function findClient(
  { db, config: { brand } }: Pick<Parts, 'db' | 'config'>,
  id: string,
): Promise<Client | undefined> {
  if (id === writeCliClientId(brand)) return makeFirstParty(brand)
  if (id.length > longestClientId) return undefined
  const row = await findClientRow(db, id)
  return row && makeClient(row)
}

const makeFirstParty = (brand: string): Client => ({
  id: writeCliClientId(brand),
  kind: 'first-party',
  name: `${brand} command line`,
  redirectUris: [],
})

export const makeClient = ({ id, kind, name, redirectUris }: ClientRow): Client => ({
  id,
  kind,
  name: name ?? undefined,
  redirectUris: JSON.parse(redirectUris),
})

export const canReturnTo = ({ kind, redirectUris }: Client, uri: string): boolean =>
  kind === 'first-party' ? isCliRedirect(uri) : isRegistered(uri, redirectUris)
