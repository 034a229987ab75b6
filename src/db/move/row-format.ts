/**
 * Rows in the binary form of COPY, which is the one form that both sides are compared in: for each row the number of its
 * fields, for each field its length (-1: null) and its bytes.
 */
import { MoveError } from './move-error.ts'
import type { TableShape } from './shape.ts'

export type Value = string | number | Uint8Array | null

const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const trailer = Buffer.from([0xff, 0xff])
/** A chunk is handed on when it has grown past this. */
const chunkBytes = 262_144
const twoTo32 = 2 ** 32

/** Rows of a table, as they come from SQLite, in chunks without header and trailer. Errors: MoveError. */
export function* packRows(
  shape: TableShape,
  rows: Iterable<Readonly<Record<string, Value>>>,
): Generator<Uint8Array, void> {
  let buffer = Buffer.allocUnsafe(chunkBytes * 2)
  let view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  let at = 0
  const makeRoom = (bytes: number): void => {
    if (at + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe((at + bytes) * 2)
    buffer.copy(larger, 0, 0, at)
    buffer = larger
    view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  }
  const columns = shape.columns.map(({ name }) => name)
  for (const row of rows) {
    makeRoom(2)
    view.setInt16(at, columns.length)
    at += 2
    for (const name of columns) {
      const value = row[name]!
      if (value === null) {
        makeRoom(4)
        view.setInt32(at, -1)
        at += 4
      } else if (typeof value === 'number') {
        requireExact(value, shape, row)
        makeRoom(12)
        view.setInt32(at, 8)
        view.setInt32(at + 4, Math.floor(value / twoTo32))
        view.setUint32(at + 8, value % twoTo32)
        at += 12
      } else if (typeof value === 'string') {
        makeRoom(4 + value.length * 3)
        const length = buffer.write(value, at + 4, 'utf8')
        view.setInt32(at, length)
        at += 4 + length
      } else {
        makeRoom(4 + value.length)
        view.setInt32(at, value.length)
        buffer.set(value, at + 4)
        at += 4 + value.length
      }
    }
    if (at >= chunkBytes) {
      yield buffer.subarray(0, at)
      buffer = Buffer.allocUnsafe(chunkBytes * 2)
      view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
      at = 0
    }
  }
  if (at > 0) yield buffer.subarray(0, at)
}

/** As COPY takes and gives them. */
export function* addFrame(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  yield header
  yield* chunks
  yield trailer
}

/** Takes header and trailer away from a stream. The result takes a chunk, and hands on the rows that are in it. */
export function removeFrame(take: (rows: Buffer) => void): (chunk: Uint8Array) => void {
  let rest = Buffer.alloc(0)
  let hasBegun = false
  return (chunk) => {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    if (!hasBegun) {
      if (rest.length < header.length) return
      hasBegun = true
      rest = rest.subarray(header.length)
    }
    // The last two bytes of all are the trailer.
    if (rest.length <= trailer.length) return
    const rows = rest.subarray(0, rest.length - trailer.length)
    rest = rest.subarray(rest.length - trailer.length)
    take(rows)
  }
}

/** Takes rows in pieces of any length, and hands on the values of each whole row. Errors: MoveError. */
export function unpackRows(shape: TableShape, take: (values: Value[]) => void): (rows: Buffer) => void {
  const { columns } = shape
  let rest = Buffer.alloc(0)
  return (rows) => {
    const buffer = rest.length === 0 ? rows : Buffer.concat([rest, rows])
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    let start = 0
    for (let end = findEnd(view, start); end !== undefined; end = findEnd(view, start)) {
      const values: Value[] = []
      let at = start + 2
      for (const { kind } of columns) {
        const length = view.getInt32(at)
        at += 4
        if (length < 0) {
          values.push(null)
          continue
        }
        if (kind === 'INTEGER') values.push(view.getInt32(at) * twoTo32 + view.getUint32(at + 4))
        else if (kind === 'TEXT') values.push(buffer.toString('utf8', at, at + length))
        else values.push(buffer.subarray(at, at + length))
        at += length
      }
      for (const value of values)
        if (typeof value === 'number')
          requireExact(value, shape, Object.fromEntries(columns.map(({ name }, place) => [name, values[place]!])))
      take(values)
      start = end
    }
    rest = Buffer.from(buffer.subarray(start))
  }
}

/** Undefined where the row has not come as a whole. */
function findEnd(view: DataView, start: number): number | undefined {
  if (start + 2 > view.byteLength) return undefined
  let at = start + 2
  for (let left = view.getInt16(start); left > 0; left--) {
    if (at + 4 > view.byteLength) return undefined
    at += 4 + Math.max(0, view.getInt32(at))
  }
  return at <= view.byteLength ? at : undefined
}

function requireExact(value: number, shape: TableShape, row: Readonly<Record<string, Value>>): void {
  if (!Number.isSafeInteger(value))
    throw new MoveError(`${nameRow(shape, row)} holds a number beyond 2^53, which cannot be moved exactly`)
}

/** For people: `proofs, row id 7`. */
export const nameRow = ({ name, key }: TableShape, row: Readonly<Record<string, Value>>): string =>
  `the table ${name}, row ${key.map((column) => `${column} ${writeValue(row[column]!)}`).join(', ')},`

const writeValue = (value: Value): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : JSON.stringify(value).slice(0, 100)
