/** The first steps of a person here: which are done, as the API and this browser know. */
import { useEffect, useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { session } from '../model.ts'

export type Step = 'proof' | 'gate' | 'share' | 'connect' | 'backup'

export interface FirstSteps {
  readonly steps: readonly { readonly step: Step; readonly isDone: boolean }[]
  /** Of what the API does not know, and of the whole list. */
  mark(what: Mark): void
}

type Mark = 'shared' | 'backup' | 'ended'

const key = `proofgate.first-steps.${session.did}`

function readMarks(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

/** Without storage in this browser, the mark holds until the page is left. */
export function keepMark(mark: Mark): void {
  try {
    localStorage.setItem(key, JSON.stringify([...new Set([...readMarks(), mark])]))
  } catch {
    // The list is a help, and may come again.
  }
}

type Gates = { readonly data: { readonly gates: readonly { readonly passes: number }[] } }
type Keys = { readonly data: { readonly keys: readonly { readonly revokedAt: number | null }[] } }
type Apps = { readonly data: { readonly apps: readonly unknown[] } }

/** Undefined while it is not known, and when there is nothing left to do. `hasProof` is undefined until it is known. */
export function useFirstSteps(hasProof: boolean | undefined): FirstSteps | undefined {
  const [marks, setMarks] = useState(readMarks)
  const isWanted = hasProof !== undefined && !marks.includes('ended')
  const gates = useLoad<Gates>(isWanted ? '/api/v1/profile/gates' : undefined).data?.data.gates
  const keys = useLoad<Keys>(isWanted ? '/api/v1/auth/profile-keys' : undefined).data?.data.keys
  const apps = useLoad<Apps>(isWanted ? '/api/v1/auth/apps' : undefined).data?.data.apps
  const mark = (what: Mark): void => {
    keepMark(what)
    setMarks((before) => [...before, what])
  }
  const isKnown = isWanted && gates !== undefined && keys !== undefined && apps !== undefined
  const steps = isKnown
    ? [
        { step: 'proof' as const, isDone: hasProof },
        { step: 'gate' as const, isDone: gates.length > 0 },
        { step: 'share' as const, isDone: marks.includes('shared') || gates.some(({ passes }) => passes > 0) },
        { step: 'connect' as const, isDone: apps.length > 0 || keys.some(({ revokedAt }) => revokedAt === null) },
        ...(session.isOperator ? [{ step: 'backup' as const, isDone: marks.includes('backup') }] : []),
      ]
    : []
  const isOver = isKnown && steps.every(({ isDone }) => isDone)
  useEffect(() => {
    if (isOver) mark('ended')
  }, [isOver])
  return isKnown && !isOver ? { steps, mark } : undefined
}
