/** Notices changes that the person made in other tabs and browsers. */
import { useEffect, useRef } from 'preact/hooks'
import { ProofgateError } from '../../../client/client.ts'
import { watchSession } from './api.ts'

/** Reloads when the person comes back to this tab while the session is valid. */
export function useFresh(reload: () => Promise<void>): void {
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    let isFirst = true
    return watchSession((state) => {
      // The first call reports the current state, which the view has loaded already.
      if (!isFirst && state === 'here') void latest.current()
      isFirst = false
    })
  }, [])
}

/** Treats "not found" as success: the thing to be ended is gone already. All other errors are thrown. */
export async function ignoreGone<Answer>(change: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof ProofgateError && error.code === 'NOT_FOUND')) throw error
    return undefined
  }
}
