/** Draws on a thread of its own, which begins with the first picture and ends when nobody asks. One at a time. */
import { AppError } from '../../errors.ts'
import { isExecutable } from '../../executable.ts'

export interface DrawQuestion {
  readonly svg: string
}
export type DrawAnswer = { readonly png: Uint8Array<ArrayBuffer> } | { readonly fault: string }

/** As in db/threaded-writer.ts. */
const threadEntry = new URL(isExecutable ? './pages/preview/draw-thread.ts' : './draw-thread.ts', import.meta.url)

interface Limits {
  /** Pictures that wait for the one being drawn. More are refused. */
  readonly mostWaiting: number
  readonly mostWaitingPerNetwork: number
  readonly timeoutMs: number
  /** The thread holds 60 MB. */
  readonly idleMs: number
  /** Another one for tests. */
  readonly entry: URL
}

export interface Drawer {
  /**
   * `network` has a share of the queue, so that the addresses of one party cannot fill it. Errors: SERVICE_UNAVAILABLE,
   * when too many wait or it takes too long; else a fault of the server.
   */
  draw(svg: string, network?: string): Promise<Uint8Array<ArrayBuffer>>
}

export function makeDrawer({
  mostWaiting = 16,
  mostWaitingPerNetwork = 4,
  timeoutMs = 10_000,
  idleMs = 60_000,
  entry = threadEntry,
}: Partial<Limits> = {}): Drawer {
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let waiting = 0
  const waitingCounts = new Map<string, number>()
  let last: Promise<unknown> = Promise.resolve()

  const end = (): void => {
    worker?.terminate()
    worker = undefined
  }

  const drawNow = (svg: string): Promise<Uint8Array<ArrayBuffer>> =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      clearTimeout(idle)
      worker ??= new Worker(entry, { ref: false, smol: true })
      const thread = worker
      const giveUp = (error: Error): void => {
        clearTimeout(timer)
        end()
        reject(error)
      }
      const timer = setTimeout(() => giveUp(makeBusyError('drawing the picture took too long')), timeoutMs)
      thread.onerror = ({ message }) => giveUp(new Error(`the thread that draws failed: ${message}`))
      thread.onmessage = ({ data }: MessageEvent<DrawAnswer>) => {
        clearTimeout(timer)
        idle = setTimeout(end, idleMs)
        idle.unref()
        if ('png' in data) resolve(data.png)
        else reject(new Error(`the picture could not be drawn: ${data.fault}`))
      }
      thread.postMessage({ svg } satisfies DrawQuestion)
    })

  return {
    async draw(svg, network) {
      const own = network === undefined ? 0 : (waitingCounts.get(network) ?? 0)
      if (waiting > mostWaiting || own >= mostWaitingPerNetwork)
        throw makeBusyError('too many pictures wait to be drawn')
      waiting++
      if (network !== undefined) waitingCounts.set(network, own + 1)
      const drawn = last.then(() => drawNow(svg))
      last = drawn.catch(() => {})
      try {
        return await drawn
      } finally {
        waiting--
        if (network !== undefined) release(waitingCounts, network)
      }
    },
  }
}

function release(waitingCounts: Map<string, number>, network: string): void {
  const left = (waitingCounts.get(network) ?? 1) - 1
  if (left > 0) waitingCounts.set(network, left)
  else waitingCounts.delete(network)
}

const makeBusyError = (reason: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `${reason}: try again in a few seconds`, {}, { 'retry-after': '5' })
