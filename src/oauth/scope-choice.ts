/** The scopes that a person may tick on the consent page, and the ones that the answered form grants. */
import type { GrantScope } from '../auth/identity.ts'
import type { AuthorizationRequest } from './authorize.ts'
import { OAuthError } from './refusal.ts'
import { offlineAccess, readGrantScopes, writeScopeWord } from './vocabulary.ts'

export interface Choice {
  readonly scope: GrantScope
  /** As on the wire. */
  readonly word: string
  /** Whether the page shows it ticked at first. */
  readonly isTicked: boolean
}

/** A client that names no scope gets these only from a person who ticks them. */
const opensSecrets: ReadonlySet<GrantScope> = new Set(['secrets'])

type Asked = Pick<AuthorizationRequest, 'scope' | 'isScopeNamed'>

export const listChoices = ({ scope, isScopeNamed }: Asked, brand: string): Choice[] =>
  readGrantScopes(scope, brand).map((one) => ({
    scope: one,
    word: writeScopeWord(brand, one),
    isTicked: isScopeNamed === true || !opensSecrets.has(one),
  }))

/**
 * The granted scope, as on the wire; undefined when nothing is ticked. `offline_access` is no choice: it is granted where
 * it was asked for. Errors: OAuthError invalid_scope for a form with a scope that was not shown.
 */
export function readChosenScope(fields: URLSearchParams, { scope }: Pick<Asked, 'scope'>): string | undefined {
  const asked = scope.split(' ')
  const ticked = new Set(fields.getAll('scope').flatMap((value) => value.split(' ').filter((word) => word !== '')))
  for (const word of ticked)
    if (!asked.includes(word))
      throw new OAuthError('invalid_scope', 'the form holds a permission that was not asked for: answer the page again')
  const granted = asked.filter((word) => word === offlineAccess || ticked.has(word))
  const hasChoice = asked.some((word) => word !== offlineAccess)
  return hasChoice && granted.every((word) => word === offlineAccess) ? undefined : granted.join(' ')
}
