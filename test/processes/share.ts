/** Further processes of a server over the store of an app. */
import { createApp } from '../../src/app.ts'
import type { Parts } from '../../src/parts.ts'
import { type OpenedProcesses, openProcesses } from '../../src/processes/open.ts'
import type { Answer } from '../app.ts'

export interface SharingProcess {
  readonly parts: Parts
  readonly processes: OpenedProcesses
  request(path: string, init?: RequestInit): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Another run of the same server, over the same store: beside the others where it is shared, else after them. */
export function openRun(parts: Parts, run: string, { isShared }: { readonly isShared: boolean }): SharingProcess {
  const { log, conditions, readUptime, now } = parts
  const db = isShared ? { ...parts.db, isShared } : parts.db
  const own = { id: run, startedAt: now(), version: '1.0.0', host: `host of ${run}`, settings: null }
  const processes = openProcesses({ db, log, conditions, readUptime, own })
  // What is kept in memory for a configuration is that of one process.
  const config = { ...parts.config, payments: { ...parts.config.payments } }
  const shared: Parts = { ...parts, config, db, run, processes }
  const app = createApp(shared)
  const request = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
  }
  return {
    parts: shared,
    processes,
    request,
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** Two processes that share the store of an app and have seen each other. */
export async function openTwo({ parts }: { readonly parts: Parts }): Promise<[SharingProcess, SharingProcess]> {
  const two: [SharingProcess, SharingProcess] = [
    openRun(parts, 'one', { isShared: true }),
    openRun(parts, 'two', { isShared: true }),
  ]
  for (const { processes } of two) await processes.look()
  return two
}

/** Seconds pass, in which each of these processes beats and looks. */
export async function passSeconds(
  { wait }: { wait(ms: number): void },
  seconds: number,
  all: readonly SharingProcess[],
): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    wait(1_000)
    for (const { processes } of all) await processes.look()
  }
}
