/** What the operator's views share: asking again while somebody looks, and what is said to one who is operator no more. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import { type Loaded, useLoad } from '../load.ts'
import { root } from '../model.ts'
import { Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { type Answer, operatorApi } from './answers.ts'

/** Every so often, while the page is in sight. */
export function useOperator<Data>(path: string, everyMs: number): Loaded<Answer<Data>> {
  const loaded = useLoad<Answer<Data>>(`${operatorApi}${path}`)
  const { reload } = loaded
  const isLoading = useRef(true)
  isLoading.current = loaded.isLoading
  useEffect(() => {
    const ask = (): void => {
      // A server that hangs is given the time to answer, or to be said not to.
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

/** A refusal of an operator's own address. */
export function OperatorProblem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (!isOperatorNoMore(error)) return <Problem error={error} retry={retry} />
  return (
    <div class="notice warning" role="alert">
      <p>
        You are not operator of this server any more. <a href={root.href}>Your own pages</a> are where they were.
      </p>
    </div>
  )
}

/** The body of a view, once there is something to show. Nothing of it stays on the screen of who may not see it. */
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
      {!data && error === undefined && <Waiting what={what} />}
      {data && !isOperatorNoMore(error) && children(data.data)}
    </>
  )
}
