/**
 * Shared by the operator's views: polling while the page is visible, and the notice when operator rights have ended.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import { operatorFrame as words } from '../../../words/en/operator.ts'
import { type Loaded, useLoad } from '../load.ts'
import { root } from '../model.ts'
import { Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { type Answer, operatorApi } from './answers.ts'

/** Polls at an interval while the page is visible. */
export function useOperator<Data>(path: string, everyMs: number): Loaded<Answer<Data>> {
  const loaded = useLoad<Answer<Data>>(`${operatorApi}${path}`)
  const { reload } = loaded
  const isLoading = useRef(true)
  isLoading.current = loaded.isLoading
  useEffect(() => {
    const ask = (): void => {
      // A slow server gets the time to answer before it is asked again.
      if (document.visibilityState === 'visible' && !isLoading.current) void reload()
    }
    const asking = setInterval(ask, everyMs)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(asking)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [path])
  return loaded
}

const isOperatorNoMore = (error: unknown): boolean => error instanceof ProofgateError && error.code === 'NOT_FOUND'

/** Explains why the operator API refused the request. */
export function OperatorProblem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (!isOperatorNoMore(error)) return <Problem error={error} retry={retry} />
  return (
    <div class="notice warning" role="alert">
      <p>
        {words.gone} <a href={root.href}>{words.yours}</a>
      </p>
    </div>
  )
}

/** The body of a view once its data is loaded. It is removed when the person may no longer see it. */
export function Loading<Data>({
  of: { data, error, reload },
  what,
  children,
}: {
  readonly of: Loaded<Answer<Data>>
  readonly what: string
  readonly children: (data: Data) => ComponentChildren
}) {
  return (
    <>
      <OperatorProblem error={error} retry={() => void reload()} />
      {!data && error === undefined && <Waiting what={what} retry={() => void reload()} />}
      {data && !isOperatorNoMore(error) && children(data.data)}
    </>
  )
}
