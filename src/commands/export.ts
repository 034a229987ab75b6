/** `proofgate export`: everything of one person or of the whole server as lines of JSON, beside a server that may be running. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeExport } from '../export/write-export.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { writeFailure } from './run-command.ts'
import { requireAccount } from './wallet-argument.ts'

export const exportCommand: Command = {
  name: 'export',
  usage: '--wallet WALLET | --all [--out FOLDER] [--open-sealed [--yes]] [--config FILE] [--json]',
  summary: 'Write everything of one person, or of the whole server, as lines of JSON.',
  help: [
    '  --wallet WALLET  everything of the person who signs in with this wallet: of all their wallets',
    '  --all            everything of everybody',
    '  --out FOLDER     a new folder; without it proofgate-export-TIME in the current one',
    '  --open-sealed    also what is stored sealed: private content, rewards, secrets. Asks first',
    '  --yes            with --open-sealed: do not ask',
    '  --config FILE    configuration; without it proofgate.toml beside the data folder, if any',
    '  --json           print the manifest in place of sentences',
    '',
    'The folder holds a file for each subject and manifest.json. Only its owner can read them.',
    'It never holds the master key, signing keys, access keys or tokens.',
    'Exit codes: 0 done, 1 not confirmed, or nothing is kept of this wallet, 2 wrong call,',
    '69 no data folder, 74 the disk does not answer, 78 wrong configuration.',
  ],

  async run(args, terminal) {
    const { values } = readOptions(args, {
      ...commonOptions,
      wallet: { type: 'string' },
      all: { type: 'boolean' },
      out: { type: 'string' },
      'open-sealed': { type: 'boolean' },
      yes: { type: 'boolean' },
    })
    if ((values.wallet === undefined) === (values.all !== true))
      throw new UsageError('name a person with --wallet WALLET, or everybody with --all')
    const config = await loadNamedConfig(values, terminal)
    const target = resolve(terminal.cwd, values.out ?? nameExport(terminal.now()))
    if (existsSync(target)) throw new UsageError(`${target} is there already: name a new folder with --out`)
    return useDataFolder(config, terminal, async (parts) => {
      const account = values.wallet === undefined ? undefined : await requireAccount(parts, values.wallet)
      if (values['open-sealed'] && !values.yes && !(await askConsent(terminal, values.wallet)))
        return tellNothing(terminal, values.json, 'nothing was exported')
      const manifest = await writeExport(target, {
        folder: config.data,
        now: terminal.now(),
        version,
        account,
        sealer: values['open-sealed'] ? parts.sealer : undefined,
      }).catch((error) => {
        throw isFileFault(error) ? new UnavailableError(`the export could not be written: ${error.message}`) : error
      })
      if (!manifest) return tellNothing(terminal, values.json, `this server keeps nothing of ${values.wallet}`)
      if (values.json) terminal.out(`${JSON.stringify({ folder: target, ...manifest })}\n`)
      else {
        const written = manifest.files.filter(({ lines }) => lines > 0)
        terminal.out(
          [
            `The export is in ${target}:`,
            ...written.map(({ file, lines }) => `  ${file.padEnd(26)} ${lines}`),
            manifest.sealed === 'opened'
              ? 'It holds private content, rewards and secrets in the clear: keep it as you keep those.'
              : 'Private content, rewards and secrets are sealed in it, as they are stored.',
            '',
          ].join('\n'),
        )
      }
      return exitCodes.done
    })
  },
}

function tellNothing(terminal: Terminal, asJson: boolean | undefined, says: string): number {
  terminal.err(`proofgate: ${says}\n`)
  if (asJson) terminal.out(writeFailure(exitCodes.negative, says))
  return exitCodes.negative
}

const nameExport = (at: number): string => `proofgate-export-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`

const isFileFault = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

const consent = 'open it'

/** Errors: UsageError where nobody can answer. */
async function askConsent(terminal: Terminal, wallet: string | undefined): Promise<boolean> {
  if (!terminal.isPerson) throw new UsageError('this opens what is sealed: add --yes to confirm')
  terminal.err(
    [
      `This writes private content, rewards and secrets of ${wallet ?? 'everybody'} into files in the clear.`,
      'Everybody who gets these files can read and use them.',
      `Type "${consent}" to go on: `,
    ].join('\n'),
  )
  let typed = ''
  const decoder = new TextDecoder()
  for await (const chunk of terminal.input()) {
    typed += decoder.decode(chunk, { stream: true })
    if (typed.includes('\n')) break
  }
  return typed.trim() === consent
}
