/** What each button that copies does, and says to people and to screen readers for a moment. */
import { useEffect, useState } from 'preact/hooks'
import { dashboard as words } from '../../words/en/dashboard.ts'
import { saidForMs } from '../copy-text.ts'

interface Copying {
  /** Empty when there is nothing to say. */
  readonly said: string
  copy(): Promise<void>
}

/** `onFail` shows the whole text, to be copied by hand. */
export function useCopying(text: string, onFail?: () => void): Copying {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (said === '') return
    const settling = setTimeout(() => setSaid(''), saidForMs)
    return () => clearTimeout(settling)
  }, [said])
  return {
    said,
    async copy() {
      try {
        await navigator.clipboard.writeText(text)
        setSaid(words.copied)
      } catch {
        // Without TLS there is no clipboard, except on loopback.
        setSaid(words.copyByHand)
        onFail?.()
      }
    },
  }
}
