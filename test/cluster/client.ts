/** A client that asks again, as libraries do, until it has an answer that is more than "later". */

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
  /** Why it was asked again, each time. */
  readonly reasons: readonly string[]
}

/** What a library takes for a fault of the moment. */
const isMomentary = (status: number): boolean => status === 429 || status === 502 || status === 503 || status === 504

const answeredWithinMs = 10_000
const mostTries = 300
const pauseMs = { first: 20, last: 400 }

/** `makeInit`: for each try, because what is signed is good for minutes. Errors: after `mostTries`. */
export async function send(url: string, makeInit: () => RequestInit | Promise<RequestInit>): Promise<Answer> {
  const reasons: string[] = []
  for (let tries = 1, pause = pauseMs.first; tries <= mostTries; tries++, pause = Math.min(pause * 2, pauseMs.last)) {
    const init = await makeInit()
    try {
      const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(answeredWithinMs) })
      const text = await response.text()
      if (!isMomentary(response.status)) return { status: response.status, body: parse(text), reasons }
      reasons.push(`${response.status} ${text.slice(0, 200)}`)
    } catch (error) {
      reasons.push(String(error))
    }
    await Bun.sleep(pause * (0.5 + Math.random()))
  }
  throw new Error(`no answer after ${mostTries} tries: ${reasons.at(-1)}`)
}

export const post = (
  url: string,
  path: string,
  body: object | (() => Promise<object>),
  headers: Record<string, string> = {},
): Promise<Answer> =>
  send(url + path, async () => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(typeof body === 'function' ? await body() : body),
  }))

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Runs one for each item, `atOnce` at a time. */
export async function runAll<Item>(
  items: readonly Item[],
  atOnce: number,
  one: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries()
  const runner = async (): Promise<void> => {
    for (const [index, item] of waiting) await one(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
}
