/** A table in columns, as wide as a terminal: long cells go on in the next line of their column. */

const gap = 2
/** A column gets no narrower for longer words, so that one long name does not squeeze the others. */
const mostForAWord = 24

/** The first row is the head. Cells may hold escape sequences of colors. */
export function layOutTable(rows: readonly (readonly string[])[], columns: number): string[] {
  const widths = chooseWidths(rows, columns)
  const wrapped = rows.map((row) => row.map((cell, at) => Bun.wrapAnsi(cell, widths[at]!, { hard: true }).split('\n')))
  const isTall = wrapped.slice(1).some((row) => row.some((lines) => lines.length > 1))
  const [head = [], ...body] = wrapped.map((row) => joinCells(row, widths))
  return [
    ...head,
    widths.map((width) => '-'.repeat(width)).join(' '.repeat(gap)),
    // Rows of several lines need space between them to be told apart.
    ...body.flatMap((lines, at) => (isTall && at > 0 ? ['', ...lines] : lines)),
  ]
}

function joinCells(cells: readonly (readonly string[])[], widths: readonly number[]): string[] {
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => {
        const text = lines[line] ?? ''
        return `${text}${' '.repeat(Math.max(widths[at]! - Bun.stringWidth(text), 0))}`
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

function chooseWidths(rows: readonly (readonly string[])[], columns: number): number[] {
  const listCells = (at: number): string[] => rows.map((row) => row[at] ?? '')
  const natural = rows[0]!.map((_, at) => Math.max(...listCells(at).map((cell) => Bun.stringWidth(cell)), 1))
  const room = columns - gap * (natural.length - 1)
  if (sum(natural) <= room) return natural
  const least = natural.map((_, at) => {
    const words = listCells(at).flatMap((cell) => cell.split(/\s+/).map((word) => Bun.stringWidth(word)))
    return Math.min(Math.max(...words), mostForAWord)
  })
  // On a very narrow terminal words are broken.
  if (sum(least) > room) return least.map((width) => Math.max(Math.floor((width * room) / sum(least)), 1))
  const wanted = natural.map((width, at) => width - least[at]!)
  return least.map((width, at) => width + Math.floor((wanted[at]! * (room - sum(least))) / sum(wanted)))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
