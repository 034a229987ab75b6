/** Differences between versions of a gate, one plain line each. */
import type { ChangedLine } from '../gates/definition/difference.ts'
import { palette } from './palette.ts'
import { shortened, visible } from './visible.ts'

const longest = 160
const shown = (text: string | undefined): string => (text === undefined ? '' : shortened(visible(text), longest))

/** `+ name "Holders"`, `~ name "Holders" → "Keepers"`, `- supply 5`. Reward values are never shown. */
export function differenceLines(difference: readonly ChangedLine[], isPerson: boolean): string[] {
  const { green, red, yellow } = palette(isPerson)
  return difference.map(({ change, path, before, after }) => {
    const isSealed = before === undefined && after === undefined
    if (change === 'added') return green(`+ ${path} ${isSealed ? '(sealed, not shown)' : shown(after)}`)
    if (change === 'removed') return red(`- ${path} ${isSealed ? '(sealed, not shown)' : shown(before)}`)
    return yellow(`~ ${path} ${isSealed ? 'is another one (sealed, not shown)' : `${shown(before)} → ${shown(after)}`}`)
  })
}
