/** `proofgate verify --lines`: many portable proofs, one in each line, as the dashboard exports them. */
import type { PortableProof } from '../envelope/portable-proof.ts'
import type { OfflineVerdict } from '../envelope/verify-portable.ts'
import { exitCodes, type Terminal } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { makePalette } from './palette.ts'
import { parsePortableFile, readProofLines, UnusableProofError } from './portable-file.ts'
import { addRecordFaults, findRecordFaults } from './portable-record.ts'

interface Tally {
  valid: number
  notValid: number
  undecided: number
  unusable: number
}

/**
 * One line of verdict for each line of the file, and a last one that counts. A line that is no portable proof does not
 * keep the others from being checked. Errors: UnusableProofError when the file cannot be read; those of `decide`.
 */
export async function verifyLines(
  source: string,
  terminal: Terminal,
  tools: {
    readonly asJson: boolean
    readonly decide: (proof: PortableProof) => Promise<OfflineVerdict>
    readonly isUndecided: (verdict: OfflineVerdict) => boolean
  },
): Promise<number> {
  const { green, red, yellow } = makePalette(terminal.isPerson)
  const tally: Tally = { valid: 0, notValid: 0, undecided: 0, unusable: 0 }
  const say = (line: number, qHash: string | undefined, what: keyof Tally, why: string, shown: string): void => {
    tally[what]++
    terminal.out(
      tools.asJson
        ? `${JSON.stringify({ line, usable: what !== 'unusable', valid: what === 'valid', ...(qHash && { qHash }), ...(why && { why }) })}\n`
        : `${shown}  ${qHash ?? `line ${line}`}${why && `  ${why}`}\n`,
    )
  }
  let number = 0
  for await (const text of readProofLines(source, () => terminal.input())) {
    number++
    if (text.trim() === '') continue
    try {
      const { proof, records } = parsePortableFile(text)
      const verdict = addRecordFaults(await tools.decide(proof), findRecordFaults(records, proof))
      const qHash = proof.qHash.toLowerCase()
      if (verdict.valid) say(number, qHash, 'valid', '', green('VALID    '))
      else if (tools.isUndecided(verdict))
        say(number, qHash, 'undecided', 'a contract wallet signed: name its chain with --config', yellow('UNDECIDED'))
      else say(number, qHash, 'notValid', escapeInvisible(verdict.faults.join('; ')), red('NOT VALID'))
    } catch (error) {
      if (!(error instanceof UnusableProofError)) throw error
      say(number, undefined, 'unusable', error.message, red('UNUSABLE '))
    }
  }
  const { valid, notValid, undecided, unusable } = tally
  const all = valid + notValid + undecided + unusable
  if (all === 0) throw new UnusableProofError('there is no portable proof in it: it is empty')
  terminal.out(
    tools.asJson
      ? `${JSON.stringify(tally)}\n`
      : `\n${valid} of ${all} valid, ${notValid} not valid, ${undecided} undecided, ${unusable} unusable\n`,
  )
  if (unusable > 0) return exitCodes.usage
  if (notValid > 0) return exitCodes.negative
  return undecided > 0 ? exitCodes.unavailable : exitCodes.done
}
