/** Rows as SQLite gives them: whole numbers as numbers, and conditions as 1 and 0. */

/** Changes the row itself. */
export function readRow<Row>(row: unknown): Row {
  const values = row as Record<string, unknown>
  for (const name in values) {
    const value = values[name]
    if (typeof value === 'bigint') values[name] = Number(value)
    else if (typeof value === 'boolean') values[name] = value ? 1 : 0
  }
  return values as Row
}
