/**
 * Writes families in the text format of Prometheus, version 0.0.4. A family that cannot be read is left out, so that the
 * others still tell what is wrong.
 */
import type { Distributed, Family, Labels, Value } from '../metric-family.ts'

export const contentType = 'text/plain; version=0.0.4; charset=utf-8'

export async function writeFamilies<Source>(
  families: readonly Family<Source>[],
  source: Source,
  tellFailure: (family: string, error: unknown) => void,
): Promise<string> {
  const written = await Promise.all(
    families.map(async (family) => {
      try {
        return await writeFamily(family, source)
      } catch (error) {
        tellFailure(family.name, error)
        return []
      }
    }),
  )
  return `${written.flat().join('\n')}\n`
}

async function writeFamily<Source>(family: Family<Source>, source: Source): Promise<readonly string[]> {
  const { name, type, help } = family
  const samples =
    family.type === 'histogram'
      ? family.read(source).flatMap((one) => writeDistribution(name, one))
      : (await family.read(source)).map((one) => writeValue(name, one))
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...samples]
}

const writeValue = (name: string, { labels, value }: Value): string => `${name}${writeLabels(labels)} ${value}`

function writeDistribution(
  name: string,
  { labels = {}, distribution: { bounds, counts, sum } }: Distributed,
): readonly string[] {
  let count = 0
  const buckets = [...bounds.map(String), '+Inf'].map((le, index) => {
    count += counts[index]!
    return writeValue(`${name}_bucket`, { labels: { ...labels, le }, value: count })
  })
  return [
    ...buckets,
    writeValue(`${name}_sum`, { labels, value: sum }),
    writeValue(`${name}_count`, { labels, value: count }),
  ]
}

function writeLabels(labels: Labels = {}): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`)
  return written.length === 0 ? '' : `{${written.join(',')}}`
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')
