/** What a credential may do: refusals for an access key, a token or a session with too few rights. */
import { AppError } from '../errors.ts'
import type { GrantScope, Identity } from './identity.ts'

/** Errors: FORBIDDEN, when the credential lacks the scope. */
export function requireScope({ scopes, via }: Pick<Identity, 'scopes' | 'via'>, needs: GrantScope): void {
  if (scopes.has(needs)) return
  throw new AppError(
    'FORBIDDEN',
    `this ${via.replace('-', ' ')} lacks the scope "${needs}": use one that has it, or act as the wallet itself, by its signature or in a browser that is signed in`,
    { missingScope: needs },
  )
}

/**
 * Without the scope secrets, which only unrestricted credentials have, nothing may last longer than a year. Errors:
 * FORBIDDEN.
 */
export function requireEnd({ scopes, via }: Identity, what: string, member: string): void {
  if (scopes.has('secrets')) return
  throw new AppError(
    'FORBIDDEN',
    `this ${via.replace('-', ' ')} may not make ${what} without an end within a year: give one in ${member}, use a credential with all scopes, or sign the request with the wallet`,
    { missingScope: 'secrets', path: `/${member.replaceAll('.', '/')}` },
  )
}
