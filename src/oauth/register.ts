/**
 * Dynamic client registration (RFC 7591). Everybody may register, and it grants nothing. People see a client's
 * description as unchecked, and a client gets only the rights that a person allowed.
 */
import { randomBytes } from 'node:crypto'
import { makeAuditStatement } from '../audit/log-store.ts'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import { AppError } from '../errors.ts'
import { stripLoopbackPort } from '../http/loopback.ts'
import type { Parts } from '../parts.ts'
import { findLabelFault } from '../plain-label.ts'
import { findScope } from '../request-scope.ts'
import { describeKind } from '../shape.ts'
import { unusedClientTtlMs } from './client.ts'
import { dropOldestUnused, findClientByMetadata, insertClient, keepClient } from './client-store.ts'
import { judgeRedirectUri, longestRedirectUri, mostRedirectUris } from './redirect-uri.ts'
import { OAuthError } from './refusal.ts'
import { listSupportedScopes } from './vocabulary.ts'

/**
 * Above this number the oldest unused registrations are deleted (client-store.ts). Real clients use theirs within
 * minutes.
 */
const mostUnused = 10_000
const longestName = 200

/** The requested metadata that counts here; the rest of RFC 7591 is ignored, as it allows. */
interface Metadata {
  readonly name: string | undefined
  readonly redirectUris: readonly string[]
}

/** The answer of RFC 7591 section 3.2.1: what is registered, which may differ from what was asked for. */
export async function register(parts: Parts, body: unknown): Promise<object> {
  const { config } = parts
  if (!config.oauth.registration)
    throw new OAuthError(
      'invalid_request',
      'registration is switched off on this server: ask the operator (oauth.registration)',
    )
  const metadata = readMetadata(body, config.oauth.redirectSchemes)
  const registered = await registerClient(parts, metadata)
  return {
    client_id: registered.id,
    client_id_issued_at: Math.floor(registered.createdAt / 1000),
    ...(metadata.name === undefined ? {} : { client_name: metadata.name }),
    redirect_uris: metadata.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Clients have no secret here, whatever they asked for.
    token_endpoint_auth_method: 'none',
    scope: listSupportedScopes(config.brand).join(' '),
  }
}

async function registerClient(
  { db, now, readLatest }: Parts,
  { name, redirectUris }: Metadata,
): Promise<{ readonly id: string; readonly createdAt: number }> {
  // The same again is the same client: hosts register at each start, on a port that differs.
  const metadataHash = hashSha256Hex(JSON.stringify([name ?? null, redirectUris.map(stripLoopbackPort).sort()]))
  // Not by a clock that stands behind: the client would be forgotten once it is right.
  const at = readLatest()
  const expiresAt = at + unusedClientTtlMs
  const known = await findClientByMetadata(db, metadataHash)
  if (known && (await keepClient(db, known.id, expiresAt))) return known
  const client = {
    id: `c_${randomBytes(16).toString('base64url')}`,
    name: name ?? null,
    redirectUris: JSON.stringify(redirectUris),
    metadataHash,
    createdAt: at,
    expiresAt,
    network: findScope()?.network ?? null,
  }
  await db.write([
    insertClient(client),
    dropOldestUnused(mostUnused, client.id, now()),
    makeAuditStatement('client_registered', { profile: null, at, client: client.id, name: client.name }),
  ])
  const made = await findClientByMetadata(db, metadataHash)
  if (!made)
    throw new AppError('CONFLICT', 'another client registered the same metadata at this moment: register again')
  return made
}

const refuse = (problem: string): never => {
  throw new OAuthError('invalid_client_metadata', problem)
}
const refuseUri = (problem: string): never => {
  throw new OAuthError('invalid_redirect_uri', problem)
}

function readMetadata(body: unknown, schemes: readonly string[]): Metadata {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(`the body must be a JSON object with redirect_uris, and is ${describeKind(body)}`)
  const {
    client_name: name,
    redirect_uris: uris,
    grant_types: grantTypes,
    response_types: responseTypes,
  } = body as Record<string, unknown>
  if (name !== undefined && typeof name !== 'string') return refuse(explainOtherKind('client_name', 'a text', name))
  if (name !== undefined && name.length > longestName)
    return refuse(`client_name has more than ${longestName} characters: choose a shorter name`)
  const fault = name ? findLabelFault(name) : undefined
  if (fault !== undefined) return refuse(`client_name ${fault}`)
  for (const [member, value] of Object.entries({ grant_types: grantTypes, response_types: responseTypes }))
    if (value !== undefined && !isList(value)) return refuse(explainOtherKind(member, 'a list', value))
  if (grantTypes !== undefined && !(isList(grantTypes) && grantTypes.includes('authorization_code')))
    return refuse('grant_types must contain authorization_code')
  if (responseTypes !== undefined && !(isList(responseTypes) && responseTypes.includes('code')))
    return refuse('response_types must contain code')
  return { name: name?.trim() || undefined, redirectUris: readRedirectUris(uris, schemes) }
}

const explainOtherKind = (member: string, kind: string, value: unknown): string =>
  `${member} must be ${kind}, and is ${describeKind(value)}`

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The supported redirect URIs. A dangerous one refuses all of them. */
export function readRedirectUris(uris: unknown, schemes: readonly string[]): string[] {
  if (uris !== undefined && !isList(uris)) return refuseUri(explainOtherKind('redirect_uris', 'a list', uris))
  if (!isList(uris) || uris.length === 0) return refuseUri('redirect_uris must be a list of at least one address')
  if (uris.length > mostRedirectUris) return refuseUri(`redirect_uris has more than ${mostRedirectUris} addresses`)
  const usable = uris.filter((uri, position) => {
    if (typeof uri !== 'string') return refuseUri(explainOtherKind(`redirect_uris[${position}]`, 'a text', uri))
    const usability = judgeRedirectUri(uri, schemes)
    if (usability === 'refused')
      return refuseUri(
        `redirect_uris[${position}] must be an https address, http on 127.0.0.1, [::1] or localhost, or scheme://host of a private scheme (com.example.app:/path for a domain in reverse), without fragment and user name, of at most ${longestRedirectUri} characters`,
      )
    return usability === 'usable'
  })
  if (usable.length === 0)
    return refuseUri(
      'this server accepts none of redirect_uris: the operator allows private schemes in oauth.redirect_schemes',
    )
  return [...new Set(usable as string[])]
}
