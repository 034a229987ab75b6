/** `proofgate import`: brings an export, or portable proofs, into this server. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { storeRules } from '../backup/store-rules.ts'
import type { Config } from '../config/schema.ts'
import { useAlone } from '../db/alone.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { giveToOwner } from '../db/file-owner.ts'
import { LockedError } from '../db/lock.ts'
import { noteNewFolder } from '../db/new-folder.ts'
import { makeSealer } from '../db/seal.ts'
import { ImportError } from '../export/fault.ts'
import { ImportConflictError, type Imported, importRows } from '../export/import-store.ts'
import { listImporters } from '../export/importers.ts'
import { isOwnManifest, type Manifest } from '../export/manifest.ts'
import { type ReadExport, readExport } from '../export/read-export.ts'
import { unpackTar } from '../export/tar-file.ts'
import { openParts } from '../start.ts'
import { type Command, exitCodes, type Terminal, UnavailableError } from './command.ts'
import { requireFolderStore, useDataFolder } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault, requireUsableFolder } from './folder-fault.ts'
import { importProofs } from './import-proofs.ts'
import { lookIntoSource, type Source } from './import-source.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { writeCall } from './program.ts'
import { wrapText } from './wrap.ts'

export const importCommand: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(
      args,
      { ...commonOptions, trust: { type: 'boolean' }, lines: { type: 'boolean' } },
      1,
    )
    const named = requireArgument(positionals[0], 'the folder or the file of an export, or of a portable proof')
    const config = await loadNamedConfig(values, terminal)
    requireFolderStore(config)
    await requireAnswer(config, { forWriting: true })
    requireUsableFolder(config.data)
    const source = await lookIntoSource(named, terminal)
    try {
      if (source.kind === 'proofs')
        return await importProofs(config, terminal, {
          source,
          isMany: values.lines === true || named.endsWith('.jsonl'),
          asJson: values.json === true,
        })
      return await importExport(config, terminal, source, {
        isTrusted: values.trust === true,
        asJson: values.json === true,
      })
    } catch (error) {
      if (error instanceof ImportError) throw new UnavailableError(error.message)
      if (error instanceof LockedError)
        throw new UnavailableError(
          `a server runs on the data folder ${config.data}: stop it, and run this again. Nothing was changed`,
        )
      throw explainFolderFault(error, config.data) ?? error
    }
  },
}

interface Given {
  readonly isTrusted: boolean
  readonly asJson: boolean
}

async function importExport(config: Config, terminal: Terminal, source: Source, given: Given): Promise<number> {
  if (source.kind === 'folder') return importFolder(config, terminal, source.path, given)
  const unpacked = await unpackTar(source.chunks(), config.data, terminal.now())
  try {
    return await importFolder(config, terminal, unpacked.folder, given)
  } finally {
    unpacked.remove()
  }
}

async function importFolder(
  config: Config,
  terminal: Terminal,
  folder: string,
  { isTrusted, asJson }: Given,
): Promise<number> {
  const found = readSource(folder)
  requireTrust(config, found.manifest, isTrusted)
  const isNew = !existsSync(locateDatabaseFile(config.data))
  const undo = isNew ? await makeServer(config, terminal) : () => {}
  try {
    const imported = await importFound(config, terminal, found)
    terminal.out(
      asJson ? `${JSON.stringify({ data: config.data, isNew, ...imported })}\n` : report(config, imported, terminal),
    )
    return exitCodes.done
  } catch (error) {
    undo()
    if (!(error instanceof ImportConflictError)) throw error
    tellConflicts(error, terminal, asJson)
    return exitCodes.negative
  }
}

/** Made by root in the folder of a server's user, its files are that user's. Returns what takes them away again. */
async function makeServer(config: Config, { now }: Terminal): Promise<() => void> {
  const { data } = config
  const undo = noteNewFolder(data)
  try {
    await (await openParts(config, data, now)).close()
    for (const name of readdirSync(data)) giveToOwner(data, join(data, name))
    return undo
  } catch (error) {
    undo()
    throw error
  }
}

