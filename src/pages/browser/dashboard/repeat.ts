/**
 * Repeats a read that failed for a reason that passes: no server answered, or the session was over. Only reads: a change
 * that is sent twice could happen twice.
 */
import { useEffect, useRef } from 'preact/hooks'
import { watchSession } from './api.ts'
import { isSessionOver, isUnreachable } from './failure.ts'

const firstPauseMs = 2000
const longestPauseMs = 30_000

/** Browsers that lost the same server do not all come back at the same moment. */
const choosePause = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** attempts) * (0.8 + 0.4 * Math.random())

interface Read {
  /** Of the last attempt; undefined after one that succeeded. */
  readonly error: unknown
  /** An attempt is under way. */
  readonly isBusy?: boolean
  again(): void
}

export function useRepeat({ error, isBusy = false, again }: Read): void {
  const attempts = useRef(0)
  const latest = useRef(again)
  latest.current = again

  useEffect(() => {
    if (isBusy) return
    if (!isUnreachable(error)) {
      attempts.current = 0
      return
    }
    const ask = (): void => {
      attempts.current++
      latest.current()
    }
    const look = (): void => {
      if (document.visibilityState === 'visible') ask()
    }
    const timer = setTimeout(ask, choosePause(attempts.current))
    addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [error, isBusy])

  const isOver = isSessionOver(error)
  useEffect(() => {
    if (!isOver) return
    let isFirst = true
    return watchSession((session) => {
      // The first call reports the state at the moment.
      if (!isFirst && session === 'here') latest.current()
      isFirst = false
    })
  }, [isOver])
}
