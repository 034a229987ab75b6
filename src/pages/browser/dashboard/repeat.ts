/**
 * Repeats a read that failed for a reason that passes: no server answered, or the session was over. Only reads: a change
 * that is sent twice could happen twice.
 */
import { useEffect, useRef } from 'preact/hooks'
import { awaitReturn } from '../server-return.ts'
import { watchSession } from './api.ts'
import { isSessionOver, isUnreachable } from './failure.ts'

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
    return awaitReturn(attempts.current, ask)
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
