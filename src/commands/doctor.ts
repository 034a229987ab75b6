/** `proofgate doctor`: tries everything outside that the configuration names, and says what it found and what mends it. */
import { type Config, loadConfig } from '../config/load.ts'
import { OutsideError } from '../outside/failure.ts'
import { openOutside } from '../outside/open.ts'
import type { Outside } from '../outside/outside.ts'
import type { Finding, Probe } from '../outside/probe.ts'
import { stablecoinProbes } from '../payments/probe.ts'
import { stripeProbes } from '../payments/stripe-probe.ts'
import { x402Probes } from '../payments/x402-probe.ts'
import { publishingProbes } from '../publishing/probe.ts'
import { catalogOf, verifierIds } from '../verifiers/index.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { readOptions } from './options.ts'
import { palette } from './palette.ts'
import { visible } from './visible.ts'

interface Found extends Finding {
  readonly setting: string
}

interface Examined {
  readonly findings: readonly Found[]
  readonly offered: readonly string[]
  /** Verifiers that are not offered, and what would bring each. */
  readonly absent: readonly { readonly id: string; readonly why: string }[]
}

export const doctor: Command = {
  name: 'doctor',
  usage: '[--config FILE] [--json]',
  summary: 'Try every chain, resolver and provider of the configuration, and say what mends what fails.',
  help: [
    '  --config FILE   configuration; without it proofgate.toml beside the data folder, if there is one',
    '  --json          one line of JSON',
    '',
    'Calls what the configuration names and nothing else, once, with harmless questions. Starts no server and writes',
    'nothing. Providers may count each call on your account.',
    'Exit codes: 0 everything answers, 1 something does not, 78 wrong configuration.',
  ],

  async run(args, terminal) {
    const { values } = readOptions(args, { config: { type: 'string' }, json: { type: 'boolean' } })
    const config = await loadConfig({ file: values.config, env: terminal.env, cwd: terminal.cwd })
    const outside = openOutside(config, terminal.now)
    const probes = [
      ...outside.probes,
      ...publishingProbes({ config, outside }),
      ...stablecoinProbes({ config, outside }),
      ...stripeProbes({ config, outside }),
      ...x402Probes({ config, outside }),
    ]
    const findings = await Promise.all(probes.map(examine))
    const examined = { findings, ...catalogIn(config, outside) }
    const ok = findings.every(({ level }) => level !== 'fail')
    terminal.out(values.json ? `${JSON.stringify({ ok, ...examined })}\n` : report(examined, terminal))
    return ok ? exitCodes.done : exitCodes.negative
  },
}

async function examine({ setting, run }: Probe): Promise<Found> {
  try {
    return { setting, ...(await run()) }
  } catch (error) {
    if (error instanceof OutsideError) return { setting, level: 'fail', says: error.happened, mend: error.mend }
    return { setting, level: 'fail', says: error instanceof Error ? error.message : String(error) }
  }
}

function catalogIn({ verifiers }: Config, outside: Outside): Pick<Examined, 'offered' | 'absent'> {
  const catalog = catalogOf(verifiers.enabled, verifiers.access, outside)
  return {
    offered: [...catalog.enabled.keys()],
    absent: verifierIds.filter((id) => !catalog.enabled.has(id)).map((id) => ({ id, why: catalog.absence(id) })),
  }
}

function report({ findings, offered, absent }: Examined, terminal: Terminal): string {
  const { bold, dim, green, red, yellow } = palette(terminal.isPerson)
  const words = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') }
  const width = Math.max(0, ...findings.map(({ setting }) => setting.length))
  const failed = findings.filter(({ level }) => level === 'fail').length
  return [
    ...(findings.length === 0
      ? ['Nothing outside is configured, so nothing was called. config.example.toml shows what there is.']
      : findings.flatMap(({ setting, level, says, mend }) => [
          `  ${words[level]}  ${setting.padEnd(width)}  ${visible(says)}`,
          ...(mend ? [`${' '.repeat(width + 10)}${visible(mend)}`] : []),
        ])),
    '',
    `Verifiers offered: ${offered.join(', ')}`,
    ...(absent.length > 0 ? ['Not offered:', ...absent.map(({ why }) => dim(`  ${why}`))] : []),
    '',
    ...(findings.length === 0
      ? []
      : [
          bold(
            failed === 0
              ? green('Everything that is configured answers.')
              : red(`${failed === 1 ? 'One source does' : `${failed} sources do`} not answer as needed.`),
          ),
          '',
        ]),
  ].join('\n')
}
