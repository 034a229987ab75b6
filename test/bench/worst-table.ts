/** Prints the table of the worst requests, the worst first. */
import { table } from './report.ts'
import { mostAnswerBytes, mostCpuMs, type WorstLine } from './worst.ts'

export function worstTable(lines: readonly WorstLine[]): string {
  const worst = worstOfEach(lines)
  const above = lines.filter(({ fault }) => fault !== undefined)
  const rule = `Rule: ${mostCpuMs.stranger} ms of CPU for a stranger, ${mostCpuMs['signed in']} ms for a person who is signed in, an answer of at most ${mostAnswerBytes / 2 ** 20} MB; for actions over everything that somebody owns the longest time that another request waits.`
  const parts = [rule, tableOf(worst)]
  if (above.length > 0)
    parts.push(
      `**${above.length} requests to ${new Set(above.map(({ route }) => route)).size} routes are above the rule:**`,
      tableOf(above),
    )
  return parts.join('\n\n')
}

/** One line for each route and sender. */
function worstOfEach(lines: readonly WorstLine[]): WorstLine[] {
  const seen = new Set<string>()
  return lines.filter(({ route, sender }) => {
    const key = `${route} ${sender}`
    return !seen.has(key) && seen.add(key)
  })
}

const tableOf = (lines: readonly WorstLine[]): string =>
  table(
    ['Route', 'who', 'worst known request', 'CPU ms', 'answer kB', 'status', ''],
    lines.map(({ route, sender, name, cpuMs, longestWaitMs, bytes, status, isCutOff, fault }) => [
      `\`${route}\``,
      sender,
      name.replaceAll('|', '\\|').replaceAll('\n', ' '),
      longestWaitMs === undefined
        ? `${isCutOff ? '> ' : ''}${cpuMs.toFixed(1)}`
        : `others wait ${longestWaitMs.toFixed(0)}`,
      String(Math.ceil(bytes / 1024)),
      isCutOff ? 'none' : String(status),
      fault === undefined ? '' : `**${fault}**`,
    ]),
  )
