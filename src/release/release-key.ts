/**
 * The public key of this project's releases, in the line of a minisign public key. It is part of the executable, so that
 * an executable accepts only successors of the same origin.
 *
 * Undefined in a build from these sources: whoever publishes builds writes the own key here, and keeps the secret one off
 * the machine that serves the files. `updates.public_key` of the configuration takes its place.
 */
import type { PublicKey } from './minisign-text.ts'
import { parsePublicKey } from './minisign-text.ts'
import { ReleaseError } from './release-list.ts'

export const releaseKey: string | undefined = undefined

/** Errors: ReleaseError, MinisignError. */
export function requireReleaseKey(configured: string | undefined, builtIn = releaseKey): PublicKey {
  const line = configured ?? builtIn
  if (line === undefined)
    throw new ReleaseError(
      'this executable was built without a key of releases: set updates.public_key to the minisign public key of whoever publishes them',
    )
  return parsePublicKey(line)
}
