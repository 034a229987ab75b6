/**
 * The outcome of a claim that did not become a proof. Three answers must never look alike: the check failed, the lookup
 * was impossible, or the request is invalid.
 */
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { chooseWords, refusalSentences } from '../refusal-words.ts'
import { isSessionOver, NoAnswer, Refusal } from './json-api.ts'

import { type Explanation, renderExplanation } from './wallet-error.ts'
import { explainError } from './words.ts'

export interface Outcome {
  readonly node: Node
  readonly kind: 'danger' | 'warning' | 'info'
}

/** Advice by the verifier's failure reason. Other reasons need none beyond their own message. */
const help: Readonly<Record<string, string>> = {
  NO_SUCH_NAME: 'Set the record as the form shows it, wait some minutes, then check again.',
  NO_TXT_RECORD: 'Set the record as the form shows it, wait some minutes, then check again.',
  DNAME_IN_THE_WAY: 'Set the record at the name that the message gives, wait some minutes, then check again.',
  CNAME_IN_THE_WAY: 'Remove the CNAME, set the record as the form shows it, wait some minutes, then check again.',
  WALLET_NOT_LISTED: 'Compare the record with the one that the form shows, letter by letter.',
  NOT_TOKEN_OWNER: 'Is it in another wallet of yours? Use that one.',
  BALANCE_TOO_LOW: 'Is it in another wallet of yours? Use that one, or ask for less.',
  LINK_SIGNATURE_EXPIRED: 'Sign with the second wallet once more.',
  WALLET_SANCTIONED: 'Nothing that you do here changes that. Use another wallet.',
}

/** Words for reasons whose messages name members of the request. */
const whyNot: Readonly<Record<string, string>> = {
  OWNER_MISMATCH: 'The form names another wallet than the one that makes the proof.',
  WALLET_MISMATCH: 'The form names another wallet than the one that makes the proof.',
  PRIMARY_MISMATCH: 'The form names another wallet than the one that makes the proof.',
  LINK_SIGNATURE_EXPIRED: 'The second wallet signed too long ago.',
  CONTENT_HASH_MISMATCH: 'The text is not the one that was named.',
}

export function makeOutcome(error: unknown, wallet: string, again: () => void): Outcome {
  if (error instanceof NoAnswer)
    return makeUnreachable('This server did not answer. Check the connection, then try again.', again)
  if (isSessionOver(error))
    return {
      kind: 'info',
      node: makeElement(
        'p',
        {},
        'You are not signed in any more, and nothing was stored. Choose “Use another wallet” above and go on with the wallet itself, or reload this page and sign in.',
      ),
    }
  if (!(error instanceof Refusal)) return makePlain(explainError(error, wallet))
  const { code, message, details, retryAfterSeconds } = error
  if (code === 'VERIFICATION_FAILED') return makeRefusal(message, details, again)
  if (code === 'VERIFIER_UNAVAILABLE' && error.reason !== 'NO_CHAIN')
    return makeUnreachable(
      `It could not be looked up just now, because a source outside of this server did not answer as it should. ${writeWaiting(retryAfterSeconds)}`,
      again,
    )
  if (code === 'SERVICE_UNAVAILABLE' || code === 'STORAGE_FULL')
    return makeUnreachable(`${chooseWords(message, refusalSentences[code])} ${writeWaiting(retryAfterSeconds)}`, again)
  return makePlain(explainError(error, wallet))
}

const writeWaiting = (seconds: number | undefined): string =>
  seconds === undefined ? 'Try again in a moment.' : `Try again in ${seconds} seconds.`

function makeRefusal(message: string, details: Readonly<Record<string, unknown>>, again: () => void): Outcome {
  const refusals = (Array.isArray(details.verifiers) ? details.verifiers : [{ message }]) as readonly {
    readonly reason?: string
    readonly message?: string
  }[]
  return {
    kind: 'warning',
    node: makeElement(
      'div',
      {},
      makeElement('p', {}, makeElement('strong', {}, 'The check says no. '), 'No proof was made.'),
      ...refusals.map(({ message: why = '', reason = '' }) =>
        makeElement(
          'div',
          {},
          makeElement('p', {}, chooseWords(why, whyNot[reason] ?? refusalSentences.VERIFICATION_FAILED)),
          help[reason] !== undefined && makeElement('p', {}, help[reason]),
        ),
      ),
      renderButton('Check again', again, 'secondary'),
    ),
  }
}

const makeUnreachable = (text: string, again: () => void): Outcome => ({
  kind: 'info',
  node: makeElement(
    'div',
    {},
    makeElement(
      'p',
      {},
      makeElement('strong', {}, 'Nobody could look. '),
      'That is not a no: nothing was decided and nothing was stored.',
    ),
    makeElement('p', {}, text),
    renderButton('Try again', again, 'secondary'),
  ),
})

const makePlain = (explanation: Explanation): Outcome => ({ kind: 'danger', node: renderExplanation(explanation) })
