/** `proofgate check-config`: faults, advice, and the source of each value. */
import { type AppliedSetting, checkConfig } from '../config/check.ts'
import type { ConfigInput } from '../config/config-input.ts'
import { type Config, loadConfig } from '../config/load.ts'
import { type Advice, listAdvice } from '../doctor/advice.ts'
import { examineLocally } from '../doctor/examine.ts'
import type { Found } from '../doctor/found.ts'
import { openOutside } from '../outside/open.ts'
import type { Outside } from '../outside/outside.ts'
import { findUnknown, type SwitchedOff, tellSwitchedOff } from '../verifiers/choice.ts'
import { type Catalog, openCatalog, verifierIds } from '../verifiers/index.ts'
import { readVerifierTables } from '../verifiers/settings.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { requireAnswer } from './disk-answers.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { commonOptions, readOptions } from './options.ts'
import { makePalette } from './palette.ts'
import { wrapText } from './wrap.ts'

interface Checked {
  readonly file: string | undefined
  /** Each stops the server from starting. */
  readonly problems: readonly string[]
  /** Advice stops no start. */
  readonly advice: readonly string[]
  /** The parts that the operator switched off. */
  readonly switchedOff: readonly SwitchedOff[]
  readonly settings: readonly AppliedSetting[]
}

export const checkConfigCommand: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, all: { type: 'boolean' } })
    const checked = await check({ file: values.config, env: terminal.env, cwd: terminal.cwd }, terminal.now)
    const ok = checked.problems.length === 0
    terminal.out(
      values.json ? `${JSON.stringify({ ok, ...checked })}\n` : report(checked, terminal, values.all === true),
    )
    return ok ? exitCodes.done : exitCodes.configuration
  },
}

async function check(input: ConfigInput, now: () => number): Promise<Checked> {
  const { file, findings, settings } = await checkConfig(input)
  if (findings.length > 0) return { file, problems: findings.map(({ message }) => message), ...nothing, settings }
  const config = await loadConfig(input)
  await requireAnswer(config)
  const problems = listUnknownVerifiers(config, settings)
  if (problems.length > 0) return { file, problems, ...nothing, settings }
  const outside = openOutside({ ...config, ...readVerifierTables(config) }, now)
  const catalog = openCatalog(config.verifiers, outside)
  return {
    file,
    problems,
    advice: [...(await findAdvice(config, outside, now)), ...listAbsentVerifiers(config, catalog)],
    switchedOff: catalog.switchedOff,
    settings,
  }
}

/** A wrong configuration reports only its faults. */
const nothing = { advice: [], switchedOff: [] } as const

/** Settings that are most likely unintended, and doctor's findings without a call. Each setting once. */
async function findAdvice(config: Config, outside: Outside, now: () => number): Promise<string[]> {
  const advice = listAdvice(config)
  const told = new Set(advice.map(({ setting }) => setting))
  const found = (await examineLocally({ config, outside, now })).filter(({ setting }) => !told.has(setting))
  return [...advice.map(writeAdvice), ...found.map(writeFinding)]
}

/** The same faults with which `serve` refuses to start, each with its place. */
const listUnknownVerifiers = ({ verifiers }: Config, settings: readonly AppliedSetting[]): string[] =>
  findUnknown(verifierIds, verifiers).map(({ setting, problem }) => {
    const place = settings.find(({ key }) => key === setting)?.source ?? 'configuration'
    return `${place}: ${setting}: ${problem}`
  })

/** Verifiers that the operator named, and that the rest of the configuration does not support. */
const listAbsentVerifiers = ({ verifiers }: Config, catalog: Catalog): string[] =>
  (verifiers.enabled ?? []).filter((id) => !catalog.enabled.has(id)).map((id) => catalog.absence(id))

/** As a line of text. */
const writeAdvice = ({ says, example }: Advice): string => (example ? `${says} (example: ${example})` : says)

const writeFinding = ({ setting, says, mend }: Found): string => `${setting}: ${says}${mend ? `; ${mend}` : ''}`

/** The faults stand last, where the reader of a terminal begins. */
function report({ file, problems, advice, switchedOff, settings }: Checked, terminal: Terminal, all: boolean): string {
  const { bold, dim, green, red, yellow } = makePalette(terminal.isPerson)
  const writeItem = (text: string): string => `  ${wrapText(text, { hang: 4, columns: terminal.columns })}`
  const shown = settings.filter(({ source }) => all || source !== 'default')
  const hidden = settings.length - shown.length
  const keyWidth = Math.max(0, ...shown.map(({ key }) => key.length))
  const valueWidth = Math.min(44, Math.max(0, ...shown.map(({ value }) => value.length)))
  const rows = shown.map(({ key, value, source }) => {
    const row = `${key.padEnd(keyWidth)}  ${escapeInvisible(value).padEnd(valueWidth)}  ${source}`
    const line = `  ${row.length > 98 ? `${key.padEnd(keyWidth)}  ${escapeInvisible(value)}\n      ${source}` : row}`
    return source === 'default' ? dim(line) : line
  })
  const ending =
    problems.length === 0
      ? [bold(green('The configuration is right.'))]
      : [
          bold(
            red(
              `${problems.length === 1 ? 'One thing is' : `${problems.length} things are`} wrong; the server would not start:`,
            ),
          ),
          ...problems.map((problem) => writeItem(escapeInvisible(problem))),
        ]
  return [
    `File: ${file ?? 'none; every setting has a default'}`,
    ...(rows.length > 0 ? ['', all ? 'All settings:' : 'What is set, and where:', ...rows] : []),
    ...(hidden > 0 ? [dim(`${hidden} settings have their default; --all shows them.`)] : []),
    ...(switchedOff.length > 0
      ? ['', 'Switched off:', ...switchedOff.map((one) => writeItem(tellSwitchedOff(one)))]
      : []),
    ...(advice.length > 0
      ? ['', yellow('Worth a thought:'), ...advice.map((one) => writeItem(escapeInvisible(one)))]
      : []),
    '',
    ...ending,
    '',
  ].join('\n')
}
