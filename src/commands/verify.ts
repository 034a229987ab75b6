/** `proofgate verify`: checks a portable proof with nothing else. */
import { resolve } from 'node:path'
import { loadConfig } from '../config/load.ts'
import type { PortableProof } from '../envelope/portable-proof.ts'
import type { OfflineVerdict } from '../envelope/verify-portable.ts'
import { OutsideError } from '../outside/failure.ts'
import { openOutside } from '../outside/open.ts'
import { readVerifierTables } from '../verifiers/settings.ts'
import { writeChain } from '../wallet/account.ts'
import { findStaleness } from '../wallet/freshness.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { escapeInvisible, shorten } from './escape-invisible.ts'
import { type OfflineRules, usualRules, verifyOffline } from './offline.ts'
import { readOptions } from './options.ts'
import { makePalette } from './palette.ts'
import { type PortableFile, parsePortableFile, readProofText, UnusableProofError } from './portable-file.ts'
import { addRecordFaults, findRecordFaults } from './portable-record.ts'
import { verifyLines } from './verify-lines.ts'

export const verify: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, optionTable, 1)
    const [source] = positionals
    if (!source) throw new UsageError('name the file of a portable proof, or - for standard input')
    const rules = await readRules(values, terminal)

    const isMany = values.lines || source.endsWith('.jsonl')
    let file: PortableFile
    try {
      const path = source === '-' ? source : resolve(terminal.cwd, source)
      if (isMany)
        return await verifyLines(path, terminal, {
          asJson: values.json ?? false,
          decide: (one) => decideOffline(one, terminal.now(), rules),
          isUndecided,
        })
      file = parsePortableFile(await readProofText(path, () => terminal.input()))
    } catch (error) {
      if (!(error instanceof UnusableProofError)) throw error
      if (values.json) terminal.out(`${JSON.stringify({ usable: false, valid: false, error: error.message })}\n`)
      else terminal.err(`${source === '-' ? 'standard input' : source}: ${error.message}\n`)
      return exitCodes.usage
    }

    const now = terminal.now()
    const { proof, records } = file
    const verdict = addRecordFaults(await decideOffline(proof, now, rules), findRecordFaults(records, proof))
    const notes = listNotes(proof, verdict)
    terminal.out(
      values.json
        ? `${JSON.stringify({ usable: true, ...verdict, notes, ...listNames(proof) })}\n`
        : report(proof, verdict, notes, { now, rules, terminal }),
    )
    return verdict.valid ? exitCodes.done : isUndecided(verdict) ? exitCodes.unavailable : exitCodes.negative
  },
}

/** Errors: UnavailableError, when the chain of a contract wallet does not answer. */
async function decideOffline(proof: PortableProof, now: number, rules: OfflineRules): Promise<OfflineVerdict> {
  try {
    return await verifyOffline(proof, now, rules)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw new UnavailableError(`the contract wallet could not be asked: ${error.message}; ${error.mend}`)
  }
}

/** Every check that is possible here holds, and no other is known to fail. */
const isUndecided = ({ needsChain, checks }: OfflineVerdict): boolean => needsChain && checks.qHash && checks.did

const optionTable = {
  lines: { type: 'boolean' },
  'max-age': { type: 'string' },
  title: { type: 'string', multiple: true },
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const

interface GivenOptions {
  readonly 'max-age'?: string
  readonly title?: readonly string[]
  readonly config?: string
}

/** A configuration counts only when it is named: the verdict on a file must not depend on the current folder. */
async function readRules(given: GivenOptions, { env, cwd, now }: Terminal): Promise<OfflineRules> {
  const { titles, window, recovery, chains } =
    given.config === undefined ? usualRules : await loadConfiguredRules(given.config, { env, cwd, now })
  const maxAge = given['max-age']
  if (maxAge !== undefined && !/^[0-9]{1,12}$/.test(maxAge))
    throw new UsageError(`--max-age must be a whole number of seconds, not "${maxAge}"`)
  for (const title of given.title ?? [])
    if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(title))
      throw new UsageError('--title must be one line of 1 to 100 visible characters')
  return {
    titles: [...(given.title ?? []), ...titles],
    window: maxAge === undefined ? window : { ...window, maxAgeMs: Number(maxAge) * 1000 },
    recovery,
    chains,
  }
}

async function loadConfiguredRules(
  file: string,
  { now, ...place }: Pick<Terminal, 'env' | 'cwd' | 'now'>,
): Promise<OfflineRules> {
  const config = await loadConfig({ file, ...place })
  const { signing } = config
  return {
    titles: signing.acceptedTitles,
    window: { maxAgeMs: signing.maxAgeSeconds * 1000, maxAheadMs: signing.maxAheadSeconds * 1000 },
    recovery: signing.recovery,
    chains: openOutside({ ...config, ...readVerifierTables(config) }, now).chains,
  }
}

