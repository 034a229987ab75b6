/** Says that the session is over, without taking away what was being written. */
import { useEffect, useState } from 'preact/hooks'
import { resume, watchSession } from './api.ts'
import { root } from './model.ts'

/** Asks for the session again whenever the person comes back to this tab. */
export function useSessionCheck(): void {
  useEffect(() => {
    // The person may have signed in or out in another tab.
    const look = () => void resume().catch(() => undefined)
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [])
}

/**
 * One for the page, and one in each window over it: there the page behind can be neither read nor used, and hides its
 * own (dashboard.css).
 */
export function SessionNotice() {
  const [state, setState] = useState<'here' | 'gone' | 'somebody else'>('here')
  useEffect(() => watchSession(setState), [])
  if (state === 'here') return null
  return (
    <div class="notice warning standing" role="alert">
      <p>
        {state === 'gone'
          ? 'You are signed out here. What you typed is still on this page.'
          : 'Somebody else is signed in by now, in another tab. This page shows what was yours, and changes nothing.'}
      </p>
      <p>
        <a href={new URL('login?switch=1', root).href} target="_blank" rel="noreferrer">
          Sign in again in a new tab
        </a>
        , then come back to this one.
      </p>
    </div>
  )
}
