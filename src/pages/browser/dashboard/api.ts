/** The API, as the signed-in person of this page. */
import { createClient, ProofgateError } from '../../../client/client.ts'
import { isSessionOver } from './failure.ts'
import { model, root, session } from './model.ts'

let csrf = session.csrf
const client = createClient({ url: root.href.replace(/\/$/, ''), headers: () => ({ 'x-csrf-token': csrf }) })
type Asked = Parameters<typeof client.request>[2]

const preloaded = new Map(Object.entries(model.preloaded))

/** Returns a preloaded answer once: a second call means that the caller wants the current state. */
export function takePreloaded(path: string): unknown {
  const answer = preloaded.get(path)
  preloaded.delete(path)
  return answer
}

/**
 * The whole answer of the API. If the session is over or belongs to a new sign-in, it asks once more with the current
 * session. It never asks as a different person. Errors: ProofgateError.
 */
export async function callApi<T>(method: string, path: string, asked?: Asked): Promise<T> {
  if (state === 'somebody else' && !(await resume()))
    throw new ProofgateError('WALLET_AUTH_REQUIRED', 'somebody else is signed in by now, in another tab', {
      status: 401,
    })
  try {
    return await client.request<T>(method, path, asked)
  } catch (error) {
    if (!isSessionOver(error)) throw error
    if (!(await resume())) throw error
    return client.request<T>(method, path, asked)
  }
}

interface Me {
  readonly data: { readonly authenticated: boolean; readonly did?: string; readonly csrfToken?: string }
}

type State = 'here' | 'gone' | 'somebody else'
let state: State = 'here'
const watchers = new Set<(state: State) => void>()

/** The watcher is called with the state of the session. Returns the unsubscribe function. */
export function watchSession(watcher: (state: State) => void): () => void {
  watchers.add(watcher)
  watcher(state)
  return () => void watchers.delete(watcher)
}

let asked = 0

/** Whether the same person is signed in, maybe in a new session. */
export async function resume(): Promise<boolean> {
  const mine = ++asked
  const { data } = await client.request<Me>('GET', '/api/v1/auth/me')
  const isSame = data.authenticated && data.did === session.did
  // An answer that was overtaken tells of an earlier sign-in.
  if (mine !== asked) return isSame
  if (isSame) csrf = data.csrfToken!
  state = isSame ? 'here' : data.authenticated ? 'somebody else' : 'gone'
  for (const watcher of watchers) watcher(state)
  return isSame
}
