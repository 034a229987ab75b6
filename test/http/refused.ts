/** The form of every refusal, and the check that it left no data behind. */

import { expect } from 'bun:test'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../src/db/schema.ts'
import { type ErrorCode, errorKinds } from '../../src/errors.ts'
import { mapInOrder } from '../../src/in-order.ts'
import type { Parts } from '../../src/parts.ts'
import { select } from '../parts/select.ts'

export interface AnyAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly headers: Headers
}

/** Status, code, type, and the whole envelope; the message must match `hint`. */
export function expectRefused(answer: AnyAnswer, code: ErrorCode, hint: RegExp = /\w+ \w+/): void {
  const { status, type } = errorKinds[code]
  expect({ status: answer.status, ...answer.body }).toEqual({
    status,
    success: false,
    error: { code, message: expect.stringMatching(hint), type, details: expect.any(Object) },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    requestId: expect.stringMatching(/^req_[0-9a-z]+$/),
  })
  expect(answer.headers.get('content-type')).toStartWith('application/json')
  expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
  expectNoLeak(answer.body)
}

/** No stack, no path of this machine, no SQL. */
export function expectNoLeak(body: unknown): void {
  expect(JSON.stringify(body)).not.toMatch(
    /\bat [\w.<>]+ \(|\/work\/|\/home\/|\.ts:\d|node_modules|SQLITE|SELECT |INSERT /,
  )
}

/**
 * Without the sums of other tables, which have one row in SQLite and several on PostgreSQL, and without what processes
 * tell each other there, and measure, by themselves.
 */
const tableNames: readonly string[] = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => getTableName(table as SQLiteTable))
  .filter((name) => !['totals', 'latencies', 'leases', 'live_processes'].includes(name))
  .sort()

/** Rows of every table. */
export const rowCounts = async (parts: Parts): Promise<Record<string, number>> =>
  Object.fromEntries(
    await mapInOrder(tableNames, async (name) => [
      name,
      (await select<{ count: number }>(parts.db, `SELECT count(*) AS count FROM ${name}`).get())!.count,
    ]),
  )

/** Runs the requests, and demands that no table has a row more or less after them. */
export async function leavesNothing<T>(parts: Parts, requests: () => Promise<T>): Promise<T> {
  const before = await rowCounts(parts)
  expect(Object.values(before).every((count) => count >= 0)).toBe(true)
  const result = await requests()
  expect(await rowCounts(parts)).toEqual(before)
  return result
}