const readContext = (proof: PortableProof) =>
  proof.chain === undefined ? { chainId: proof.chainId! } : { chain: proof.chain }

const listNames = (proof: PortableProof) => ({
  qHash: proof.qHash.toLowerCase(),
  did: proof.did,
  walletAddress: proof.walletAddress,
  chain: writeChain(readContext(proof)),
  verifierIds: proof.verifierIds,
  signedTimestamp: proof.signedTimestamp,
})

/** Whether the portable proof itself is right. */
const holdsAll = ({ qHash, did, signature }: OfflineVerdict['checks']): boolean => qHash && did && signature

/** Other possible causes of a wrong signature, when everything else is right. */
function listNotes(proof: PortableProof, verdict: OfflineVerdict): readonly string[] {
  const { checks } = verdict
  if (isUndecided(verdict))
    return [
      `A contract wallet signed (EIP-1271, EIP-6492): only ${writeChain(readContext(proof))} can tell whether it accepts this signature. Name a configuration that has this chain with --config.`,
    ]
  if (checks.signature || !checks.qHash || !checks.did || !writeChain(readContext(proof)).startsWith('eip155:'))
    return []
  return [
    `If ${proof.walletAddress} is a contract wallet (EIP-1271, EIP-6492), its signature requires chain state and cannot be decided offline.`,
    'If it was signed under an older first line, name that line with --title.',
  ]
}

function report(
  proof: PortableProof,
  verdict: OfflineVerdict,
  notes: readonly string[],
  { now, rules, terminal }: { readonly now: number; readonly rules: OfflineRules; readonly terminal: Terminal },
): string {
  const { valid, checks, fresh, faults } = verdict
  const { bold, dim, green, red, yellow } = makePalette(terminal.isPerson)
  const writeLine = (name: keyof typeof checks, meaning: string): string => {
    const fault = faults.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2)
    return `  ${checks[name] ? green('ok ') : red('NOT')}  ${name.padEnd(9)}  ${checks[name] ? meaning : escapeInvisible(fault ?? 'not checked, because data has no canonical form')}`
  }
  const dataFault = faults.find((one) => one.startsWith('data: '))
  const writeHeadline = (): string => {
    if (valid) return bold(green('VALID'))
    return isUndecided(verdict) ? bold(yellow('UNDECIDED')) : bold(red('NOT VALID'))
  }
  const age = findStaleness(proof.signedTimestamp, now, rules.window)
  const lines = [
    `${writeHeadline()}  ${proof.qHash.toLowerCase()}`,
    '',
    `  wallet     ${proof.walletAddress} on ${writeChain(readContext(proof))}`,
    `  verifiers  ${proof.verifierIds.join(', ')}`,
    `  data       ${shorten(escapeInvisible(JSON.stringify(proof.data)), 100)}`,
    `  signed     ${new Date(proof.signedTimestamp).toISOString()}`,
    '',
    ...(dataFault ? [`  ${red('NOT')}  data       ${escapeInvisible(dataFault.slice('data: '.length))}`] : []),
    writeLine('qHash', 'the content hashes to this id'),
    writeLine('did', 'names this wallet on this chain'),
    writeLine('signature', 'by this wallet, over exactly this content'),
    ...faults
      .filter((one) => one.startsWith('record: '))
      .map((one) => `  ${red('NOT')}  record     ${escapeInvisible(one.slice('record: '.length))}`),
    fresh
      ? `  ${green('ok ')}  freshness  signed less than ${rules.window.maxAgeMs / 1000} s ago`
      : `  ${yellow('old')}  freshness  ${age?.split(': ')[0]}; age does not make a proof invalid`,
    '',
    ...notes,
    valid
      ? 'The wallet signed exactly this request, and nothing in it was changed since.'
      : isUndecided(verdict)
        ? 'Until then do not rely on this file.'
        : holdsAll(checks)
          ? 'Do not rely on this file: the wallet signed the portable proof in it, and the record around it is about another.'
          : `${notes.length > 0 ? 'Otherwise do' : 'Do'} not rely on this file: it is not what this wallet signed.`,
    ...(valid
      ? [
          dim(
            'This does not say that the claim holds, nor that the proof was not revoked. The server that made it does:',
          ),
          dim(`  GET /api/v1/proofs/${proof.qHash.toLowerCase()}`),
        ]
      : []),
    '',
  ]
  return lines.join('\n')
}
