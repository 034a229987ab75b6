/** The thread that reads the whole database slowly (page-check.ts). Opens, reads, answers, and is ended by who asked. */
import { Database } from 'bun:sqlite'
import { checkRest, checkSlices } from './page-check.ts'
import type { StoreRule } from './store-rule.ts'
import type { CheckAnswer, CheckQuestion } from './watch-damage.ts'

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<CheckQuestion>) => {
  try {
    await check(data)
    self.postMessage({ done: true } satisfies CheckAnswer)
  } catch (error) {
    self.postMessage({ failed: error instanceof Error ? error.message : String(error) } satisfies CheckAnswer)
  }
}

async function check({ file, pauseMs, isThorough, rules, confirmMs }: CheckQuestion): Promise<void> {
  const db = new Database(file, { readwrite: true, create: false, strict: true, safeIntegers: true })
  try {
    db.run('PRAGMA busy_timeout = 5000')
    db.run('PRAGMA query_only = ON')
    // A small cache: these pages are not those that are asked for next.
    db.run('PRAGMA cache_size = -512')
    let isFound = false
    for (const damage of checkSlices(db)) {
      isFound ||= damage !== undefined
      if (damage) self.postMessage({ damage } satisfies CheckAnswer)
      await Bun.sleep(pauseMs)
    }
    // Rows that cannot be read count nothing.
    if (!isFound)
      for (const says of await breakRules(db, rules, confirmMs))
        self.postMessage({ broken: says } satisfies CheckAnswer)
    if (isThorough && !isFound) for (const damage of checkRest(db)) self.postMessage({ damage } satisfies CheckAnswer)
  } finally {
    db.close()
  }
}

const mostTold = 3

/** Each rule is one read of one moment. One that does not hold is looked at twice, because the server stops writing for it. */
async function breakRules(db: Database, rules: readonly StoreRule[], confirmMs: number): Promise<string[]> {
  const list = ({ sql }: StoreRule): string[] =>
    db
      .query<{ says: string }, []>(`${sql} LIMIT ${mostTold}`)
      .all()
      .map(({ says }) => says)
  const suspected = rules.filter((rule) => list(rule).length > 0)
  if (suspected.length === 0) return []
  await Bun.sleep(confirmMs)
  return suspected.flatMap((rule) => list(rule).map((says) => `${rule.name}: ${says}`))
}
