/**
 * Client ID Metadata Documents: a client_id that is the https address of a document about the client. The document is
 * as unchecked as a registration, but its address names its owner.
 */
import { NetworkPlaces } from '../network-places.ts'
import type { Parts } from '../parts.ts'
import { findLabelFault } from '../plain-label.ts'
import type { Client } from './client.ts'
import { longestClientId } from './client.ts'
import { OAuthError } from './refusal.ts'
import { readRedirectUris } from './register.ts'

export interface ClientDocuments {
  /** Errors: OAuthError invalid_client for a document that cannot be had or does not fit. */
  find(address: string): Promise<Client>
}

/** An https address with a path, spelled as everybody spells it. */
export function isDocumentAddress(clientId: string): boolean {
  if (clientId.length > longestClientId || !clientId.startsWith('https://') || !URL.canParse(clientId)) return false
  const { href, pathname, hash, username, password } = new URL(clientId)
  return href === clientId && pathname !== '/' && hash === '' && username === '' && password === ''
}

type OutsideAnswer = Awaited<ReturnType<NonNullable<Parts['outside']['documents']>['get']>>

const secondMs = 1000
/** However short or long the document says it may be kept. */
const keptMs = { least: 60 * secondMs, most: 86_400 * secondMs, usual: 300 * secondMs }
const mostKept = 1000

interface Kept {
  readonly found: Promise<Client>
  /** Unix milliseconds; not known yet while it is fetched. */
  readonly until: number
}

/** Undefined unless oauth.client_metadata_documents is on. */
export function openClientDocuments({ outside, config, readUptime }: Parts): ClientDocuments | undefined {
  const { documents } = outside
  if (!documents) return undefined
  const kept = new Map<string, Kept>()
  const places = new NetworkPlaces<string>(mostKept)

  async function fetchClient(address: string, mark: (ms: number) => void): Promise<Client> {
    // A failure is remembered too, so that asking again and again makes no calls.
    mark(keptMs.least)
    const answer = await documents!.get(address).catch((error: unknown) => {
      throw makeUnusableError(
        `its document could not be read (${error instanceof Error ? error.message : String(error)})`,
      )
    })
    const client = readClient(address, answer, config.oauth.redirectSchemes)
    mark(readAge(answer.headers['cache-control'] ?? ''))
    return client
  }

  return {
    find(address) {
      const known = kept.get(address)
      if (known && readUptime() < known.until) return known.found
      let until = Number.POSITIVE_INFINITY
      const entry: Kept = {
        found: fetchClient(address, (ms) => {
          until = readUptime() + ms
        }),
        get until() {
          return until
        },
      }
      kept.set(address, entry)
      places.take(address)
      const excess = places.findExcess()
      if (excess !== undefined) {
        kept.delete(excess)
        places.leave(excess)
      }
      return entry.found
    },
  }
}

const makeUnusableError = (problem: string): OAuthError =>
  new OAuthError('invalid_client', `this client_id is an address, and ${problem}`)

function readAge(cacheControl: string): number {
  if (/\b(no-store|no-cache)\b/i.test(cacheControl)) return keptMs.least
  const seconds = /\bmax-age=([0-9]{1,9})\b/i.exec(cacheControl)?.[1]
  return seconds === undefined
    ? keptMs.usual
    : Math.min(keptMs.most, Math.max(keptMs.least, Number(seconds) * secondMs))
}

/** Errors: OAuthError invalid_client. */
function readClient(address: string, { status, headers, body }: OutsideAnswer, schemes: readonly string[]): Client {
  if (status !== 200) throw makeUnusableError(`its document is answered with ${status}`)
  if (!/^application\/([a-z0-9.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
    throw makeUnusableError('its document is not application/json')
  const document = readJson(body)
  if (document.client_id !== address) throw makeUnusableError('its document has another client_id')
  const { client_name: name, redirect_uris: uris, token_endpoint_auth_method: method } = document
  if (typeof name !== 'string' || name.length > 200 || findLabelFault(name) !== undefined)
    throw makeUnusableError('its document has no client_name that can be shown')
  if (method !== undefined && method !== 'none')
    throw makeUnusableError(
      'its document asks for authentication at the token endpoint, which this server does not offer',
    )
  try {
    return { id: address, kind: 'cimd', name, redirectUris: readRedirectUris(uris, schemes) }
  } catch (error) {
    throw makeUnusableError(`its document has redirect_uris that cannot be used: ${(error as Error).message}`)
  }
}

function readJson(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The error is worded below.
  }
  throw makeUnusableError('its document is not a JSON object')
}
