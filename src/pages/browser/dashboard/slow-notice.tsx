/** Says that the server takes long for a change, and lets the person stop waiting. */
import { useEffect, useState } from 'preact/hooks'
import { slowness as words } from '../../words/en/dashboard.ts'
import type { Slowness } from '../slowness.ts'
import { stopWaiting, watchChanges } from './api.ts'

/** As SessionNotice: one for the page, and one in each window over it. */
export function SlowNotice() {
  const [slowness, setSlowness] = useState<Slowness>('usual')
  useEffect(() => watchChanges(setSlowness), [])
  if (slowness === 'usual') return null
  return (
    <div class="notice info standing" role="status">
      <p>{slowness === 'slow' ? words.slowChange : words.verySlowChange}</p>
      {slowness === 'very slow' && (
        <button type="button" class="link" onClick={stopWaiting}>
          {words.stopWaiting}
        </button>
      )}
    </div>
  )
}
