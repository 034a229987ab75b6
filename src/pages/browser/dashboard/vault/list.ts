/**
 * Loads the proofs behind the rows: pages by cursor, each requested before it is scrolled into sight. A search
 * continues to its end.
 */
import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import type { ProofPage } from '../../../../proofs/list.ts'
import { firstPage, isIdLike, isNarrowed, listPath, nextPage, type Question } from '../../../vault-question.ts'
import { callApi, takePreloaded } from '../api.ts'
import { session } from '../model.ts'
import { useRepeat } from '../repeat.ts'
import { type ProofRow, toRow } from './row.ts'

export const wallets: readonly string[] = session.accounts.map(({ wallet }) => wallet)

interface Answer {
  readonly data: ProofPage
}

export interface ProofList {
  readonly rows: readonly ProofRow[]
  /** The number of proofs without a filter; null when one narrows the list. */
  readonly total: number | null
  readonly isAsking: boolean
  /** The first load is pending: the list is not known to be empty. */
  readonly isNew: boolean
  readonly hasMore: boolean
  /** Unix milliseconds: how far back an unfinished search has looked. */
  readonly lookedBackTo: number | undefined
  readonly error: unknown
  /** The shown rows are valid, but loading the next ones failed. */
  readonly failedToGoOn: boolean
  /** Loads the next page; does nothing while a page is loading. */
  more(): void
  /** Loads from the start, and replaces the shown rows. */
  reload(): void
  /** Applies a known change of a proof before the list is loaded again. */
  put(qHash: string, change: Partial<ProofRow> | undefined): void
}

/** The number of rows to search for at once: a search that found fewer continues by itself. */
const enough = firstPage

interface State {
  rows: readonly ProofRow[]
  total: number | null
  cursor: string | null
  lookedBackTo: number | undefined
  isAsking: boolean
  isNew: boolean
  error: unknown
  failedToGoOn: boolean
  path: string
  /** The first of the paths that the rows were loaded from. */
  rowsOf: string
}

export function useProofList(question: Question): ProofList {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const path = listPath(question, wallets)
  const state = useRef<State>(undefined)
  const asking = useRef<AbortController>(undefined)
  if (!state.current) {
    const here = takePreloaded(path) as Answer | undefined
    state.current = { ...empty(path), ...(here ? readFirst(here.data) : {}) }
  }
  const now = state.current
  const change = (more: Partial<State>): void => {
    state.current = { ...state.current!, ...more }
    render(undefined)
  }

  const ask = useCallback(
    async (wanted: string, cursor: string | null) => {
      asking.current?.abort()
      const controller = new AbortController()
      asking.current = controller
      const isCurrent = () => asking.current === controller && !controller.signal.aborted
      change({ isAsking: true, error: undefined, path: wanted })
      let at = cursor
      let from = wanted
      try {
        for (;;) {
          const isFirst = at === null
          const address = isFirst ? from : `${from.replace(/limit=\d+/, `limit=${nextPage}`)}&cursor=${at}`
          const { data } = await callApi<Answer>('GET', address, { signal: controller.signal })
          if (!isCurrent()) return
          const first = readFirst(data)
          if (isFirst && first.rows.length === 0 && first.cursor === null && isIdLike(question) && from === wanted) {
            from = listPath(question, wallets, { asText: true })
            continue
          }
          const rows = isFirst ? first.rows : [...state.current!.rows, ...first.rows]
          at = first.cursor
          const goesOn = at !== null && rows.length < enough && isNarrowed(question)
          change({
            ...first,
            rows,
            total: isFirst ? first.total : state.current!.total,
            isAsking: goesOn,
            path: from,
            rowsOf: path,
          })
          if (!goesOn) return
        }
      } catch (error) {
        if (!isCurrent()) return
        // Rows of another query must not be shown for this one. After the session has ended, the rows stay, but only to
        // be read.
        const isSignedOut = error instanceof ProofgateError && error.status === 401
        const isOther = state.current!.rowsOf !== path && !isSignedOut
        change({
          isAsking: false,
          isNew: false,
          error,
          failedToGoOn: at !== null,
          ...(isOther ? { rows: [], total: null, cursor: null, lookedBackTo: undefined } : {}),
        })
      }
    },
    [path],
  )

  const came = useRef(now.isNew ? undefined : path)
  useEffect(() => {
    if (came.current === path) {
      came.current = undefined
      return
    }
    void ask(path, null)
    return () => asking.current?.abort()
  }, [path, ask])

  const more = useCallback(() => {
    const { cursor, isAsking, error, path: from } = state.current!
    if (cursor !== null && !isAsking && error === undefined) void ask(from, cursor)
  }, [ask])

  const reload = (): void =>
    void (now.error !== undefined && now.failedToGoOn ? ask(now.path, now.cursor) : ask(path, null))
  useRepeat({ error: now.error, isBusy: now.isAsking, again: reload })

  return {
    ...now,
    error: now.error,
    hasMore: now.cursor !== null,
    more,
    reload,
    put: (qHash, changes) => {
      const { rows, total } = state.current!
      if (!rows.some((row) => row.qHash === qHash)) return
      change(
        changes
          ? { rows: rows.map((row) => (row.qHash === qHash ? { ...row, ...changes } : row)) }
          : { rows: rows.filter((row) => row.qHash !== qHash), total: total === null ? null : total - 1 },
      )
    },
  }
}

const empty = (path: string): State => ({
  rows: [],
  total: null,
  cursor: null,
  lookedBackTo: undefined,
  isAsking: false,
  isNew: true,
  error: undefined,
  failedToGoOn: false,
  path,
  rowsOf: path,
})

const readFirst = ({ proofs, totalCount, nextCursor, pageInfo }: ProofPage) => ({
  rows: proofs.map(toRow),
  total: totalCount,
  cursor: nextCursor,
  lookedBackTo: pageInfo.lookedBackTo,
  isNew: false,
})
