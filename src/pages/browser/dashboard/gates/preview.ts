/** What the server says of a gate while it is written: asked a moment after the last change, older answers dropped. */
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api.ts'
import type { Definition, Finding } from './definition.ts'

export interface ChangedLine {
  readonly change: 'added' | 'removed' | 'changed'
  readonly path: string
  readonly before?: string
  readonly after?: string
}

export interface PreviewedGate {
  readonly gateId: string
  /** Not of one that is not finished. */
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
  /** Gates of a file that were checked and are not told. */
  readonly untold: number
}

interface Answer {
  readonly data: PreviewData
}

export const askPreview = async (body: object, signal?: AbortSignal): Promise<PreviewData> =>
  (await api<Answer>('POST', '/api/v1/profile/gates/preview', { body, ...(signal ? { signal } : {}) })).data

export interface Preview {
  readonly data: PreviewData | undefined
  /** The last gate that had a shape: what is shown of it may be a few letters old. */
  readonly gate: PreviewedGate | undefined
  /** Of the definition as it stands. */
  readonly isCurrent: boolean
  /** Why it could not be asked for. */
  readonly error: unknown
  /** Asks once more. */
  again(): void
}

const settleMs = 300

/** Against another version the same definition is asked about again. */
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
        // What is shown is of an earlier text, and nothing is published by that.
        if (!controller.signal.aborted) setState((before) => ({ ...before, error }))
      }
    }
    const settling = setTimeout(ask, settleMs)
    return () => {
      clearTimeout(settling)
      controller.abort()
    }
  }, [text, version, turn])
  return { ...state, again: () => setTurn((before) => before + 1) }
}

const nothingYet = { data: undefined, gate: undefined, isCurrent: false, error: undefined }

/** What is wrong at a field, as a sentence under it. */
export function faultAt(findings: readonly Finding[], path: string): string | undefined {
  const found = findings.find((one) => one.path === path)
  return found && `It ${found.message}.`
}
