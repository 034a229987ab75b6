/** Maps the ids and the data of a request to its verifiers, each with its own part of the data. */
import { AppError } from '../errors.ts'
import { nameMember } from '../member-name.ts'
import { compileCheck, explainExpectation, explainMissing, takeFirstFaults } from '../shape.ts'
import { stripVersion } from '../verifiers/id.ts'
import type { Catalog } from '../verifiers/index.ts'
import { makeVerifierNotFound } from '../verifiers/not-found.ts'
import type { Verifier } from '../verifiers/verifier.ts'
import type { SignedRequest } from './request.ts'

export interface AskedClaim {
  readonly verifier: Verifier
  readonly data: Record<string, unknown>
}

/**
 * Errors: VERIFIER_NOT_FOUND, INVALID_VERIFIER_COMBINATION, INVALID_VERIFIER_FLOW_COMBINATION, INVALID_VERIFIER_DATA,
 * FORBIDDEN. Runs no verifier.
 */
export function listClaims(request: SignedRequest, catalog: Catalog, hasIdentity: boolean): AskedClaim[] {
  const ids = request.verifierIds.map(stripVersion)
  const verifiers = ids.map((id) => requireVerifier(id, catalog, hasIdentity))
  if (verifiers.length > 1) requireCombinable(verifiers)

  const data = request.data as Record<string, unknown>
  const isNamespaced = ids.some((id) => isObject(data[id])) || (ids.length > 1 && Object.keys(data).length === 0)
  return verifiers.map((verifier) => {
    const own = isNamespaced ? data[verifier.id] : data
    if (!isObject(own))
      throw new AppError(
        'INVALID_VERIFIER_DATA',
        `data holds no object "${verifier.id}": with data under verifier ids, each id needs its own`,
        {
          verifierId: verifier.id,
          path: `/${verifier.id}`,
        },
      )
    requireShape(verifier, own, isNamespaced ? `data.${verifier.id}` : 'data', ids.length > 1 && !isNamespaced)
    return { verifier, data: own }
  })
}

function requireVerifier(id: string, catalog: Catalog, hasIdentity: boolean): Verifier {
  const verifier = catalog.enabled.get(id)
  if (!verifier) throw makeVerifierNotFound([id.slice(0, 80)], catalog)
  if (catalog.accessLevel(id) === 'key' && !hasIdentity)
    throw new AppError(
      'FORBIDDEN',
      `"${id}" is for people who are signed in and for access keys here (verifiers.access): sign in, or send Authorization: Bearer npk_…`,
      { verifierId: id },
    )
  return verifier
}

/** An interactive verifier needs the person to be present, so it cannot share a request. */
function requireCombinable(verifiers: readonly Verifier[]): void {
  if (new Set(verifiers).size !== verifiers.length)
    throw new AppError('INVALID_VERIFIER_COMBINATION', 'verifierIds names a verifier twice: name each one once')
  const interactive = verifiers.find(({ flow }) => flow === 'interactive')
  if (interactive)
    throw new AppError(
      'INVALID_VERIFIER_FLOW_COMBINATION',
      `"${interactive.id}" must be asked for alone: split the request`,
      {
        verifierId: interactive.id,
      },
    )
}

/** `place` is the position of the data in the request, as people write it. `isShared`: it is for several verifiers. */
function requireShape(verifier: Verifier, data: Record<string, unknown>, place: string, isShared: boolean): void {
  const check = compileCheck(verifier.data)
  if (check.Check(data)) return
  const [fault, ...alsoMissing] = takeFirstFaults(check.Errors(data))
  const told =
    fault && alsoMissing.length > 0
      ? explainMissing([fault, ...alsoMissing], place)
      : `${nameMember(fault?.path ?? '', place)}: ${explainExpectation(fault)}`
  throw new AppError(
    'INVALID_VERIFIER_DATA',
    `${told}.${isShared ? ` With several verifiers, the data of each may stand under its id: data["${verifier.id}"].` : ''} GET /api/v1/verification/verifiers shows the whole schema of ${verifier.id}`,
    { verifierId: verifier.id, path: fault?.path || '/' },
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
