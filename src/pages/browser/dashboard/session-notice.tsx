/** Says that the session is over, without taking away what was being written. */
import { useEffect, useState } from 'preact/hooks'
import { sessionNotice as words } from '../../words/en/dashboard.ts'
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
      <p>{state === 'gone' ? words.gone : words.somebodyElse}</p>
      <p>
        <a href={new URL('login?switch=1', root).href} target="_blank" rel="noreferrer">
          {words.signIn}
        </a>
        {words.comeBack}
      </p>
    </div>
  )
}
