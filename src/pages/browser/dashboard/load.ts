/** What a view shows comes from the API: asked for when it is needed, and again when that changes. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { api, preloadedAt, watchSession } from './api.ts'

export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: unknown
  /** While it is asked for: with `data` of before, where there was any. */
  readonly isLoading: boolean
  /** Asks once more; what is shown stays until the answer comes. */
  reload(): Promise<void>
  /** Puts in what is known before the server says it. */
  set(change: (data: T) => T): void
}

/** GET of a path of the API; nothing is asked while it is undefined. An answer to an older question is dropped. */
export function useLoad<T>(path: string | undefined): Loaded<T> {
  const [state, setState] = useState<{ path: string | undefined; data?: T; error?: unknown; isLoading: boolean }>(
    () => {
      const data = path === undefined ? undefined : (preloadedAt(path) as T | undefined)
      return data === undefined ? { path, isLoading: path !== undefined } : { path, data, isLoading: false }
    },
  )
  const asking = useRef<AbortController>(undefined)

  const ask = useCallback(async (wanted: string) => {
    asking.current?.abort()
    const controller = new AbortController()
    asking.current = controller
    setState((before) => ({ ...before, path: wanted, isLoading: true }))
    try {
      const data = await api<T>('GET', wanted, { signal: controller.signal })
      if (!controller.signal.aborted) setState({ path: wanted, data, isLoading: false })
    } catch (error) {
      if (!controller.signal.aborted) setState((before) => ({ ...before, path: wanted, error, isLoading: false }))
    }
    if (asking.current === controller) asking.current = undefined
  }, [])

  const isFirst = useRef(state.data !== undefined)
  useEffect(() => {
    const came = isFirst.current
    isFirst.current = false
    if (path !== undefined && !came) void ask(path)
    return () => asking.current?.abort()
  }, [path, ask])

  const failed = useRef(false)
  failed.current = state.error !== undefined
  useEffect(() => {
    let before = 'here'
    return watchSession((session) => {
      // What was refused to somebody who was signed out is asked for again once they are back.
      if (session === 'here' && before !== 'here' && failed.current && path !== undefined) void ask(path)
      before = session
    })
  }, [path, ask])

  return {
    data: state.data,
    error: state.error,
    isLoading: state.isLoading,
    reload: () => (path === undefined ? Promise.resolve() : ask(path)),
    set(change) {
      setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) }))
      // The answer that is under way may be older than the change, and would undo it.
      if (asking.current && path !== undefined) void ask(path)
    },
  }
}

export interface Action<Args extends readonly unknown[]> {
  readonly isBusy: boolean
  readonly error: unknown
  /** Does nothing while it is under way. */
  run(...args: Args): Promise<boolean>
  clear(): void
}

/** A change, one at a time. `run` says whether it went through; where it did not, `error` says why. */
export function useAction<Args extends readonly unknown[]>(change: (...args: Args) => Promise<unknown>): Action<Args> {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const isBusy = useRef(false)
  return {
    ...state,
    error: state.error,
    clear: () => setState({ isBusy: isBusy.current }),
    async run(...args) {
      if (isBusy.current) return false
      isBusy.current = true
      setState({ isBusy: true })
      try {
        await change(...args)
        setState({ isBusy: false })
        return true
      } catch (error) {
        setState({ isBusy: false, error })
        return false
      } finally {
        isBusy.current = false
      }
    },
  }
}
