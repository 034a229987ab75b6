/** Validates a gate while it is written: asks the server after the last change, and drops outdated answers. */
import { useEffect, useState } from 'preact/hooks'
import { callApi } from '../api.ts'
import { isSessionOver } from '../failure.ts'
import { useRepeat } from '../repeat.ts'
import type { Definition, Finding } from './definition.ts'
import { writeFinding } from './finding-words.ts'

export interface ChangedLine {
  readonly change: 'added' | 'removed' | 'changed'
  readonly path: string
  readonly before?: string
  readonly after?: string
}

export interface PreviewedGate {
  readonly gateId: string
  /** Absent for an unfinished definition. */
  readonly definition?: Definition
  readonly status: string
  readonly lines: readonly { readonly path: string; readonly text: string }[]
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'impossible'
  readonly currentVersion: number
  readonly difference: readonly ChangedLine[]
}

export interface PreviewData {
  readonly publishable: boolean
  readonly findings: readonly Finding[]
  readonly gates: readonly PreviewedGate[]
  /** The number of gates in a file that were checked but are not listed. */
  readonly untold: number
}

interface Answer {
  readonly data: PreviewData
}

export const askPreview = async (body: object, signal?: AbortSignal): Promise<PreviewData> =>
  (
    await callApi<Answer>('POST', `/api/v1/profile/gates/preview?language=${document.documentElement.lang}`, {
      body,
      ...(signal ? { signal } : {}),
    })
  ).data

export interface Preview {
  readonly data: PreviewData | undefined
  /** The last valid gate, which may be a few keystrokes old. */
  readonly gate: PreviewedGate | undefined
  /** Whether the answer belongs to the current definition. */
  readonly isCurrent: boolean
  /** The error of the request. */
  readonly error: unknown
  again(): void
}

const settleMs = 300

/** Another version makes it ask about the same definition again. */
export function usePreview(definition: Definition | undefined, version = 0): Preview {
  const [state, setState] = useState<Omit<Preview, 'again'>>(nothingYet)
  const [turn, setTurn] = useState(0)
  const text = definition && JSON.stringify(definition)
  useEffect(() => {
    if (text === undefined) return
    const controller = new AbortController()
    setState((before) => ({ ...before, isCurrent: false, error: undefined }))
    const ask = async () => {
      try {
        const data = await askPreview({ definition: JSON.parse(text) }, controller.signal)
        if (controller.signal.aborted) return
        setState((before) => ({ data, gate: data.gates[0] ?? before.gate, isCurrent: true, error: undefined }))
      } catch (error) {
        // The shown preview belongs to an earlier text, so publishing stays disabled.
        if (!controller.signal.aborted) setState((before) => ({ ...before, error }))
      }
    }
    const settling = setTimeout(ask, settleMs)
    return () => {
      clearTimeout(settling)
      controller.abort()
    }
  }, [text, version, turn])
  const again = (): void => setTurn((before) => before + 1)
  // Without an answer the person asks again: only what is sent as a read is repeated.
  useRepeat({ error: isSessionOver(state.error) ? state.error : undefined, again })
  return { ...state, again }
}

const nothingYet = { data: undefined, gate: undefined, isCurrent: false, error: undefined }

/** The fault of a field, as a sentence under it. */
export function findFault(findings: readonly Finding[], path: string): string | undefined {
  const found = findings.find((one) => one.path === path)
  return found && writeFinding(found)
}
