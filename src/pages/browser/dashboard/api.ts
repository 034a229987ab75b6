/** The API, as the signed-in person of this page. */
import { createClient, ProofgateError } from '../../../client/client.ts'
import { type Slowness, watchSlowness } from '../slowness.ts'
import { isSessionOver } from './failure.ts'
import { model, root, session } from './model.ts'

let csrf = session.csrf
const url = root.href.replace(/\/$/, '')
const client = createClient({ url, headers: () => ({ 'x-csrf-token': csrf }) })
/** Asks who is signed in: a request that names the token of an earlier session is refused. */
const clientOfAnyone = createClient({ url })
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
  return method === 'GET'
    ? request(method, path, asked)
    : change((signal) => request(method, path, { signal, ...asked }))
}

async function request<T>(method: string, path: string, asked?: Asked): Promise<T> {
  try {
    return await client.request<T>(method, path, asked)
  } catch (error) {
    if (!isSessionOver(error)) throw error
    if (!(await resume())) throw error
    return client.request<T>(method, path, asked)
  }
}

/** The changes that the server has not answered yet. */
const waiting = new Map<AbortController, Slowness>()
const changeWatchers = new Set<(slowest: Slowness) => void>()

function tellSlowest(): void {
  const all = [...waiting.values()]
  const slowest = (['very slow', 'slow'] as const).find((one) => all.includes(one)) ?? 'usual'
  for (const watcher of changeWatchers) watcher(slowest)
}

async function change<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  waiting.set(controller, 'usual')
  const stop = watchSlowness((slowness) => {
    waiting.set(controller, slowness)
    tellSlowest()
  })
  try {
    return await ask(controller.signal)
  } finally {
    stop()
    waiting.delete(controller)
    tellSlowest()
  }
}

/** The watcher is called whenever the slowest change without an answer changes. Returns the unsubscribe function. */
export function watchChanges(watcher: (slowest: Slowness) => void): () => void {
  changeWatchers.add(watcher)
  return () => void changeWatchers.delete(watcher)
}

/** Ends what waits for an answer. The server may do it all the same, and the error says so. */
export function stopWaiting(): void {
  for (const [controller, slowness] of waiting)
    if (slowness === 'very slow')
      controller.abort(new ProofgateError('TIMEOUT', 'the person stopped waiting', { status: 0 }))
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
  const { data } = await clientOfAnyone.request<Me>('GET', '/api/v1/auth/me')
  const isSame = data.authenticated && data.did === session.did
  // An answer that was overtaken tells of an earlier sign-in.
  if (mine !== asked) return isSame
  if (isSame) csrf = data.csrfToken!
  state = isSame ? 'here' : data.authenticated ? 'somebody else' : 'gone'
  for (const watcher of watchers) watcher(state)
  return isSame
}
