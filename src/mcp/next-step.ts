import type { AppError } from '../errors.ts'
import { chainNotConfigured } from '../verifiers/assets/refuse.ts'
import type { Catalog } from '../verifiers/index.ts'
import { askOperator, listOperatorSteps } from './not-offered.ts'
import type { ToolRefusal } from './tool-refusal.ts'

/** The next step after a refusal of the JSON API: one that can work, or else the person to tell. */
export function chooseNextStep(refusal: AppError, catalog: Catalog, catalogTool: string): ToolRefusal['next'] {
  const { retryable, type } = refusal.kind
  if (refusal.code === 'INTERNAL_ERROR')
    return { action: 'stop', steps: ['Tell the person that the server had a fault. Trying once more is fine.'] }
  if (retryable) {
    const seconds = refusal.headers['retry-after']
    return {
      action: 'retry_later',
      steps: [`Try the same call again${seconds ? ` in ${seconds} seconds` : ' later'}.`],
    }
  }
  if (refusal.code === 'VERIFIER_NOT_FOUND') {
    const { verifierId } = refusal.details
    return typeof verifierId === 'string' && catalog.known.has(verifierId)
      ? { action: askOperator, steps: listOperatorSteps([refusal.message]) }
      : {
          action: 'fix_arguments_then_retry',
          steps: [`There is no such verifier: ${catalogTool} lists those there are.`],
        }
  }
  if (refusal.details.reason === chainNotConfigured)
    return { action: askOperator, steps: listOperatorSteps([refusal.message]) }
  if (refusal.code === 'GATE_NOT_FOUND')
    return {
      action: 'ask_the_person',
      steps: [
        'Ask the person where the gate is from: it may be one of another server, and this one cannot check those.',
      ],
    }
  const steps: Readonly<Partial<Record<typeof type, string>>> = {
    auth: 'The wallet must sign: do what the message says, and tell the person what it is for.',
    forbidden: 'This is not allowed for the person who is signed in. Do not try to get around it; tell the person.',
    not_found: 'Check the identifier with the person; do not guess another one.',
    conflict: 'Look at the present state first, then decide with the person.',
    payment: 'Ask the person to pay, or to choose something else.',
    verification: 'The claim does not hold as it stands. Tell the person why, and what would have to change.',
  }
  return {
    action: type === 'auth' ? 'sign_then_retry' : type === 'validation' ? 'fix_arguments_then_retry' : 'ask_the_person',
    steps: [steps[type] ?? 'Change the argument that the message names, and call again.'],
  }
}
