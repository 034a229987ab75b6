/** What other tabs and browsers of the person did meanwhile. */
import { useEffect } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'

/** Asks again when the person comes back to this tab. */
export function useFresh(reload: () => Promise<void>): void {
  useEffect(() => {
    const look = () => void reload()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  })
}

/** What was to be ended is gone already: that is what was wanted. Errors: all others. */
export async function unlessGone(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ProofgateError && error.code === 'NOT_FOUND')) throw error
  }
}
