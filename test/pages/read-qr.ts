/** Reads a QR code that a page shows: byte mode, versions 1 to 10, error correction M (ISO/IEC 18004). */
import type { Locator } from 'playwright-core'

/** Data bytes of each block of error correction M, by version (table 9). */
const blocks: readonly (readonly number[])[] = [
  [16],
  [28],
  [44],
  [32, 32],
  [43, 43],
  [27, 27, 27, 27],
  [31, 31, 31, 31],
  [38, 38, 39, 39],
  [36, 36, 36, 37, 37],
  [43, 43, 43, 43, 44],
]
/** Centers of the alignment patterns, by version (annex E). */
const centers: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]
const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

export async function readQr(code: Locator): Promise<string> {
  await code.waitFor()
  const { whole, path } = await code.evaluate((svg) => ({
    whole: (svg as SVGSVGElement).viewBox.baseVal.width,
    path: svg.querySelector('path')!.getAttribute('d')!,
  }))
  const dark = new Set<string>()
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let i = 0; i < Number(width); i++) dark.add(`${Number(x) + i - 4},${Number(y) - 4}`)
  return decode(whole - 8, (x, y) => dark.has(`${x},${y}`))
}

function decode(size: number, isDark: (x: number, y: number) => boolean): string {
  const version = (size - 17) / 4
  const format = Array.from({ length: 5 }, (_, i) => (isDark(i, 8) ? 1 : 0)).map((bit, i) => bit ^ [1, 0, 1, 0, 1][i]!)
  if (format[0] !== 0 || format[1] !== 0) throw new Error('not error correction M')
  const mask = masks[format[2]! * 4 + format[3]! * 2 + format[4]!]!
  const at = centers[version - 1]!
  const isFunction = (x: number, y: number): boolean =>
    x === 6 ||
    y === 6 ||
    (x < 9 && y < 9) ||
    (x < 9 && y >= size - 8) ||
    (x >= size - 8 && y < 9) ||
    (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) ||
    at.some((cx) =>
      at.some(
        (cy) =>
          Math.abs(x - cx) <= 2 &&
          Math.abs(y - cy) <= 2 &&
          !(cx === 6 && cy === 6) &&
          !(cx === 6 && cy === size - 7) &&
          !(cx === size - 7 && cy === 6),
      ),
    )
  const bits: number[] = []
  let up = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step
      for (const x of [right, right - 1]) if (!isFunction(x, y)) bits.push(Number(isDark(x, y) !== mask(x, y)))
    }
    up = !up
  }
  const bytes = Array.from({ length: bits.length >> 3 }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2),
  )
  const sizes = blocks[version - 1]!
  const parts: number[][] = sizes.map(() => [])
  let next = 0
  for (let i = 0; i < Math.max(...sizes); i++)
    for (const [index, part] of parts.entries()) if (i < sizes[index]!) part.push(bytes[next++]!)
  const data = parts.flat().flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number))
  const take = (from: number, count: number): number => Number.parseInt(data.slice(from, from + count).join(''), 2)
  if (take(0, 4) !== 4) throw new Error('not in byte mode')
  const countBits = version < 10 ? 8 : 16
  const length = take(4, countBits)
  const text = Array.from({ length }, (_, i) => take(4 + countBits + i * 8, 8))
  return new TextDecoder().decode(new Uint8Array(text))
}
