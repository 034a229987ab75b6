/**
 * The retry policy of an endpoint: the number of attempts, a circuit breaker, and the pause that the endpoint
 * requested. One value for each endpoint.
 *
 * It repeats only calls without an answer. A 4xx would be the same the second time. The breaker counts its ten seconds
 * by the system clock: setting that back while the breaker is open extends them.
 */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
} from 'cockatiel'
import { OutsideError } from '../failure.ts'
import type { Restraint } from '../watch.ts'

export interface RetryLimits {
  /** For one call. */
  readonly timeoutMs: number
  /** Calls, the first one included. */
  readonly attempts: number
}

export interface RetryPolicy extends Restraint {
  /**
   * Makes a call, and repeats it where that helps. `call` gets its time limit. Its OutsideErrors `timeout` and
   * `unreachable` mean that no answer came. Errors: those of the last call, and `unreachable` without a call while the
   * breaker is open. `attempts` is 1 for calls that must not be repeated.
   */
  call<Answer>(call: (timeoutMs: number) => Promise<Answer>, attempts?: number): Promise<Answer>
  /** The other side wants no calls for this time. Until then `call` fails at once, with `rate-limited`. */
  choosePause(seconds: number): void
}

const opensAfterFailures = 5
const staysOpenMs = 10_000
/** The caller learns of a failure before its own time limit ends (25 seconds, verification/judge.ts). */
const repeatsEndAfterMs = 15_000

const isAbsence = (error: Error): boolean =>
  error instanceof OutsideError && (error.fault === 'timeout' || error.fault === 'unreachable')

export function makeRetryPolicy(setting: string, limits: RetryLimits): RetryPolicy {
  const { timeoutMs } = limits
  const breaker = circuitBreaker(handleWhen(isAbsence), {
    halfOpenAfter: staysOpenMs,
    breaker: new ConsecutiveBreaker(opensAfterFailures),
  })
  const backoff = new ExponentialBackoff({ initialDelay: 100, maxDelay: 1000 })
  let pausedUntil = 0
  let openUntilMs = 0
  breaker.onBreak(() => {
    openUntilMs = performance.now() + staysOpenMs
  })

  function requireNoPause(): void {
    const leftSeconds = Math.ceil((pausedUntil - performance.now()) / 1000)
    if (leftSeconds > 0)
      throw new OutsideError(
        'rate-limited',
        setting,
        `asked to be left alone, and is called again in ${leftSeconds} s`,
        'raise the limit of the account, or add another source',
        leftSeconds,
      )
  }

  return {
    async call(call, attempts = limits.attempts) {
      const startedAt = performance.now()
      const countLeftMs = (): number => repeatsEndAfterMs - (performance.now() - startedAt)
      const again = retry(
        handleWhen((error) => isAbsence(error) && countLeftMs() > 0),
        { maxAttempts: attempts - 1, backoff },
      )
      try {
        return await again.execute(({ attempt }) => {
          requireNoPause()
          const endsAt = performance.now() + (attempt === 0 ? timeoutMs : Math.min(timeoutMs, countLeftMs()))
          // While one call tests whether the endpoint is back, the breaker lets the others wait for it.
          return breaker.execute(() => call(Math.max(1, Math.round(endsAt - performance.now()))))
        })
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error
        const leftSeconds = Math.max(1, Math.ceil((openUntilMs - performance.now()) / 1000))
        throw new OutsideError(
          'unreachable',
          setting,
          `failed ${opensAfterFailures} times in a row and is left alone for ${leftSeconds} s more`,
          'see whether the address is right and the service runs',
          leftSeconds,
        )
      }
    },
    circuit: () =>
      breaker.state === CircuitState.Closed ? 'closed' : breaker.state === CircuitState.Open ? 'open' : 'half-open',
    pausedForMs: () => Math.max(0, pausedUntil - performance.now()),
    choosePause(seconds) {
      pausedUntil = Math.max(pausedUntil, performance.now() + seconds * 1000)
    },
  }
}
