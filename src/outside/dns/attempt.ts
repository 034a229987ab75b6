/** One attempt at one resolver: its time limit, and the wording of its failures. */
import { OutsideError } from '../failure.ts'

export interface Attempt {
  /** Path of the setting of the resolver: `dns.resolvers[0]`. */
  readonly setting: string
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** Counts a packet that is not the answer: a foreign one, or a late one for an earlier question. */
  ignore(): void
}

/** Errors: OutsideError `timeout`, and those of `run`. */
export async function runAttempt<T>(
  setting: string,
  timeoutMs: number,
  run: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let ignored = 0
  let timer: Timer | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new OutsideError(
          'timeout',
          setting,
          `did not answer within ${timeoutMs / 1000} s${ignored > 0 ? ` (packets passed over, because they were not the answer: ${ignored})` : ''}`,
          'see whether the resolver runs and can be reached from here',
        ),
      )
      controller.abort()
    }, timeoutMs)
  })
  const ignore = (): void => {
    ignored += 1
  }
  try {
    return await Promise.race([run({ setting, signal: controller.signal, ignore }), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

export const makeUnreachableError = ({ setting }: Attempt, happened = 'cannot be reached'): OutsideError =>
  new OutsideError('unreachable', setting, happened, 'see whether the resolver runs and can be reached from here')

export const makeMalformedError = ({ setting }: Attempt, happened: string): OutsideError =>
  new OutsideError('malformed', setting, happened, 'see whether the address is that of a DNS resolver')
