/**
 * The public key of this executable's releases, in the line of a minisign public key. The release script builds it in
 * (build/release.ts), so that an executable accepts only successors of the same origin.
 *
 * Undefined in a build without one. `updates.public_key` of the configuration takes its place.
 */
import type { PublicKey } from './minisign-text.ts'
import { parsePublicKey } from './minisign-text.ts'
import { ReleaseError } from './release-list.ts'

/** Put in by the bundler (build/executable.ts). */
declare const BUILT_IN_RELEASE_KEY: string | undefined

const releaseKey = typeof BUILT_IN_RELEASE_KEY === 'undefined' ? undefined : BUILT_IN_RELEASE_KEY

/** Errors: ReleaseError, MinisignError. */
export function requireReleaseKey(configured: string | undefined, builtIn = releaseKey): PublicKey {
  const line = configured ?? builtIn
  if (line === undefined)
    throw new ReleaseError(
      'this executable was built without a key of releases: set updates.public_key to the minisign public key of whoever publishes them',
    )
  return parsePublicKey(line)
}
