/**
 * One resolver and its retry policy: its question, repeats without an answer, and a pause when it is down.
 *
 * A timeout counts as being down only when the resolver does not answer another question either. Otherwise a claim for
 * a domain with hanging name servers would make everybody's claims fail during the pause.
 */
import { OutsideError } from '../failure.ts'
import { makeRetryPolicy, type RetryLimits } from '../http/retry-policy.ts'
import type { Watch } from '../watch.ts'
import { type Attempt, runAttempt } from './attempt.ts'
import type { Answer, Question } from './message.ts'

export interface Resolver {
  /** Path of the setting: `dns.resolvers[0]`. */
  readonly setting: string
  /** Any answer, also an error of the DNS. Errors: OutsideError. */
  ask(question: Question): Promise<Answer>
  /** Whether it answers at all. */
  isThere(): Promise<boolean>
}

/** Asks once, for as long as the attempt lasts. Errors: OutsideError. */
export type Transport = (question: Question, attempt: Attempt) => Promise<Answer>

/** A question without a lookup: a resolver answers or refuses it at once. */
const smallTalk: Question = { name: '.', type: 'NS', withoutRecursion: true }
const smallTalkMs = 1000

export function openResolver(
  setting: string,
  transport: Transport,
  limits: RetryLimits & { readonly watch?: Watch },
): Resolver {
  const retryPolicy = makeRetryPolicy(setting, limits)
  const watched = limits.watch?.over(setting, retryPolicy)
  const askOnce = (question: Question, timeoutMs: number): Promise<Answer> =>
    runAttempt(setting, timeoutMs, (tried) => transport(question, tried))
  const isThere = (): Promise<boolean> =>
    askOnce(smallTalk, Math.min(smallTalkMs, limits.timeoutMs)).then(
      () => true,
      () => false,
    )

  /** A failure that is not the resolver's is returned and not thrown: a thrown error counts as being down. */
  async function answerOrFailure(question: Question, timeoutMs: number): Promise<Answer | OutsideError> {
    try {
      return await askOnce(question, timeoutMs)
    } catch (error) {
      if (isSilence(error) && (await isThere())) return error
      throw error
    }
  }

  async function ask(question: Question): Promise<Answer> {
    try {
      const answer = await retryPolicy.call((timeoutMs) => answerOrFailure(question, timeoutMs))
      if (answer instanceof OutsideError) throw answer
      return answer
    } catch (error) {
      if (error instanceof OutsideError && error.fault === 'rate-limited')
        retryPolicy.choosePause(error.retryAfterSeconds)
      throw error
    }
  }
  return { setting, isThere, ask: (question) => (watched ? watched.around(() => ask(question)) : ask(question)) }
}

export const isSilence = (error: unknown): error is OutsideError =>
  error instanceof OutsideError && (error.fault === 'timeout' || error.fault === 'unreachable')
