/** What other tabs and browsers of the person did meanwhile. */
import { useEffect, useRef } from 'preact/hooks'
import { ProofgateError } from '../../../client/client.ts'
import { watchSession } from './api.ts'

/** Asks again when the person comes back to this tab, and the session still stands. */
export function useFresh(reload: () => Promise<void>): void {
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    let isFirst = true
    return watchSession((state) => {
      // At once it is called with how things are now, which is how the view began.
      if (!isFirst && state === 'here') void latest.current()
      isFirst = false
    })
  }, [])
}

/** What was to be ended is gone already: that is what was wanted. Errors: all others. */
export async function unlessGone<Answer>(change: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof ProofgateError && error.code === 'NOT_FOUND')) throw error
    return undefined
  }
}
