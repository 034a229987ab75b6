/** The proofs of a request in the shape that a provider has published. */
import type { Static, TSchema } from '@sinclair/typebox'
import { nameMember } from '../../member-name.ts'
import { compileCheck, explainExpectation } from '../../shape.ts'
import { UnanswerableError } from '../failure.ts'

/** One proof of this shape, and no other. Otherwise the caller must change the request. */
export function makeOneProofCheck<Shape extends TSchema>(
  shape: Shape,
  what: string,
): (proofs: readonly unknown[]) => Static<Shape> {
  const check = compileCheck(shape)
  return (proofs) => {
    const [proof, ...others] = proofs
    if (others.length > 0)
      throw new UnanswerableError('MALFORMED_PROOF', `data.proofs holds ${proofs.length} entries: send ${what} alone`)
    if (check.Check(proof)) return proof
    const fault = check.Errors(proof).First()
    throw new UnanswerableError(
      'MALFORMED_PROOF',
      `data.proofs[0] is not ${what}: ${nameMember(fault?.path ?? '', 'data.proofs[0]')} ${explainExpectation(fault)}`,
    )
  }
}
