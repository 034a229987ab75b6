/** Lines of the command line are at most this wide, in wider terminals as well: longer ones are hard to read. */
const widest = 100

interface Wrapping {
  /** Columns before the text. They count in the width, and stand before the further lines as blanks. */
  readonly hang?: number
  /** Of the terminal, where there is one. */
  readonly columns?: number | undefined
}

/** Breaks a text at blanks. A word that is too long, such as an address, stays whole, so that it can be copied. */
export function wrapText(text: string, { hang = 0, columns = widest }: Wrapping = {}): string {
  const room = Math.max(Math.min(columns, widest) - hang, 20)
  return Bun.wrapAnsi(text, room, { wordWrap: true, trim: true }).replaceAll('\n', `\n${' '.repeat(hang)}`)
}
