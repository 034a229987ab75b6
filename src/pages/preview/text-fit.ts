/** Lays text out for the font of the preview, Inter Bold, without the font: widths and line breaks. */

/** Width of characters in hundredths of the font size, rounded up. Only these characters are drawn. */
const widths: readonly (readonly [hundredths: number, characters: string])[] = [
  [28, ' \u00a0'],
  [30, 'IijlÌÍÎÏìíîï‘’'],
  [35, "!',.:;\\¡¦·¹"],
  [40, '()/1[]`ft|´¸'],
  [45, 'r¯'],
  [50, '-^{}ª°²³º“”–•'],
  [55, '"7T_„'],
  [60, '*?FJLYaceksvxyz¢¥§¶¿Ýàáâãäåçèéêëðýÿ'],
  [65, '#23569EPbdghnopqu£¨µÈÉÊËñòóôõöøùúûüþ'],
  [70, '$&+048<=>BRSVZ~«¬®±»×Þß÷€'],
  [75, 'ACDHKUXÀÁÂÃÄÅÇÙÚÛÜ'],
  [80, 'GNOQ¤ÐÑÒÓÔÕÖØ'],
  [85, '¼'],
  [90, 'w½'],
  [95, 'Mm©¾æ'],
  [100, 'W—'],
  [105, '%@Æ…'],
]

const glyphWidths: ReadonlyMap<string, number> = new Map(
  widths.flatMap(([hundredths, characters]) => [...characters].map((one) => [one, hundredths / 100] as const)),
)

/** False for text with a character that the font lacks, or that would change the direction of the text. */
export const isDrawable = (text: string): boolean => [...text].every((character) => glyphWidths.has(character))

/** In font sizes. */
const measure = (text: string): number =>
  [...text].reduce((sum, character) => sum + (glyphWidths.get(character) ?? 1), 0)

export interface Fitted {
  readonly size: number
  readonly lines: readonly string[]
}

interface Room {
  readonly width: number
  /** Pixels of the font, the largest first. */
  readonly sizes: readonly number[]
  readonly mostLines: number
}

/** The largest size at which the text has room. At the smallest one, the rest becomes an ellipsis. */
export function fitText(text: string, { width, sizes, mostLines }: Room): Fitted {
  for (const size of sizes) {
    const lines = breakLines(text, width / size)
    if (lines.length <= mostLines) return { size, lines }
  }
  const size = sizes.at(-1)!
  const lines = breakLines(text, width / size).slice(0, mostLines)
  const last = [...lines.at(-1)!]
  while (measure(`${last.join('')}…`) > width / size) last.pop()
  return { size, lines: [...lines.slice(0, -1), `${last.join('').trimEnd()}…`] }
}

/** Breaks at spaces. A word longer than a line breaks after the marks within names and addresses, else anywhere. */
function breakLines(text: string, most: number): string[] {
  const lines: string[] = []
  let line = ''
  const add = (piece: string, joint = ''): boolean => {
    const longer = line === '' ? piece : line + joint + piece
    const fits = measure(longer) <= most
    if (fits) line = longer
    return fits
  }
  const end = (): void => {
    if (line !== '') lines.push(line)
    line = ''
  }
  for (const word of text.split(' ')) {
    if (add(word, ' ')) continue
    end()
    if (add(word)) continue
    for (const piece of word.split(/(?<=[.\-/@:])/)) {
      if (add(piece)) continue
      end()
      for (const character of piece) {
        if (add(character)) continue
        end()
        line = character
      }
    }
  }
  end()
  return lines
}
