/**
 * The outcome of a claim that did not become a proof. Three answers must never look alike: the check failed, the lookup
 * was impossible, or the request is invalid.
 */
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { chooseWords } from '../refusal-words.ts'
import { errors, failureAdvice, failureReasons, refusals, outcome as words } from '../words/en/errors.ts'
import { isSessionOver, NoAnswer, Refusal } from './json-api.ts'
import { type Explanation, renderExplanation } from './wallet-error.ts'
import { explainError } from './words.ts'

export interface Outcome {
  readonly node: Node
  readonly kind: 'danger' | 'warning' | 'info'
}

/** `renderOver` says that the session ended. */
export function makeOutcome(error: unknown, wallet: string, again: () => void, renderOver: () => HTMLElement): Outcome {
  if (error instanceof NoAnswer)
    return error.mayHaveHappened ? makeUnsure(again) : makeUnreachable(errors.noAnswer, again)
  if (isSessionOver(error)) return { kind: 'info', node: renderOver() }
  if (!(error instanceof Refusal)) return makePlain(explainError(error, wallet))
  const { code, message, details, retryAfterSeconds } = error
  if (code === 'VERIFICATION_FAILED') return makeRefusal(message, details, again)
  if (code === 'VERIFIER_UNAVAILABLE' && error.reason !== 'NO_CHAIN')
    return makeUnreachable(`${words.lookUpFailed} ${writeWaiting(retryAfterSeconds)}`, again)
  if (code === 'SERVICE_UNAVAILABLE' || code === 'STORAGE_FULL')
    return makeUnreachable(`${chooseWords(message, refusals[code])} ${writeWaiting(retryAfterSeconds)}`, again)
  return makePlain(explainError(error, wallet))
}

const writeWaiting = (seconds: number | undefined): string =>
  seconds === undefined ? words.soon : words.inSeconds(seconds)

function makeRefusal(message: string, details: Readonly<Record<string, unknown>>, again: () => void): Outcome {
  const checks = (Array.isArray(details.verifiers) ? details.verifiers : [{ message }]) as readonly {
    readonly reason?: string
    readonly message?: string
  }[]
  return {
    kind: 'warning',
    node: makeElement(
      'div',
      {},
      makeElement('p', {}, makeElement('strong', {}, words.refused), ` ${words.noProof}`),
      ...checks.map(({ message: why = '', reason = '' }) =>
        makeElement(
          'div',
          {},
          makeElement('p', {}, chooseWords(why, failureReasons[reason] ?? refusals.VERIFICATION_FAILED)),
          failureAdvice[reason] !== undefined && makeElement('p', {}, failureAdvice[reason]),
        ),
      ),
      renderButton(words.checkAgain, again, 'secondary'),
    ),
  }
}

const makeUnreachable = (text: string, again: () => void): Outcome => ({
  kind: 'info',
  node: makeElement(
    'div',
    {},
    makeElement('p', {}, makeElement('strong', {}, words.unreached), ` ${words.undecided}`),
    makeElement('p', {}, text),
    renderButton(words.tryAgain, again, 'secondary'),
  ),
})

const makeUnsure = (again: () => void): Outcome => ({
  kind: 'warning',
  node: makeElement(
    'div',
    {},
    makeElement('p', {}, makeElement('strong', {}, words.unsure)),
    makeElement('p', {}, words.onceOnly),
    renderButton(words.tryAgain, again, 'secondary'),
  ),
})

const makePlain = (explanation: Explanation): Outcome => ({ kind: 'danger', node: renderExplanation(explanation) })
