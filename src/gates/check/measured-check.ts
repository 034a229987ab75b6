/** A gate check requested of this server: measured, for the operator's metrics. */
import type { Parts } from '../../parts.ts'
import { type Asker, type CheckAnswer, type CheckOptions, check } from './check.ts'
import type { CheckRequest } from './request.ts'

/** Errors: those of check. */
export async function runMeasuredCheck(
  parts: Parts,
  request: CheckRequest,
  caller: Asker | undefined,
  options?: CheckOptions,
): Promise<CheckAnswer> {
  const answer = await check(parts, request, caller, options)
  if (answer.gate)
    parts.metrics.count(answer.gate.allRequiredSatisfied ? 'gate_passes' : 'gate_refusals', [answer.gate.gateId])
  return answer
}
