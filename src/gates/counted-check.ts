/** A gate check that somebody asked this server for: counted, for the operator's numbers. */
import type { Parts } from '../parts.ts'
import { type Asker, type CheckAnswer, check } from './check.ts'
import type { CheckRequest } from './check-request.ts'
import type { Sight } from './find-matches.ts'

/** Errors: those of check. */
export function countedCheck(
  parts: Parts,
  request: CheckRequest,
  caller: Asker | undefined,
  options?: Pick<Sight, 'work'>,
): CheckAnswer {
  const answer = check(parts, request, caller, options)
  if (answer.gate)
    parts.numbers.count(answer.gate.allRequiredSatisfied ? 'gate_passes' : 'gate_refusals', [answer.gate.gateId])
  return answer
}
