/** Loads data of the API for a view, and reloads it when its path changes. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { callApi, takePreloaded } from './api.ts'
import { useRepeat } from './repeat.ts'

export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: unknown
  /** True during a request; `data` keeps the former answer, if any. */
  readonly isLoading: boolean
  /** Asks once more; the shown data stays until the answer comes. */
  reload(): Promise<void>
  /** Changes the shown data before the server confirms it. */
  set(change: (data: T) => T): void
}

/**
 * Sends GET to a path of the API; does nothing while the path is undefined. The answer to an outdated request is
 * dropped. A changed `revision` asks again, because the answer has changed with it.
 */
export function useLoad<T>(path: string | undefined, revision?: number): Loaded<T> {
  const [state, setState] = useState<{ path: string | undefined; data?: T; error?: unknown; isLoading: boolean }>(
    () => {
      const data = path === undefined ? undefined : (takePreloaded(path) as T | undefined)
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
      const data = await callApi<T>('GET', wanted, { signal: controller.signal })
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
  }, [path, revision, ask])

  useRepeat({
    error: state.error,
    isBusy: state.isLoading,
    again: () => {
      if (path !== undefined) void ask(path)
    },
  })

  return {
    data: state.data,
    error: state.error,
    // A changed path is asked for after the next frame.
    isLoading: state.isLoading || (path !== undefined && path !== state.path),
    reload: () => (path === undefined ? Promise.resolve() : ask(path)),
    set(change) {
      setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) }))
      // The answer of a running request may be older than the change, and would undo it.
      if (asking.current && path !== undefined) void ask(path)
    },
  }
}

export interface Action<Args extends readonly unknown[]> {
  readonly isBusy: boolean
  readonly error: unknown
  /** Does nothing while an earlier call runs. */
  run(...args: Args): Promise<boolean>
  clear(): void
}

/** Runs one change at a time. `run` returns whether it succeeded; if not, `error` holds the reason. */
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
