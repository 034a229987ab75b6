/** `proofgate export`: everything of one person or of the whole server as lines of JSON, beside a server that may be running. */
import { existsSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { nameUnfinished, removeAbandonedFolders } from '../db/unfinished-files.ts'
import { makeWorkFolder, nameExchangeFolder, removeExchangeLeftovers } from '../db/work-folder.ts'
import type { Manifest } from '../export/manifest.ts'
import { packFolder, packIntoFile } from '../export/tar-file.ts'
import { type ExportOptions, writeExport } from '../export/write-export.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireFolderStore, useDataFolder } from './data-folder.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { writeFailure } from './run-command.ts'
import { requireAccount } from './wallet-argument.ts'

export const exportCommand: Command = {
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
    requireFolderStore(config)
    const target = values.out === '-' ? '-' : resolve(terminal.cwd, values.out ?? nameExport(terminal.now()))
    if (target !== '-' && existsSync(target))
      throw new UsageError(`${target} is there already: name a new ${isTar(target) ? 'file' : 'folder'} with --out`)
    if (/\.(?:tgz|tar\.\w+|zip)$/i.test(target))
      throw new UsageError(`an export is not compressed: name FILE.tar, or write - through gzip or another program`)
    if (target === '-' && terminal.isPerson)
      throw new UsageError('standard output is a terminal: write the tar file into a file or to another program')
    return useDataFolder(config, terminal, async (parts) => {
      const account = values.wallet === undefined ? undefined : await requireAccount(parts, values.wallet)
      if (values['open-sealed'] && !values.yes && !(await askConsent(terminal, values.wallet)))
        return tellNothing(terminal, values.json, 'nothing was exported')
      const manifest = await writeTarget(config, terminal, target, {
        folder: config.data,
        now: terminal.now(),
        version,
        account,
        sealer: parts.sealer,
        opensSealed: values['open-sealed'] === true,
      }).catch((error) => {
        throw isFileFault(error) ? new UnavailableError(`the export could not be written: ${error.message}`) : error
      })
      if (!manifest) return tellNothing(terminal, values.json, `this server keeps nothing of ${values.wallet}`)
      const tell = target === '-' ? terminal.err : terminal.out
      if (values.json) tell(`${JSON.stringify({ [isTar(target) ? 'file' : 'folder']: target, ...manifest })}\n`)
      else {
        const written = manifest.files.filter(({ lines }) => lines > 0)
        tell(
          [
            `The export is in ${target === '-' ? 'the tar file on standard output' : target}:`,
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

const isTar = (target: string): boolean => target === '-' || target.endsWith('.tar')

/** A tar file appears whole or not at all; what reads standard output sees by the end of the file whether it is. */
async function writeTarget(
  config: Config,
  terminal: Terminal,
  target: string,
  options: ExportOptions,
): Promise<Manifest | undefined> {
  removeExchangeLeftovers(config.data, options.now)
  const mtime = new Date(options.now)
  if (target === '-') {
    const work = makeWorkFolder(nameExchangeFolder(join(config.data, 'export')))
    return useExport(join(work.path, 'written'), work.remove, options, (folder) =>
      packFolder(folder, mtime, (chunk) => terminal.outBytes(chunk)),
    )
  }
  const place = dirname(target)
  if (existsSync(place)) removeAbandonedFolders(place)
  if (!isTar(target)) return writeExport(target, options)
  const unpacked = nameUnfinished(target)
  return useExport(
    unpacked,
    () => rmSync(unpacked, { recursive: true, force: true }),
    options,
    (folder) => packIntoFile(folder, target, mtime),
  )
}

async function useExport(
  folder: string,
  remove: () => void,
  options: ExportOptions,
  work: (folder: string) => Promise<void>,
): Promise<Manifest | undefined> {
  try {
    const manifest = await writeExport(folder, options)
    if (manifest) await work(folder)
    return manifest
  } finally {
    remove()
  }
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
