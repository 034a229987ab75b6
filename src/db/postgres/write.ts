/**
 * One write as one transaction. Its statements are sent together, and the commit follows when all of them changed what
 * they must.
 *
 * The first statement puts a mark with a random id. When the answer to a commit is lost, the same write is tried again
 * with the same mark: it waits for the transaction that may still be open, and meets its mark if that was stored. So
 * nothing happens twice, and a caller learns what happened.
 */
import { randomInt } from 'node:crypto'
import type { Statement, Write, Written } from '../commit-group.ts'
import { StorageError, UnreachableError, type WriteResult } from '../writer.ts'
import type { Answered, Connection } from './connection.ts'
import { describeError, hasNoRoom, isConsequence, isLost, isWorthRepeating } from './errors.ts'
import { type Pool, patienceMs } from './pool.ts'
import { readRow } from './rows.ts'

/** Of a write that meets others again and again. */
const mostTries = 20

/** The commit was sent, and its answer never came. */
class OpenCommitError extends Error {
  constructor(readonly written: Written) {
    super('the connection was lost before the commit was answered')
  }
}

/** `noteCommit` gets the milliseconds of each commit. Errors: StorageError. */
export async function writeTogether(
  pool: Pool,
  write: Write,
  noteCommit: (ms: number) => void = () => {},
): Promise<WriteResult> {
  const mark = Bun.randomUUIDv7()
  // Of all tries together: a server that hangs is noticed late in the first one.
  const until = performance.now() + patienceMs
  let open: Written | undefined
  for (let tries = 1; ; tries++)
    try {
      return await pool.use((connection) => runTransaction(connection, mark, write, noteCommit), until)
    } catch (error) {
      if (open && isMarkTaken(error)) return open
      if (error instanceof OpenCommitError) open = error.written
      const mayRepeat = error instanceof OpenCommitError || isLost(error)
      const isOver = mayRepeat ? performance.now() > until : tries >= mostTries
      if (!(mayRepeat || isWorthRepeating(error)) || isOver)
        throw mayRepeat
          ? new UnreachableError(describeError(error), open !== undefined)
          : new StorageError(describeError(error), open !== undefined, hasNoRoom(error), { cause: error })
      await Bun.sleep(randomInt(Math.min(100, 2 ** tries)))
    }
}

const putMark = 'INSERT INTO write_marks (id) VALUES (?1)'
const takeTurn = 'SELECT pg_advisory_xact_lock(hashtextextended(?1, 0)) IS NULL AS taken'

async function runTransaction(
  connection: Connection,
  mark: string,
  write: Write,
  noteCommit: (ms: number) => void,
): Promise<WriteResult> {
  const before = [
    connection.run('BEGIN'),
    connection.run(putMark, [mark]),
    ...listTurns(write).map((turn) => connection.run(takeTurn, [turn])),
  ]
  const answers = await Promise.allSettled([
    ...before,
    ...write.map(({ sql, params, holds }) => connection.run(holds ? `${sql} ${locks[holds]}` : sql, params)),
  ])
  const result = readAnswers(write, answers, before.length)
  if (result instanceof Error || 'refusedAt' in result) {
    if (!connection.isLost()) await connection.run('ROLLBACK').catch(() => connection.lose('a transaction did not end'))
    if (result instanceof Error) throw result
    return result
  }
  const startedAt = performance.now()
  const committed = await connection.run('COMMIT').catch((error) => {
    throw isLost(error) ? new OpenCommitError(result) : error
  })
  noteCommit(performance.now() - startedAt)
  if (committed.command !== 'COMMIT') throw new Error(`the server answered COMMIT by ${committed.command}`)
  return result
}

const locks = { share: 'FOR SHARE', update: 'FOR NO KEY UPDATE', key: 'FOR KEY SHARE' } as const

/** In one order for all writes, so that two of them never wait for each other. */
const listTurns = (write: Write): readonly string[] => [...new Set(write.flatMap(({ turns }) => turns ?? []))].sort()

/** The first statement that failed or refused decides, as where they run one after another. */
function readAnswers(
  write: Write,
  answers: readonly PromiseSettledResult<Answered>[],
  before: number,
): WriteResult | Error {
  const changes: number[] = []
  const rows: unknown[] = []
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'rejected') return findCause(answers) ?? toError(answer.reason)
    if (index < before) continue
    const statement = write[index - before]!
    const found = answer.value.rows[0]
    if (statement.isAsked) rows.push(found === undefined ? null : readRow(found))
    if (isRefused(statement, answer.value)) return { refusedAt: changes.length }
    changes.push(statement.isAsked ? 0 : statement.mustFind ? 1 : answer.value.count)
  }
  return rows.length > 0 ? { changes, rows } : { changes }
}

const isRefused = ({ must, mustFind, isAsked }: Statement, { rows, count }: Answered): boolean =>
  isAsked || mustFind ? !isAsked && rows.length === 0 : must === true && count === 0

/** Behind an error that only says that an earlier statement failed. */
const findCause = (answers: readonly PromiseSettledResult<Answered>[]): Error | undefined =>
  answers.flatMap((one) => (one.status === 'rejected' && !isConsequence(one.reason) ? [toError(one.reason)] : []))[0]

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

const isMarkTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'write_marks_pkey'