/** A fault of the files of the export is none of the data folder. Errors: ImportError. */
function readSource(folder: string): ReadExport {
  try {
    return readExport(folder)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new ImportError(`the export cannot be read (${error.message})`, 'see that this user may read all its files')
  }
}

const importFound = (config: Config, terminal: Terminal, found: ReadExport): Promise<Imported> =>
  useDataFolder(config, terminal, async ({ sealer, catalog, now }) =>
    useAlone(config.data, (db) =>
      importRows(db, found, listImporters(catalog.known), { sealer, now: now() }, storeRules),
    ),
  )

/**
 * Before there is a data folder: a new one would get a key of its own, which cannot open what is sealed. Errors:
 * ImportError.
 */
function requireTrust(config: Config, manifest: Manifest, isTrusted: boolean): void {
  const key = findKey(config)
  if (key && isOwnManifest(manifest, makeSealer(key))) return
  if (manifest.sealed === 'kept')
    throw new ImportError(
      key
        ? 'the export was not made with the master key of this server, or was changed since'
        : `there is no master key yet, and the export needs the one that it was made with`,
      'give that key as PROOFGATE_MASTER_KEY, for a new data folder. Or export with --open-sealed, and import that with --trust',
    )
  if (!isTrusted)
    throw new ImportError(
      'the export was not made with the master key of this server, or was changed since, so nothing shows that its proofs were ever verified',
      'add --trust if you trust everybody who had it in hand. Without that, import only its portable proofs: each as a file',
    )
}

function findKey({ masterKey, data }: Config): Uint8Array | undefined {
  const file = join(data, 'master.key')
  const text =
    masterKey ?? (existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8').trim() : undefined)
  return text !== undefined && /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

const refused = 'nothing was imported, because this server has other things of the same name'

function tellConflicts({ conflicts, count }: ImportConflictError, terminal: Terminal, asJson: boolean): void {
  if (asJson) {
    terminal.out(`${JSON.stringify({ ok: false, exitCode: exitCodes.negative, error: refused, count, conflicts })}\n`)
    return
  }
  const more = count > conflicts.length ? [`… and ${count - conflicts.length} more`] : []
  terminal.err(
    [
      `proofgate: ${refused}:`,
      ...[...conflicts, ...more].map((one) => `  ${wrapText(one, { columns: terminal.columns, hang: 2 })}`),
      'Import into a fresh server, or take these away where they are not wanted.',
      '',
    ].join('\n'),
  )
}

const describeHere = (count: number): string =>
  count === 1
    ? '1 line was here already, and stays as it is here.'
    : `${count} lines were here already, and stay as they are here.`

function report({ data }: Config, { files, notImported }: Imported, terminal: Terminal): string {
  const sum = (member: 'added' | 'alreadyHere' | 'leftOut'): number =>
    files.reduce((total, file) => total + file[member], 0)
  const added = files.filter((file) => file.added > 0)
  const left = files.filter(({ leftOut }) => leftOut > 0)
  return [
    added.length > 0
      ? `The data folder ${data} now also holds:`
      : `Nothing was changed: the data folder ${data} holds all of this already.`,
    ...added.map((file) => `  ${file.file.padEnd(26)} ${file.added}`),
    ...(added.length > 0 && sum('alreadyHere') > 0 ? [describeHere(sum('alreadyHere'))] : []),
    ...left.map(
      (file) => `Left out of ${file.file}: ${file.leftOut}, of things that are not here or were erased here.`,
    ),
    ...[...Map.groupBy(notImported, ({ why }) => why)].map(
      ([why, these]) => `Not imported: ${these.map(({ file, lines }) => `${file} (${lines})`).join(', ')}. ${why}`,
    ),
    ...(added.length > 0 ? [`Start the server now: ${writeCall('serve')}`] : []),
  ]
    .map((line) => `${line.startsWith(' ') ? line : wrapText(line, terminal)}\n`)
    .join('')
}
