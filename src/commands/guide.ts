/** `proofgate guide`: the guides in a terminal, with the addresses and the brand of the configuration. */
import type { ConfigInput } from '../config/config-input.ts'
import { ConfigError, loadConfig } from '../config/load.ts'
import { buildPublicAddresses } from '../config/public-addresses.ts'
import { fillGuide, type GuideServer } from '../guides/fill.ts'
import { decisions, guideGroups } from '../guides/index.ts'
import { everyGuide, suggestGuide } from '../guides/links.ts'
import { readTitle } from '../guides/outline.ts'
import { openOutside } from '../outside/open.ts'
import { CatalogError, openCatalog } from '../verifiers/index.ts'
import { readVerifierTables } from '../verifiers/settings.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { formatGuide } from './guide-text.ts'
import { readOptions } from './options.ts'
import { makePalette } from './palette.ts'

export const guide: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, optionTable, 1)
    const [name] = positionals
    if (name === undefined || name === 'decisions') {
      if (values.json) terminal.out(`${JSON.stringify(name === undefined ? describeGuides() : describeDecisions())}\n`)
      else terminal.out(name === undefined ? listGuides(terminal) : listDecisions(terminal))
      return exitCodes.done
    }
    const path = name.replace(/\.md$/, '')
    const chosen = everyGuide.get(path)
    if (!chosen) throw new UsageError(explainUnknown(name))
    const input = { file: values.config, env: terminal.env, cwd: terminal.cwd }
    const markdown = fillGuide(chosen.markdown, await readServer(input, terminal))
    if (values.json) {
      terminal.out(`${JSON.stringify({ name: path, title: readTitle(markdown), markdown })}\n`)
      return exitCodes.done
    }
    terminal.out(
      values.markdown
        ? markdown
        : formatGuide(markdown, { path, columns: chooseColumns(terminal), isPerson: terminal.isPerson }),
    )
    return exitCodes.done
  },
}

const optionTable = { markdown: { type: 'boolean' }, json: { type: 'boolean' }, config: { type: 'string' } } as const

/** Text of more columns is hard to read, and text of fewer needs broken words. */
const [fewestColumns, mostColumns, usualColumns] = [40, 100, 80]

const chooseColumns = ({ columns = usualColumns }: Terminal): number =>
  Math.max(fewestColumns, Math.min(columns, mostColumns))

function explainUnknown(name: string): string {
  const meant = suggestGuide(name)
  return `there is no guide "${name}"${meant ? `; did you mean "${meant}"?` : '. proofgate guide lists them'}`
}

async function readServer(input: ConfigInput, { now, err }: Terminal): Promise<GuideServer> {
  try {
    return await readConfigured(input, now)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof CatalogError)) throw error
    err('The configuration is wrong, so this guide does not use it: proofgate check-config says why.\n\n')
    return readConfigured({ ...input, env: {}, file: undefined, cwd: '/nonexistent' }, now)
  }
}

async function readConfigured(input: ConfigInput, now: () => number): Promise<GuideServer> {
  const config = await loadConfig(input)
  return {
    addresses: buildPublicAddresses(config, config.port),
    brand: config.brand,
    catalog: openCatalog(config.verifiers, openOutside({ ...config, ...readVerifierTables(config) }, now)),
  }
}

const describeGuides = () => ({
  guides: guideGroups.flatMap(({ title, guides }) =>
    guides.map(({ name, summary }) => ({ name, group: title, summary })),
  ),
})

const describeDecisions = () => ({
  decisions: decisions.map(({ name, markdown }) => ({ name: `decisions/${name}`, title: readTitle(markdown) })),
})

function listGuides({ isPerson }: Terminal): string {
  const { bold } = makePalette(isPerson)
  const groups = guideGroups.filter(({ guides }) => guides.length > 0)
  const width = Math.max(...groups.flatMap(({ guides }) => guides.map(({ name }) => name.length))) + 2
  return [
    ...groups.flatMap(({ title, guides }) => [
      bold(title),
      ...guides.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
      '',
    ]),
    'proofgate guide NAME prints one; proofgate guide decisions lists why Proofgate is as it is.',
    '',
  ].join('\n')
}

function listDecisions({ isPerson }: Terminal): string {
  const { bold } = makePalette(isPerson)
  const width = Math.max(...decisions.map(({ name }) => name.length)) + 2
  return [
    bold('Decisions'),
    ...decisions.map(({ name, markdown }) => `  ${name.padEnd(width)}${readTitle(markdown)}`),
    '',
    'proofgate guide decisions/NAME prints one.',
    '',
  ].join('\n')
}
