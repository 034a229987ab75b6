/** Loads the audit lines behind the rows: pages by cursor, each requested before it is scrolled into sight. */
import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks'
import { callApi } from '../api.ts'
import { useRepeat } from '../repeat.ts'
import { type Answer, type AuditLine, type AuditPage, operatorApi } from './answers.ts'

export interface AuditList {
  readonly lines: readonly AuditLine[]
  readonly isAsking: boolean
  readonly error: unknown
  readonly hasMore: boolean
  more(): void
  reload(): void
}

const pageSize = 200

interface State {
  lines: readonly AuditLine[]
  cursor: string | null
  isAsking: boolean
  error: unknown
  /** The query that the lines belong to. */
  query: string | undefined
}

export function useAuditList(query: string): AuditList {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const state = useRef<State>({ lines: [], cursor: null, isAsking: true, error: undefined, query: undefined })
  const asking = useRef<AbortController>(undefined)

  const ask = useCallback(
    async (cursor: string | null) => {
      asking.current?.abort()
      const controller = new AbortController()
      asking.current = controller
      const change = (more: Partial<State>): void => {
        if (controller.signal.aborted) return
        state.current = { ...state.current, ...more }
        render(undefined)
      }
      change({ isAsking: true, error: undefined })
      try {
        const at = cursor === null ? '' : `&cursor=${cursor}`
        const path = `${operatorApi}/audit?limit=${pageSize}${query}${at}`
        const { data } = await callApi<Answer<AuditPage>>('GET', path, { signal: controller.signal })
        const lines = cursor === null ? data.events : [...state.current.lines, ...data.events]
        change({ lines, cursor: data.nextCursor, isAsking: false, query })
      } catch (error) {
        // Lines of another query must not be shown for this one.
        const isOther = state.current.query !== query
        change({ isAsking: false, error, ...(isOther ? { lines: [], cursor: null } : {}) })
      }
    },
    [query],
  )

  useEffect(() => {
    void ask(null)
    return () => asking.current?.abort()
  }, [ask])

  const reload = (): void => void ask(state.current.error === undefined ? null : state.current.cursor)
  useRepeat({ error: state.current.error, isBusy: state.current.isAsking, again: reload })

  return {
    ...state.current,
    hasMore: state.current.cursor !== null,
    more: useCallback(() => {
      const { cursor, isAsking, error } = state.current
      if (cursor !== null && !isAsking && error === undefined) void ask(cursor)
    }, [ask]),
    reload,
  }
}
