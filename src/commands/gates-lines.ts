/** Differences between versions of a gate, one plain line each. */
import type { ChangedLine } from '../gates/definition/difference.ts'
import { escapeInvisible, shorten } from './escape-invisible.ts'
import { makePalette } from './palette.ts'

const longest = 160
const writeShort = (text: string | undefined): string =>
  text === undefined ? '' : shorten(escapeInvisible(text), longest)

/** `+ name "Holders"`, `~ name "Holders" → "Keepers"`, `- supply 5`. Reward values are never shown. */
export function writeDifference(difference: readonly ChangedLine[], isPerson: boolean): string[] {
  const { green, red, yellow } = makePalette(isPerson)
  return difference.map(({ change, path, before, after }) => {
    const isSealed = before === undefined && after === undefined
    if (change === 'added') return green(`+ ${path} ${isSealed ? '(sealed, not shown)' : writeShort(after)}`)
    if (change === 'removed') return red(`- ${path} ${isSealed ? '(sealed, not shown)' : writeShort(before)}`)
    return yellow(
      `~ ${path} ${isSealed ? 'is another one (sealed, not shown)' : `${writeShort(before)} → ${writeShort(after)}`}`,
    )
  })
}
