/** Brings portable proofs of other servers in, one after the other: each is a whole. */
import type { Config } from '../config/schema.ts'
import { AppError } from '../errors.ts'
import { OutsideError } from '../outside/failure.ts'
import { type BroughtIn, importProof, UnprovenError } from '../verification/import-proof.ts'
import { exitCodes, type Terminal, UnavailableError } from './command.ts'
import { type FolderParts, useDataFolder } from './data-folder.ts'
import { escapeInvisible } from './escape-invisible.ts'
import type { Source } from './import-source.ts'
import { parsePortableFile, readProofLines, readProofText, UnusableProofError } from './portable-file.ts'
import { findRecordFaults } from './portable-record.ts'
import { wrapText } from './wrap.ts'

interface Given {
  readonly source: Exclude<Source, { kind: 'folder' }>
  readonly isMany: boolean
  readonly asJson: boolean
}

export const importProofs = (config: Config, terminal: Terminal, { source, isMany, asJson }: Given): Promise<number> =>
  useDataFolder(config, terminal, async (parts) => {
    let line = 0
    let refused = 0
    for await (const text of readTexts(source, isMany)) {
      line++
      if (isMany && text.trim() === '') continue
      const place = isMany ? `${source.title}, line ${line}` : source.title
      try {
        tell(terminal, asJson, place, await importText(parts, text))
      } catch (error) {
        if (!(error instanceof UnusableProofError || error instanceof UnprovenError)) throw explain(error, place)
        refused++
        if (asJson) terminal.out(`${JSON.stringify({ place, outcome: 'not valid', error: error.message })}\n`)
        else terminal.err(`${wrapText(`${place}: not imported: ${error.message}`, terminal)}\n`)
      }
    }
    return refused > 0 ? exitCodes.negative : exitCodes.done
  })

/** Errors: UnavailableError. */
async function* readTexts(source: Given['source'], isMany: boolean): AsyncGenerator<string> {
  try {
    if (isMany) yield* readProofLines('-', source.chunks)
    else yield await readProofText('-', source.chunks)
  } catch (error) {
    throw error instanceof UnusableProofError ? new UnavailableError(`${source.title}: ${error.message}`) : error
  }
}

/** Errors: UnusableProofError, UnprovenError, and those of importProof. */
async function importText(parts: FolderParts, text: string): Promise<BroughtIn> {
  const { proof, records } = parsePortableFile(text)
  const [fault] = findRecordFaults(records, proof)
  if (fault !== undefined) throw new UnprovenError(fault)
  if (records.some(({ status, revokedAt }) => status === 'revoked' || typeof revokedAt === 'number'))
    throw new UnprovenError('the record says that it was revoked where it was made')
  return importProof(parts, proof)
}

function explain(error: unknown, place: string): unknown {
  if (error instanceof OutsideError)
    return new UnavailableError(`${place}: the signature could not be looked up: ${error.message}; ${error.mend}`)
  if (error instanceof AppError && error.code === 'VERIFIER_UNAVAILABLE')
    return new UnavailableError(
      `${place}: ${error.message}. What stands before it is imported: run this again, and it goes on`,
    )
  return error
}

const outcomes: Readonly<Record<BroughtIn['outcome'], string>> = {
  verified: 'verified again, and stored',
  partially_verified: 'stored; some claims were verified again',
  imported: 'kept as imported: no claim was verified here, so it counts at no gate',
  'already here': 'here already; nothing was changed',
  'used before': 'its signed text was used here for another proof; nothing was changed',
  'erased here': 'its wallet erased it here; nothing was changed',
}

function tell(terminal: Terminal, asJson: boolean, place: string, brought: BroughtIn): void {
  if (asJson) {
    terminal.out(`${JSON.stringify({ place, ...brought })}\n`)
    return
  }
  const { qHash, outcome, imported } = brought
  terminal.out(
    [
      `${qHash} ${outcomes[outcome]}`,
      ...imported.map(
        ({ verifierId, message }) =>
          `  ${wrapText(`${verifierId} is not verified: ${escapeInvisible(message)}`, { columns: terminal.columns, hang: 2 })}`,
      ),
      '',
    ].join('\n'),
  )
}
