/**
 * Waits for a server that did not answer, and repeats reads until it does. Only reads: a change that is sent twice could
 * happen twice.
 */
import { serverReturn as words } from '../words/en/errors.ts'
import type { Attempts } from './attempt.ts'
import { NoAnswer, Refusal } from './json-api.ts'

const firstPauseMs = 2000
const longestPauseMs = 30_000

/** Browsers that lost the same server do not all come back at the same moment. */
const choosePause = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** attempts) * (0.8 + 0.4 * Math.random())

/**
 * Calls back after a pause that grows with the attempts, and whenever the browser is online again or the page is looked
 * at again. Returns the function that ends the waiting.
 */
export function awaitReturn(attempts: number, ask: () => void): () => void {
  const look = (): void => {
    if (document.visibilityState === 'visible') ask()
  }
  const timer = setTimeout(ask, choosePause(attempts))
  addEventListener('online', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    removeEventListener('online', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/** A proxy in front of the server answers with its own page. */
const isAway = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof Refusal && /^50[234]$/.test(error.code))

/** The status of the page says that it waits. Errors: those of the read, and of one that is not wanted any more. */
export async function repeatRead<T>(attempts: Attempts, isWanted: () => boolean, read: () => Promise<T>): Promise<T> {
  for (let times = 0; ; times++) {
    try {
      return await read()
    } catch (error) {
      if (!isAway(error) || !isWanted()) throw error
      attempts.say(words.away)
      await new Promise<void>((resolve) => {
        const stop = awaitReturn(times, () => {
          stop()
          resolve()
        })
      })
      if (!isWanted()) throw error
    }
  }
}
