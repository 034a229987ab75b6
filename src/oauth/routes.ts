/**
 * The authorization server: /oauth, /api/v1/auth/mcp and its well-known documents. This folder owns clients, what people
 * allow them, and the tokens that follow from it; who a person is, is sessions/.
 *
 * These routes are not in the description of our API: RFC 6749, 7009, 7591, 7636, 8414 and 8707 describe them.
 */
import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { AccessTokens } from './access-token.ts'
import { isMetadataSuffix, jwksPath, metadataPath, serverMetadata } from './metadata.ts'
import { metadataMaxAgeSeconds } from './vocabulary.ts'

const hidden = { detail: { hide: true } }

export function oauthRoutes(parts: Parts, tokens: AccessTokens) {
  const routes = new Elysia({ name: 'oauth' })
  // What it issues is for the MCP endpoint.
  if (!parts.config.mcp.enabled) return routes
  const kept = { 'cache-control': `public, max-age=${metadataMaxAgeSeconds}` }

  return routes
    .get(
      metadataPath,
      ({ set }) => {
        Object.assign(set.headers, kept)
        return serverMetadata(parts)
      },
      hidden,
    )
    .get(
      `${metadataPath}/*`,
      ({ params, set }) => {
        if (!isMetadataSuffix(params['*'], parts.addresses()))
          throw new AppError('NOT_FOUND', 'there is no authorization server of this name here')
        Object.assign(set.headers, kept)
        return serverMetadata(parts)
      },
      hidden,
    )
    .get(
      jwksPath,
      async ({ set }) => {
        Object.assign(set.headers, kept)
        return { keys: await tokens.keys.published() }
      },
      hidden,
    )
}
