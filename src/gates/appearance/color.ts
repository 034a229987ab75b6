/**
 * The brand color of a gate: one color from its owner, and from it the colors of both themes. Text on it and beside it
 * must stay readable (WCAG 2.2, 1.4.3: 4.5 to 1). Runs in browsers too.
 */

export const colorPattern = '^#[0-9a-fA-F]{6}$'

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

type Rgb = readonly [red: number, green: number, blue: number]

/** The grounds of pages.css that the color may stand on as text. */
const grounds: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#ffffff', '#f3f4f0', '#f5f7f5'],
  dark: ['#131718', '#1c2022', '#15191b'],
}
/** The text on a button of the color. */
const inks: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#08110f' }
/** The color is moved this way until it is readable. */
const ends: Readonly<Record<Theme, Rgb>> = { light: [0, 0, 0], dark: [255, 255, 255] }

export const leastContrast = 4.5

export interface ThemeColors {
  readonly accent: string
  readonly accentDeep: string
  readonly onAccent: string
}

const parseColor = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as never
const writeColor = (rgb: Rgb): string => `#${rgb.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`

/** WCAG 2.2, "relative luminance". */
function computeLuminance(color: Rgb): number {
  const [red, green, blue] = color.map((one) => {
    const part = one / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function computeContrast(one: string, other: string): number {
  const [dark, light] = [one, other].map((color) => computeLuminance(parseColor(color))).sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

const mixColors = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((one, at) => one + (to[at]! - one) * share) as unknown as Rgb

const isReadable = (color: string, theme: Theme): boolean =>
  [...grounds[theme], inks[theme]].every((other) => computeContrast(color, other) >= leastContrast)

const steps = 50

/** The nearest readable color for a theme: the same one where it is readable already. */
export function tuneColor(color: string, theme: Theme): ThemeColors {
  const [asked, end] = [parseColor(color), ends[theme]]
  let share = 0
  while (share < 1 && !isReadable(writeColor(mixColors(asked, end, share)), theme)) share += 1 / steps
  const accent = mixColors(asked, end, Math.min(share, 1))
  return {
    accent: writeColor(accent),
    accentDeep: writeColor(mixColors(accent, end, 0.22)),
    onAccent: inks[theme],
  }
}
