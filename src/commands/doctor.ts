/** `proofgate doctor`: tries everything outside that the configuration names, and says what it found and what mends it. */
import { loadConfig } from '../config/load.ts'
import { examineDisk } from '../doctor/disk.ts'
import { examineAll, type Found, type Offered, offeredIn } from '../doctor/examine.ts'
import { openOutside } from '../outside/open.ts'
import { catalogOf } from '../verifiers/index.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { readOptions } from './options.ts'
import { palette } from './palette.ts'
import { visible } from './visible.ts'

interface Examined extends Offered {
  readonly findings: readonly Found[]
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
    const { verifiers } = config
    const findings = [...examineDisk(config), ...(await examineAll({ config, outside }))]
    const examined = { findings, ...offeredIn(catalogOf(verifiers.enabled, verifiers.access, outside)) }
    const ok = findings.every(({ level }) => level !== 'fail')
    terminal.out(values.json ? `${JSON.stringify({ ok, ...examined })}\n` : report(examined, terminal))
    return ok ? exitCodes.done : exitCodes.negative
  },
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
