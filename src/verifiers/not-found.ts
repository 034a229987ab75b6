/** The refusal of verifiers that a server does not offer. */
import { AppError } from '../errors.ts'
import type { Catalog } from './index.ts'

interface More {
  /** The place of the id in the request. */
  readonly path?: string
  /** A known id that resembles it. */
  readonly nearest?: string | undefined
}

/** Says of each id why it is absent, and the remedy. Makes VERIFIER_NOT_FOUND. */
export function makeVerifierNotFound(
  ids: readonly [string, ...string[]],
  { absence }: Pick<Catalog, 'absence'>,
  { path, nearest }: More = {},
): AppError {
  const reasons = ids.map(absence).join('. ')
  return new AppError('VERIFIER_NOT_FOUND', `${reasons}${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`, {
    ...(path === undefined ? {} : { path }),
    verifierId: ids[0],
  })
}
